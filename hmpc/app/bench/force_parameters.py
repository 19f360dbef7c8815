"""The paper's f_l/f_r against plain force vectors, in tier 2 alone (Sec. 3.2.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.footsteps.planner import FootstepPlanner
from hmpc.footsteps.reference import FootstepReference
from hmpc.footsteps.rehearsal import rehearse
from hmpc.frb.planner import FrbProblem, PlanSearch
from hmpc.frb.walking import StandingFoot, walking_problem
from hmpc.params import FootstepParams, FrbParams
from hmpc.registry import find_robot, make_environment
from hmpc.sim.simulator import Simulator
from hmpc.types import BodyModel, Command, ContactPhase, ContactRegion, FootstepPlan, FrbState

_SPEEDS = (0.6, 1.2)  # [m/s]
_BUDGETS = (30, 60, 200, 600)  # iterations after which the cost is read
_GOOD = 60  # iterations of f_l/f_r with two points, whose cost is the one to reach
_CHECK = 10  # iterations between two looks at the cost
_DISTURBANCE = 0.1  # [m/s], [rad/s] of the start state
_COARSE = 0.1  # [body weights] a search unit of f_r as large as that of f_l


class Variant(NamedTuple):
    """A parameterisation of the contact forces."""

    name: str
    points: int  # control points of a phase
    line_force: bool  # f_l and f_r, or f_r alone
    unit: float  # [body weights] of f_r


def force_parameters(quick: bool) -> Result:
    """Cost after so many iterations, and iterations to the cost that f_l/f_r has after 60; medians of the seeds."""
    fine = FrbParams().free_force_unit
    variants = [Variant("f_l/f_r", 2, True, fine)]
    variants += [Variant("plain force", n, False, unit) for n in (2, 4, 8) for unit in (fine, _COARSE)]
    seeds, budgets = (2, _BUDGETS[:3]) if quick else (5, _BUDGETS)
    body = Simulator(make_environment("flat"), find_robot("humanoid")).body_model
    rows: list[Mapping[str, Cell]] = []
    for speed in _SPEEDS:
        threshold = math.inf
        for variant in variants:
            params = replace(FrbParams(), line_force=variant.line_force, free_force_unit=variant.unit)
            problems = [gait_problem(body, speed, params, variant, seed) for seed in range(seeds)]
            searches = [PlanSearch(problem, params, seed) for seed, problem in enumerate(problems)]
            curves = np.array([cost_curve(search, budgets[-1]) for search in searches])
            if variant.line_force:
                threshold = float(np.median(curves[:, _GOOD // _CHECK]))
            rows.append(_row(speed, variant, searches[0].dimension, curves, budgets, threshold))
    return {"parameters of the contact forces (tier 2 alone)": rows}


def _row(
    speed: float, variant: Variant, dimension: int, curves: np.ndarray, budgets: tuple[int, ...], threshold: float
) -> Mapping[str, Cell]:
    reached = [_CHECK * int(np.argmax(curve <= threshold)) if curve[-1] <= threshold else None for curve in curves]
    known = sorted(math.inf if n is None else n for n in reached)
    middle = known[len(known) // 2]
    return {
        "vx": speed,
        "forces": variant.name,
        "points": variant.points,
        "unit": variant.unit,
        "dimension": dimension,
        "cost_of_guess": float(np.median(curves[:, 0])),
        **{f"cost_{n}": float(np.median(curves[:, n // _CHECK])) for n in budgets},
        "iterations_needed": None if math.isinf(middle) else int(middle),
        "reached": f"{sum(n is not None for n in reached)}/{len(reached)}",
    }


def cost_curve(search: PlanSearch, iterations: int) -> list[float]:
    """Cost of the best plan after 0, 10, 20 ... iterations."""
    costs = [search.cost]
    for _ in range(iterations // _CHECK):
        search.iterate(_CHECK)
        costs.append(search.cost)
    return costs


def gait_problem(body: BodyModel, speed: float, params: FrbParams, variant: Variant, seed: int) -> FrbProblem:
    """The plan of a stride, from a disturbed touch-down of the pendulum's steady gait; the pendulum is the guess."""
    ground = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.full(2, 100.0))
    command = Command(velocity_H=np.array([speed, 0.0]))
    plans = rehearse(FootstepPlanner(body, [ground], FootstepParams()), command)
    footsteps = next(islice(plans, 2, None)).best
    rng = np.random.default_rng(seed)
    vel_W = footsteps.com_vel_W[0] + _DISTURBANCE * rng.standard_normal(3)
    omega_W = _DISTURBANCE * rng.standard_normal(3)
    state = FrbState(com_W=footsteps.com_W[0], vel_W=vel_W, R_WB=np.eye(3), omega_W=omega_W)
    trailing = next(limb for limb in footsteps.limb if limb != footsteps.limb[0])
    feet = [
        StandingFoot(limb=footsteps.limb[0], center_W=footsteps.foot_W[0], yaw=0.0, region=ground),
        StandingFoot(limb=trailing, center_W=footsteps.cop_start_W, yaw=0.0, region=ground),
    ]
    problem = walking_problem(footsteps, feet, command, body, params)
    weight = body.mass * params.gravity
    phases = tuple(_with_points(phase, footsteps, weight, variant) for phase in problem.phases)
    return replace(problem, state=state, phases=phases, newton=False)  # CMA alone is compared


def _with_points(phase: ContactPhase, footsteps: FootstepPlan, weight: float, variant: Variant) -> ContactPhase:
    """The phase with the pendulum's force, in the parameters of `variant`."""
    n = variant.points
    if variant.line_force:
        return replace(phase, f_l=np.full(n, weight), f_r_W=np.zeros((n, 3)))
    pendulum, u = FootstepReference(footsteps), np.linspace(0.0, 1.0, n)
    com_W = np.array([pendulum.at(t).com_W for t in phase.t_start + u * (phase.t_end - phase.t_start)])
    cop_W = phase.cop_W[0] + u[:, None] * (phase.cop_W[-1] - phase.cop_W[0])
    lever = com_W - cop_W
    return replace(phase, f_l=np.zeros(n), f_r_W=weight * lever / lever[:, 2:])
