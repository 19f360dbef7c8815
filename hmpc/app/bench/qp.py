"""Time that every solver takes to share a wrench among contact points (Sec. 3.3, Eq. 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.forces.distribution import ForceDistributor
from hmpc.forces.solvers import NEWTON, available_solvers
from hmpc.params import ForceParams
from hmpc.types import ContactForces, ContactSet, Status

_WEIGHT = np.array([0.0, 0.0, 690.0, 0.0, 0.0, 0.0])  # [N, N m] a wrench that carries the character
_PUSH = np.array([60.0, 60.0, 100.0, 40.0, 40.0, 10.0])  # [N, N m] standard deviation of what is added to it
COM_W = np.array([0.0, 0.0, 0.9])  # [m]
_HALF_EXTENT = 0.15  # [m] of the square on the ground in which the contacts lie


def measure(quick: bool) -> Result:
    rows = solver_timings((4, 8, 16, 24), available_solvers(), repeats=50 if quick else 1000, seed=0)
    return {"one call of ForceDistributor.distribute": rows}


def solver_timings(
    contact_counts: Sequence[int], solvers: Sequence[str], repeats: int, seed: int
) -> Sequence[Mapping[str, Cell]]:
    """A row for each number of contacts and solver, over `repeats` random problems that are the same for all.

    Points on the ground around the COM, and a wrench that carries the weight and answers a push; many ask
    for more than the contacts can give. `off_by` is the largest difference of a net wrench from Newton's.
    """
    rows = []
    for count in contact_counts:
        problems = random_problems(count, repeats, seed)
        _, reference = _solve_all(NEWTON, problems)
        for solver in solvers:
            seconds, answers = _solve_all(solver, problems)
            difference = [a.residual_W - b.residual_W for a, b in zip(answers, reference, strict=True)]
            row: dict[str, Cell] = {
                "contacts": count,
                "solver": solver,
                "median_us": 1e6 * float(np.median(seconds)),
                "p99_us": 1e6 * float(np.quantile(seconds, 0.99)),
                "failed": sum(answer.status is not Status.OK for answer in answers),
                "off_by": float(np.abs(difference).max()),
            }
            rows.append(row)
    return rows


def random_problems(count: int, repeats: int, seed: int) -> list[tuple[ContactSet, np.ndarray]]:
    """Contact points and the wrench that they should give the body."""
    rng = np.random.default_rng(seed)
    points = [rng.uniform(-_HALF_EXTENT, _HALF_EXTENT, (count, 2)) for _ in range(repeats)]
    return [(_contacts(xy), _WEIGHT + _PUSH * rng.normal(size=6)) for xy in points]


def _contacts(xy: np.ndarray) -> ContactSet:
    n = len(xy)
    return ContactSet(
        limb=("foot",) * n,
        p_W=np.column_stack([xy, np.zeros(n)]),
        normal_W=np.tile([0.0, 0.0, 1.0], (n, 1)),
        mu=np.full(n, ForceParams().friction),
        bilateral=np.zeros(n, dtype=bool),
        max_force=np.full(n, np.inf),
    )


def _solve_all(
    solver: str, problems: Sequence[tuple[ContactSet, np.ndarray]]
) -> tuple[list[float], list[ContactForces]]:
    """How long each problem took [s], and its answer."""
    distributor = ForceDistributor(ForceParams(), solver)
    distributor.distribute(problems[0][0], COM_W, problems[0][1])  # the first call loads the compiled kernels
    seconds, answers = [], []
    for contacts, wrench_W in problems:
        before = perf_counter()
        answer = distributor.distribute(contacts, COM_W, wrench_W)
        seconds.append(perf_counter() - before)
        answers.append(answer)
    return seconds, answers
