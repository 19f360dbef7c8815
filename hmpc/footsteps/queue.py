"""The queue of the most promising plans (Sec. 3.1). Compiled; horizontal vectors are complex numbers x + iy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.footsteps.compiled import allocating, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.footsteps.areas import ComplexArray
    from hmpc.types import Array

    IntArray = NDArray[np.int64]


class Queue(NamedTuple):
    """Plans in rows; the last row is the one being made."""

    foot: ComplexArray  # (n + 1, K) [m] footholds
    cop: ComplexArray  # (n + 1, K) [m] centres of pressure: the footholds, or nearby within the sole
    height: Array  # (n + 1, K) [m] of the foot
    region: IntArray  # (n + 1, K) index
    wanted: ComplexArray  # (n + 1, K) [m] where the pendulum would have had the foot
    moved: Array  # (n + 1, K) [m] how far the regions moved it from there, or from the nearest place within reach
    com: ComplexArray  # (n + 1, K + 1) [m]
    vel: ComplexArray  # (n + 1, K + 1) [m/s]
    duration: Array  # (n + 1, K) [s]
    cost: Array  # (n + 1, K) of each step
    leap: IntArray  # (n + 1,), phase that begins with a leap onto its foot; 0: none does
    size: IntArray  # (1,), how many of the n rows are in use


@allocating
def empty_queue(n: int, phases: int) -> Queue:
    return Queue(
        np.zeros((n + 1, phases), np.complex128),
        np.zeros((n + 1, phases), np.complex128),
        np.zeros((n + 1, phases)),
        np.zeros((n + 1, phases), np.int64),
        np.zeros((n + 1, phases), np.complex128),
        np.zeros((n + 1, phases)),
        np.zeros((n + 1, phases + 1), np.complex128),
        np.zeros((n + 1, phases + 1), np.complex128),
        np.zeros((n + 1, phases)),
        np.zeros((n + 1, phases)),
        np.zeros(n + 1, np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def copy_plan(source: Queue, i: int, target: Queue, j: int, phases: int) -> None:
    """Copy the first `phases` phases of plan i to row j."""
    target.com[j, 0], target.vel[j, 0] = source.com[i, 0], source.vel[i, 0]
    target.leap[j] = source.leap[i]
    for k in range(phases):
        target.foot[j, k] = source.foot[i, k]
        target.cop[j, k] = source.cop[i, k]
        target.height[j, k] = source.height[i, k]
        target.region[j, k] = source.region[i, k]
        target.wanted[j, k] = source.wanted[i, k]
        target.moved[j, k] = source.moved[i, k]
        target.com[j, k + 1] = source.com[i, k + 1]
        target.vel[j, k + 1] = source.vel[i, k + 1]
        target.duration[j, k] = source.duration[i, k]
        target.cost[j, k] = source.cost[i, k]


@kernel
def plan_cost(q: Queue, i: int, phases: int) -> float:
    total = 0.0
    for k in range(phases):
        total += q.cost[i, k]
    return total


@kernel
def insert(q: Queue, phases: int) -> None:
    """Put the plan in the last row into the queue, if it is among the best."""
    n, size = q.cop.shape[0] - 1, q.size[0]
    if size < n:
        copy_plan(q, n, q, size, phases)
        q.size[0] += 1
        return
    worst = size - 1
    for i in range(n):
        if plan_cost(q, i, phases) > plan_cost(q, worst, phases):
            worst = i
    if plan_cost(q, n, phases) < plan_cost(q, worst, phases):
        copy_plan(q, n, q, worst, phases)
