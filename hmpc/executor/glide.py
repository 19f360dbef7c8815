"""The path of a hand from one place on a rail to the next: along the rail, a little above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.executor.smoothing import timed_quintic
from hmpc.geometry import rotation_error, rotation_exp
from hmpc.types import LimbTarget

if TYPE_CHECKING:
    from hmpc.params import ReachParams
    from hmpc.types import Array, LimbState


class Glide:
    """Straight to the goal, lifted off the rail along its normal in between; on towards the rail if that is late.

    The hand is above its goal before it comes down, so that it closes around the rail from above.
    """

    def __init__(
        self, limb: LimbState, start: float, arrival: float, goal_W: Array, R_goal: Array, params: ReachParams
    ):
        self._params = params
        self.start, self.arrival = start, arrival
        self._from_W, self._way_W, self._normal_W = limb.p_W.copy(), goal_W - limb.p_W, R_goal[:, 2].copy()
        self._R_from, self._turn_W = limb.R_WL.copy(), rotation_error(R_goal, limb.R_WL)

    def progress(self, t: float) -> float:
        """0 at the start, 1 on arrival, more when late."""
        return (t - self.start) / (self.arrival - self.start)

    def target(self, t: float) -> LimbTarget:
        """Where the pad should be at `t`."""
        params, duration, s = self._params, self.arrival - self.start, self.progress(t)
        moving = 1.0 - params.landing_share
        along, d_along, dd_along = timed_quintic(s / moving, moving * duration)
        turn, d_turn, _ = timed_quintic(s / moving, moving * duration)
        up, d_up, dd_up = self._height(s, duration, t)
        return LimbTarget(
            p_W=self._from_W + along * self._way_W + up * self._normal_W,
            R_WL=rotation_exp(turn * self._turn_W) @ self._R_from,
            vel_W=d_along * self._way_W + d_up * self._normal_W,
            acc_W=dd_along * self._way_W + dd_up * self._normal_W,
            omega_W=d_turn * self._turn_W,
        )

    def _height(self, s: float, duration: float, t: float) -> tuple[float, float, float]:
        """Above the straight line, along the normal [m]."""
        params = self._params
        if s >= 1.0:
            sink = min(params.landing_speed * (t - self.arrival), params.max_sink)
            return -sink, -params.landing_speed if sink < params.max_sink else 0.0, 0.0
        rise, fall = params.glide_rise, params.glide_fall
        x, v, a = timed_quintic(s / rise, rise * duration)
        if s > 1.0 - fall:
            x, v, a = timed_quintic((1.0 - s) / fall, fall * duration)
            v = -v
        height = params.glide_clearance
        return height * x, height * v, height * a
