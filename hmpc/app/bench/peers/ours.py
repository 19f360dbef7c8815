"""Our own parts that do the job of a peer's, and what peers need to do it with the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from hmpc.app.bench.faults.fault import replaced
from hmpc.app.bench.qp import COM_W, random_problems
from hmpc.app.bench.scale import walk
from hmpc.app.bench.tick import moving_session
from hmpc.footsteps.planner import FootstepPlanner
from hmpc.footsteps.rehearsal import rehearse
from hmpc.forces.distribution import ForceDistributor
from hmpc.forces.solvers import dual_newton
from hmpc.forces.solvers.backends import quadratic_program
from hmpc.forces.solvers.problem import ForceProblem, ForceTask, assemble
from hmpc.frb.planner import plan
from hmpc.params import FootstepParams, ForceParams, FrbParams
from hmpc.registry import find_robot, make_environment
from hmpc.sim.simulator import Simulator
from hmpc.types import Command

if TYPE_CHECKING:
    from hmpc.types import Array

CONTACTS = 8  # four corners of each foot
_STEP = 0.5  # [s]


def median(function: Callable[[], object], repeats: int) -> float:
    """[s] of the processor that a call takes; the first one, which loads compiled kernels, does not count."""
    function()
    seconds = []
    for _ in range(repeats):
        began = process_time()
        function()
        seconds.append(process_time() - began)
    return float(np.median(seconds))


def body_plan(iterations: int) -> float:
    """[s] tier 2: two seconds of walking, four steps."""
    params = FrbParams()
    problem = walk(4, _STEP)
    return median(lambda: plan(problem, params, seed=0, iterations=iterations), repeats=3)


def cold_plan() -> float:
    """[s] the first plan of a walk."""
    return body_plan(FrbParams().iterations)


def warm_plan() -> float:
    """[s] a later one, with the iterations that are spent on it at a touch-down."""
    return body_plan(FrbParams().replan_iterations)


def footsteps() -> float:
    """[s] tier 1: six steps on flat ground."""
    simulator = Simulator(make_environment("flat"), find_robot("humanoid"))
    planner = FootstepPlanner(simulator.body_model, make_environment("flat").regions(), FootstepParams())
    plans = rehearse(planner, Command(velocity_H=np.array([0.5, 0.0])))
    return median(lambda: next(plans), repeats=12)


def tick() -> float:
    """[s] tiers 3 and below: forces and torques from a plan, physics excluded."""
    session = moving_session(0.0)
    return median(lambda: session.stack.step(session.state, session.command), repeats=1000)


def contact_forces(repeats: int) -> float:
    """[s] tier 3: a wrench shared by the corners of two feet; the same problems as `write_qps`."""
    problems = iter(random_problems(CONTACTS, repeats + 1, seed=0))
    distributor = ForceDistributor(ForceParams())

    def distribute() -> None:
        contacts, wrench_W = next(problems)
        distributor.distribute(contacts, COM_W, wrench_W)

    return median(distribute, repeats)


def write_qps(path: Path, repeats: int) -> None:
    """The problems of `contact_forces` as min ½ x'Px + q'x subject to Gx ≤ h, for whoever solves those."""
    tasks: list[ForceTask] = []

    def remember(task: ForceTask) -> tuple[Array, Array, bool]:
        tasks.append(task)
        return dual_newton.solve(task)

    distributor = ForceDistributor(ForceParams())
    with replaced(distributor, "_solve", remember):
        for contacts, wrench_W in random_problems(CONTACTS, repeats, seed=0):
            distributor.distribute(contacts, COM_W, wrench_W)
    qps = [quadratic_program(ForceProblem(*assemble(*task)[:6])) for task in tasks]
    P, q, G, h = (np.array(parts) for parts in zip(*qps, strict=True))
    np.savez(path, P=P, q=q, G=G, h=h)


def write_standing(model_path: Path, pose_path: Path) -> None:
    """The humanoid that stands on flat ground, compiled, and its pose."""
    simulator = Simulator(make_environment("flat"), find_robot("humanoid"))
    mujoco.mj_saveModel(simulator.model, str(model_path), None)
    np.save(pose_path, simulator.data.qpos)
