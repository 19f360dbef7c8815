"""Where and when the swing foot should land, from where the body really goes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.params import FootholdParams
    from hmpc.types import Array


class StepBox(NamedTuple):
    """Where a foot can land relative to the other one, in the heading frame; the swing foot's side is +y."""

    low: Array  # (2,) [m]
    high: Array  # (2,) [m]


def step_boxes(foot_S: Array, apart: float, params: FootholdParams) -> list[StepBox]:
    """Where the foot that is at `foot_S` (2,) [m] now can go: to its own side, or across the other foot.

    On its own side the middles of the feet stay `apart` [m].
    A foot that is past the other one may cross in front of it, one that is still behind may cross behind it.
    """
    boxes = [StepBox(np.array([-params.backward, apart]), np.array([params.forward, params.outward]))]
    if foot_S[0] > params.passed:
        low = np.array([params.crossing_clear, -params.crossing])
        boxes.append(StepBox(low, np.array([params.forward, params.outward])))
    if foot_S[0] < -params.passed:
        high = np.array([-params.crossing_clear, params.outward])
        boxes.append(StepBox(np.array([-params.backward, -params.crossing]), high))
    return boxes


def beside_or_clear(wanted: Array, apart: float, params: FootholdParams) -> Array:
    """The foothold (2,) [m] nearest to the wanted one that is not on the other foot: beside it, or ahead or behind."""
    x, y = float(wanted[0]), float(wanted[1])
    to_the_side, along = apart - y, params.crossing_clear - abs(x)
    if to_the_side <= 0.0 or along <= 0.0:
        return wanted
    return np.array([x, apart] if to_the_side <= along else [math.copysign(params.crossing_clear, x), y])


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
    """
    landing = np.linspace(planned, min(earliest, planned), params.candidates)
    wanted = foothold_at(landing)
    boxes = step_boxes(foot_S, apart, params)
    reachable = [place(np.minimum(np.maximum(wanted, box.low), box.high)) for box in boxes]
    cost = np.empty((len(landing), len(boxes)))
    for k, found in enumerate(reachable):
        missed, way = wanted - found, found - foot_S
        too_far = np.maximum(np.hypot(way[:, 0], way[:, 1]) - params.foot_speed * (landing - t), 0.0)
        cost[:, k] = (
            params.reach_weight * (missed**2).sum(axis=1)
            + params.speed_weight * too_far**2
            + params.time_weight * (landing - planned) ** 2
        )
    time, box = np.unravel_index(np.argmin(cost), cost.shape)
    return float(landing[time]), reachable[box][time]
