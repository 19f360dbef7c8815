"""The walk to where a task begins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from hmpc.params import TaskParams
    from hmpc.types import Array

_NOWHERE = 1e-3  # [m] a way that is shorter has no direction


class Approach(NamedTuple):
    """How far it is to where a task begins, as the feet stand now."""

    forward: float  # [m]
    left: float  # [m]
    turn: float  # [rad] to the left
    near: float = math.inf  # [m] that is near enough to stop, where it has to be nearer than usual


def velocity_there(way: Approach, speed: float, near: float, params: TaskParams) -> tuple[Array, float] | None:
    """The velocity (2,) [m/s] and yaw rate [rad/s] that lead there; None within `near` [m], and slow.

    A walk answers to a new velocity after two steps: what it goes on at its `speed` [m/s] until then is taken off the
    way, or it would overstep again and again.
    """
    if (
        math.hypot(way.forward, way.left) < near
        and abs(way.turn) < params.arrival_turn
        and abs(speed) < params.arrival_speed
    ):
        return None
    left = np.array([way.forward - params.approach_lag * speed, way.left])
    distance = math.hypot(*left)
    pace = min(max(params.approach_gain * distance, params.creep), params.approach_speed)
    turn = min(max(way.turn, -params.approach_turn), params.approach_turn)
    return pace / max(distance, _NOWHERE) * left, turn
