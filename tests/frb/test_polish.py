"""A guess brought to its targets by Gauss-Newton steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hmpc.frb.planner import FrbProblem, PlanSearch
from hmpc.params import FrbParams

Walking = Callable[..., FrbProblem]


def test_a_polished_guess_is_closer_to_its_targets(walking: Walking, params: FrbParams) -> None:
    problem = walking(0.6)
    moved = replace(problem.state, vel_W=problem.state.vel_W + np.array([0.1, 0.05, 0.0]))
    off_course = replace(problem, state=moved, newton=False)
    rough = PlanSearch(off_course, params, seed=0)
    polished = PlanSearch(replace(off_course, polish=3), params, seed=0)
    assert polished.cost < 0.2 * rough.cost
