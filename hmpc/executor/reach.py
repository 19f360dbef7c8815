"""The path of a hand or foot through the air to a place where it will carry load, at any height."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.smoothing import timed_quintic
from hmpc.geometry import rotation_error, rotation_exp
from hmpc.types import LimbTarget

if TYPE_CHECKING:
    from hmpc.params import ReachParams
    from hmpc.types import Array, LimbState

_NOWHERE = np.zeros(3)


class Reach:
    """First up, then over, then down onto the surface from above; slowly on if the surface is late.

    Sideways the pad is at rest until it has left where it was, and again before it arrives, so that
    it neither drags along an edge nor runs into one. Where the way leads far up it waits longer, and a foot goes
    a detour back and `outward_W` (3,): a knee that comes forward below the hip would hit the edge. It is turned as it
    will land before it goes over, and its knee with it: past the arm instead of into it.
    """

    def __init__(
        self,
        limb: LimbState,
        start: float,
        arrival: float,
        goal_W: Array,
        R_goal: Array,
        params: ReachParams,
        outward_W: Array = _NOWHERE,
    ):
        self._params = params
        self.start, self.arrival = start, arrival
        self._from_W, self._goal_W = limb.p_W.copy(), np.array(goal_W)
        self._R_from = limb.R_WL.copy()
        self._turn_W = rotation_error(R_goal, limb.R_WL)
        self._top = max(limb.p_W[2], goal_W[2]) + params.clearance
        rise = max(float(goal_W[2] - limb.p_W[2]), 0.0)
        goes_round = float(np.linalg.norm(outward_W))
        self._lift_share = params.lift_share + params.lift_share_rise * rise * goes_round
        way = self._goal_W - self._from_W
        back_W = -way / max(float(np.linalg.norm(way[:2])), params.clearance)
        self._detour_W = rise * (params.detour * outward_W + params.retreat * goes_round * back_W)

    def progress(self, t: float) -> float:
        """0 at the start, 1 on arrival, more when late."""
        return (t - self.start) / (self.arrival - self.start)

    def target(self, t: float) -> LimbTarget:
        """Where the pad should be at `t`."""
        params, duration, s = self._params, self.arrival - self.start, self.progress(t)
        moving = 1.0 - self._lift_share - params.landing_share
        across, d_across, dd_across = timed_quintic((s - self._lift_share) / moving, moving * duration)
        aside, d_aside, dd_aside = self._aside(s, duration)
        turn, d_turn, _ = timed_quintic(s / params.turned, params.turned * duration)
        z, vz, az = self._vertical(s, duration, t)
        way = self._goal_W - self._from_W
        return LimbTarget(
            p_W=np.array([*(self._from_W + across * way + aside * self._detour_W)[:2], z]),
            R_WL=rotation_exp(turn * self._turn_W) @ self._R_from,
            vel_W=np.array([*(d_across * way + d_aside * self._detour_W)[:2], vz]),
            acc_W=np.array([*(dd_across * way + dd_aside * self._detour_W)[:2], az]),
            omega_W=d_turn * self._turn_W,
        )

    def _aside(self, s: float, duration: float) -> tuple[float, float, float]:
        """Of the detour: out while the pad goes up, back while it goes over."""
        share = self._lift_share
        if s < share:
            return timed_quintic(s / share, share * duration)
        x, v, a = timed_quintic((s - share) / share, share * duration)
        return 1.0 - x, -v, -a

    def _vertical(self, s: float, duration: float, t: float) -> tuple[float, float, float]:
        params, apex = self._params, 0.5
        if s >= 1.0:
            sink = min(params.landing_speed * (t - self.arrival), params.max_sink)
            return self._goal_W[2] - sink, -params.landing_speed if sink < params.max_sink else 0.0, 0.0
        if s < apex:
            z0, z1, u = self._from_W[2], self._top, s / apex
        else:
            z0, z1, u = self._top, self._goal_W[2], (s - apex) / (1.0 - apex)
        x, v, a = timed_quintic(u, apex * duration)
        return z0 + (z1 - z0) * x, (z1 - z0) * v, (z1 - z0) * a
