"""The path of a hand to a place on a rail: along the rail and above it, from another hold or from beside the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.smoothing import timed_quintic
from hmpc.geometry import rotation_error, rotation_exp
from hmpc.types import LimbTarget

if TYPE_CHECKING:
    from hmpc.params import ReachParams
    from hmpc.types import Array, LimbState


class Glide:
    """In the axes of the rail, each with a time of its own: on along it, up, then over it, then down onto it.

    The hand is above the rail before it is over it, and above its goal before it comes down, so that it closes around
    the rail from above. On towards the rail if that is late. (Straight up first, as in `Reach`, would lead a hand that
    hangs beside the body past its shoulder.)
    """

    def __init__(
        self,
        limb: LimbState,
        start: float,
        arrival: float,
        goal_W: Array,
        R_goal: Array,
        R_rail: Array,
        params: ReachParams,
    ):
        self._params = params
        self.start, self.arrival = start, arrival
        self._goal_W, self._normal_W = goal_W.copy(), R_rail[:, 2].copy()
        way_W = goal_W - limb.p_W
        self._along_W = (way_W @ R_rail[:, 0]) * R_rail[:, 0]
        self._across_W = (way_W @ R_rail[:, 1]) * R_rail[:, 1]
        self._below = float(way_W @ self._normal_W)  # [m] of the start under the goal, along the normal
        self._R_from, self._turn_W = limb.R_WL.copy(), rotation_error(R_goal, limb.R_WL)
        # From beside the rail, fingers that still hang down must come over it, too.
        beside = bool(np.linalg.norm(self._across_W) > params.glide_clearance)
        self._top = params.clearance if beside else params.glide_clearance  # [m] above the goal
        self._rise = 1.0 - params.glide_fall if beside else params.glide_rise

    def progress(self, t: float) -> float:
        """0 at the start, 1 on arrival, more when late."""
        return (t - self.start) / (self.arrival - self.start)

    def target(self, t: float) -> LimbTarget:
        """Where the pad should be at `t`."""
        params, duration, s = self._params, self.arrival - self.start, self.progress(t)
        moving = 1.0 - params.landing_share
        along, d_along, dd_along = timed_quintic(s / moving, moving * duration)
        turning = 1.0 - params.glide_fall
        turn, d_turn, _ = timed_quintic(s / turning, turning * duration)
        above = params.glide_over * self._rise  # until then it does not go across
        across, d_across, dd_across = timed_quintic((s - above) / (moving - above), (moving - above) * duration)
        up, d_up, dd_up = self._height(s, duration, t)
        return LimbTarget(
            p_W=self._goal_W + (along - 1.0) * self._along_W + (across - 1.0) * self._across_W + up * self._normal_W,
            R_WL=rotation_exp(turn * self._turn_W) @ self._R_from,
            vel_W=d_along * self._along_W + d_across * self._across_W + d_up * self._normal_W,
            acc_W=dd_along * self._along_W + dd_across * self._across_W + dd_up * self._normal_W,
            omega_W=d_turn * self._turn_W,
        )

    def _height(self, s: float, duration: float, t: float) -> tuple[float, float, float]:
        """Above the goal, along the normal [m], and its derivatives."""
        params = self._params
        if s >= 1.0:
            sink = min(params.landing_speed * (t - self.arrival), params.max_sink)
            return -sink, -params.landing_speed if sink < params.max_sink else 0.0, 0.0
        fall, top = params.glide_fall, self._top
        if s > 1.0 - fall:
            x, v, a = timed_quintic((1.0 - s) / fall, fall * duration)
            return top * x, -top * v, top * a
        x, v, a = timed_quintic(s / self._rise, self._rise * duration)
        height = top + self._below
        return height * x - self._below, height * v, height * a
