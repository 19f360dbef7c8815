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


def choose_landing(
    t: float,
    planned: float,
    earliest: float,
    foothold_at: Callable[[float], Array],
    foot_S: Array,
    place: Callable[[Array], Array],
    apart: float,
    params: FootholdParams,
) -> tuple[float, Array]:
    """Touch-down time [s] and foothold (2,) [m] in the frame of the stance foot (heading axes, +y the swing side).

    `foothold_at(T)` is where the foot should be if it lands at T: the capture point then, minus the offset that
    the gait wants between the two. It runs away exponentially, so when it leaves the places where the foot can go
    (`place` finds the nearest one) the foot lands earlier; of the times that are left for it, the one with the least
    cost

        reach_weight |out of reach|^2 + speed_weight |too far to get there|^2 + time_weight |T - planned|^2.
    """
    best = (math.inf, planned, np.zeros(2))
    for landing in np.linspace(planned, min(earliest, planned), params.candidates):
        wanted = foothold_at(float(landing))
        for box in step_boxes(foot_S, apart, params):
            reachable = place(np.clip(wanted, box.low, box.high))
            missed = float(np.linalg.norm(wanted - reachable))
            too_far = max(float(np.linalg.norm(reachable - foot_S)) - params.foot_speed * (landing - t), 0.0)
            cost = (
                params.reach_weight * missed**2
                + params.speed_weight * too_far**2
                + params.time_weight * (landing - planned) ** 2
            )
            if cost < best[0]:
                best = (cost, float(landing), reachable)
    return best[1], best[2]
