"""Time that the long-term planner (Sec. 3.1) takes for a plan of six steps on grounds of growing difficulty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from time import perf_counter

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.footsteps.planner import FootstepOptions, FootstepPlanner
from hmpc.footsteps.rehearsal import rehearse
from hmpc.params import FootstepParams
from hmpc.registry import find_robot, make_environment
from hmpc.sim.simulator import Simulator
from hmpc.types import BodyModel, Command, ContactRegion, Status


def measure(quick: bool) -> Result:
    body = Simulator(make_environment("flat"), find_robot("humanoid")).body_model
    return {"a plan of 6 steps at each touch-down": footstep_timings(body, plans=50 if quick else 500)}


def footstep_timings(body: BodyModel, plans: int) -> Sequence[Mapping[str, Cell]]:
    """A row for each ground: how long a plan takes, and how many of the plans follow the command."""
    return [_row(name, FootstepPlanner(body, regions, FootstepParams()), plans) for name, regions in _grounds().items()]


def _row(name: str, planner: FootstepPlanner, plans: int) -> Mapping[str, Cell]:
    command, strides = Command(velocity_H=np.array([0.5, 0.0])), 16
    next(rehearse(planner, command))  # the first call loads the compiled kernels
    seconds: list[float] = []
    statuses: list[Status] = []
    while len(seconds) < plans:
        for took, options in islice(_timed(rehearse(planner, command)), strides):
            seconds.append(took)
            statuses.append(options.best.status)
    return {
        "ground": name,
        "regions": len(planner.regions),
        "plans": len(seconds),
        "median_ms": 1e3 * float(np.median(seconds)),
        "p99_ms": 1e3 * float(np.quantile(seconds, 0.99)),
        "follow_command": sum(status is Status.OK for status in statuses) / len(statuses),
    }


def _timed(plans: Iterator[FootstepOptions]) -> Iterator[tuple[float, FootstepOptions]]:
    while True:
        before = perf_counter()
        options = next(plans, None)
        if options is None:
            return
        yield perf_counter() - before, options


def _grounds() -> dict[str, list[ContactRegion]]:
    rng = np.random.default_rng(0)
    stones = [
        ContactRegion(
            p_W=np.array([0.9 + 0.38 * i + 0.19 * (side > 0), 0.14 * side, 0.0]) + rng.uniform(-0.04, 0.04, 3),
            R_WR=np.eye(3),
            half_extent=np.array([0.16, 0.12]),
        )
        for i in range(24)
        for side in (-1.0, 1.0)
    ]
    stairs = [_level(1.0 + 0.28 * i, 1.28 + 0.28 * i, 0.17 * (i + 1)) for i in range(8)]
    return {
        "flat": [_level(-100.0, 100.0, 0.0)],
        "gap of 0.4 m": [_level(-100.0, 1.2, 0.0), _level(1.6, 100.0, 0.0)],
        "gap of 2 m": [_level(-100.0, 1.2, 0.0), _level(3.2, 100.0, 0.0)],
        "stairs": [_level(-100.0, 1.0, 0.0), *stairs, _level(3.24, 100.0, 0.17 * 9)],
        "stepping stones": [_level(-100.0, 0.6, 0.0), *stones, _level(10.2, 100.0, 0.0)],
    }


def _level(x_min: float, x_max: float, z: float) -> ContactRegion:
    half_extent = np.array([0.5 * (x_max - x_min), 3.0])
    return ContactRegion(p_W=np.array([0.5 * (x_min + x_max), 0.0, z]), R_WR=np.eye(3), half_extent=half_extent)
