"""qpsolvers: contact-force QPs (written by the bench) with every backend that could be installed."""

import json
import sys
import time
import warnings
from importlib.metadata import version

import numpy as np
import qpsolvers

warnings.simplefilter("ignore")  # of dense matrices where a backend would like sparse ones: it is asked as it comes

problems = np.load(sys.argv[1])
answer = {"version": f"qpsolvers {version('qpsolvers')}"}
for backend in qpsolvers.available_solvers:
    seconds, solved = [], 0
    for P, q, G, h in zip(*(problems[name] for name in "PqGh"), strict=True):
        began = time.process_time()
        solution = qpsolvers.solve_problem(qpsolvers.Problem(P, q, G, h), solver=backend)
        seconds.append(time.process_time() - began)
        solved += bool(solution.found)
    if solved > 0.9 * len(seconds):
        answer[backend] = float(np.median(seconds))
answer["note"] = f"medians of {len(problems['q'])} problems of {problems['q'].shape[1]} unknowns"
json.dump(answer, sys.stdout)
