"""Where and when the swing foot should land, from where the body really goes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.params import FootholdParams
    from hmpc.types import Array


_PROBE = 0.01  # [s] for a finite difference


class StepBox(NamedTuple):
    """Where a foot can land relative to the other one, in the heading frame; the swing foot's side is +y."""

    low: Array  # (2,) [m]
    high: Array  # (2,) [m]
    past: bool  # the foot has to get past the other one first, on its own side


def step_boxes(foot_S: Array, apart: float, params: FootholdParams) -> tuple[StepBox, StepBox, StepBox]:
    """Where the foot that is at `foot_S` (2,) [m] now can go: to its own side, or across the other one.

    On its own side the middles of the feet stay `apart` [m]; it may cross in front or behind.
    """
    low, high = np.array([-params.backward, -params.crossing]), np.array([params.forward, params.outward])
    return (
        StepBox(np.array([low[0], apart]), high, past=False),
        StepBox(np.array([params.crossing_clear, low[1]]), high, past=foot_S[0] < params.passed),
        StepBox(low, np.array([-params.crossing_clear, high[1]]), past=foot_S[0] > -params.passed),
    )


def beside_or_clear(x: float, y: float, apart: float, params: FootholdParams) -> Array:
    """The foothold (2,) [m] nearest to (x, y) that is not on the other foot: beside it, or ahead or behind."""
    to_the_side, along = apart - y, params.crossing_clear - abs(x)
    if to_the_side > 0.0 and along > 0.0:
        x, y = (x, apart) if to_the_side <= along else (math.copysign(params.crossing_clear, x), y)
    return np.array([x, y])


def time_for_place(
    landing: float, foothold_at: Callable[[Array], Array], place: Callable[[Array], Array], params: FootholdParams
) -> float:
    """Touch-down time [s] at which a foot belongs, forward, where its region lets it go; from `landing`, by Newton.

    `foothold_at(T)` and `place` are those of `choose_landing`. Where the place is given, time is what is left to
    choose: the capture point runs away from the foot that stands, so a body that is behind its plan lands later.
    """
    wanted = foothold_at(np.array([landing, landing + _PROBE]))
    rate = float(wanted[1, 0] - wanted[0, 0]) / _PROBE
    return landing if rate < params.slowest_capture else landing - float((wanted - place(wanted))[0, 0]) / rate


def choose_landing(
    t: float,
    planned: float,
    earliest: float,
    foothold_at: Callable[[Array], Array],
    foot_S: Array,
    place: Callable[[Array], Array],
    apart: float,
    params: FootholdParams,
) -> tuple[float, Array]:
    """Touch-down time [s] and foothold (2,) [m] in the frame of the stance foot (heading axes, +y the swing side).

    `foothold_at` tells for times T (C,) where the foot should be (C, 2) if it lands then: the capture point, minus
    the offset that the gait wants between the two. It runs away exponentially, so when it leaves the places where the
    foot can go (`place` finds the nearest ones of points (C, 2)) the foot lands earlier; of the times that are left
    for it, the one with the least cost

        reach_weight |out of reach|^2 + speed_weight |too far to get there|^2 + time_weight |T - planned|^2.

    A foot that is to cross goes past the other one on its own side before.
    """
    landing = np.linspace(planned, min(earliest, planned), params.candidates)
    wanted = foothold_at(landing)
    boxes = step_boxes(foot_S, apart, params)
    reachable = [place(np.minimum(np.maximum(wanted, box.low), box.high)) for box in boxes]
    cost = np.empty((len(landing), len(boxes)))
    beside = np.array([0.0, apart])
    for k, (found, box) in enumerate(zip(reachable, boxes, strict=True)):
        missed = wanted - found
        way = math.dist(foot_S, beside) + _length(found - beside) if box.past else _length(found - foot_S)
        too_far = np.maximum(way - params.foot_speed * (landing - t), 0.0)
        cost[:, k] = (
            params.reach_weight * (missed**2).sum(axis=1)
            + params.speed_weight * too_far**2
            + params.time_weight * (landing - planned) ** 2
        )
    time, chosen = np.unravel_index(np.argmin(cost), cost.shape)
    x, y = reachable[chosen][time]
    return float(landing[time]), np.array([x, max(y, apart) if boxes[chosen].past else y])


def _length(vectors: Array) -> Array:
    """(C,) of vectors (C, 2)."""
    return np.hypot(vectors[:, 0], vectors[:, 1])
