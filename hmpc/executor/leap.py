"""A step with a flight in it: push off with the stance foot, fly, and land on the other one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.smoothing import Motion, quintic
from hmpc.executor.swing import minimum_jerk, pitch_and_roll
from hmpc.geometry import rotation_z, rotation_zyx
from hmpc.types import LimbTarget

if TYPE_CHECKING:
    from hmpc.params import ExecutorParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, BodyModel, FrbState, LimbState, RobotState

_SOONEST = 1e-3  # [s] to touch-down, below which a foot just sinks


class Leap:
    """Targets of body and feet from when the trailing foot has left the ground until it lands, ahead of the other."""

    def __init__(
        self,
        robot: RobotModel,
        body: BodyModel,
        params: ExecutorParams,
        state: RobotState,
        limbs: tuple[str, str],
        take_off: float,
        heading: float,
    ):
        """`limbs`: the foot that pushes off and the one that lands; it takes off at `take_off` [s]."""
        self._robot, self._params, self._heading = robot, params, heading
        self._pushes, self._lands = limbs
        self._reach = params.leap.landing_reach * body.limb(self._lands).reach
        self._longest = params.leap.flight_reach * body.limb(self._lands).reach
        self._start, self.take_off = state.t, take_off
        self._t = state.t
        self._gravity_W = np.array([0.0, 0.0, -params.gravity])
        self._tuck: _Tuck | None = None
        self._descent: Motion | None = None

    def is_flight(self, t: float) -> bool:
        return t >= self.take_off

    def leaning(self, body: FrbState, t: float) -> FrbState:
        """The body leans forward as it takes off, so that the thigh behind it can go on pushing."""
        duration = self._params.leap.lean_share * (self.take_off - self._start)
        angle = self._params.leap.take_off_lean * quintic((t - self._start) / duration)[0]
        return replace(body, R_WB=body.R_WB @ rotation_zyx(0.0, angle, 0.0))

    def touch_down(self, state: RobotState, foothold_W: Array, planned: float) -> float:
        """[s] when the hip, in free fall from now on, comes within the leg's reach of the foothold."""
        ahead = np.linspace(0.0, self._params.leap.longest_flight, self._params.leap.flight_samples)
        fall_W = ahead[:, None] * state.body.vel_W + 0.5 * ahead[:, None] ** 2 * self._gravity_W
        away = np.linalg.norm(self._robot.limb_root(self._lands) + fall_W - foothold_W, axis=1)
        within = np.flatnonzero(away < self._reach)
        return state.t + float(ahead[within[0]]) if len(within) else planned

    def feet(
        self, state: RobotState, landing: LimbTarget, foothold_W: Array, touch_down: float
    ) -> dict[str, LimbTarget]:
        """Both feet in flight; `landing` is the target of the one that lands as in a step: it gives the orientation."""
        dt, self._t = (state.t - self._t if self._descent else 0.0), state.t
        hip_W = self._robot.limb_root(self._pushes)
        if self._tuck is None or self._descent is None:
            foot = state.limbs[self._lands]
            self._descent = Motion(foot.p_W, foot.vel_W, np.zeros(3))
            foot, behind_W = state.limbs[self._pushes], rotation_z(self._heading) @ self._params.leap.tuck
            self._tuck = _Tuck(foot, hip_W, behind_W, self._heading, state.t, self._params.leap.tuck_time)
        self._descent = self._come_down(self._descent, foothold_W, touch_down - state.t + dt, dt)
        p, v, a = self._within_reach(self._descent, state)
        return {
            self._lands: replace(landing, p_W=p, vel_W=v, acc_W=a),
            self._pushes: self._tuck.target(state.t, hip_W, state.body.vel_W, self._gravity_W),
        }

    def _within_reach(self, foot: Motion, state: RobotState) -> Motion:
        """The foot, or the nearest place that a bent leg reaches: a straight one would jolt the body, not catch it."""
        hip_W, vel_W = self._robot.limb_root(self._lands), state.body.vel_W
        away = float(np.linalg.norm(foot.x - hip_W))
        if away <= self._longest:
            return foot
        along, share = (foot.x - hip_W) / away, self._longest / away
        across_W = foot.v - vel_W
        across_W -= (across_W @ along) * along
        return Motion(hip_W + self._longest * along, vel_W + share * across_W, self._gravity_W)

    def _come_down(self, foot: Motion, foothold_W: Array, left: float, dt: float) -> Motion:
        """The foot after `dt`, on its way to touch the foothold at the landing speed in `left` seconds.

        Seen by one who sinks at that speed, it comes to rest there.
        """
        sink_W = np.array([0.0, 0.0, -self._params.leap.landing_speed])
        if left < max(dt, _SOONEST):
            return Motion(foot.x + dt * sink_W, sink_W, np.zeros(3))
        limit = self._params.swing.max_acceleration
        x, v, a = minimum_jerk(foot.x + left * sink_W, foot.v - sink_W, foot.a, foothold_W, left, dt, limit)
        return Motion(x - (left - dt) * sink_W, v + sink_W, a)


class Landing:
    """After a flight: the body comes upright from the lean that it landed with, not at once."""

    def __init__(self, state: RobotState, params: ExecutorParams):
        self._start, self._duration = state.t, params.leap.upright_time
        self._lean, _ = pitch_and_roll(state.body.R_WB)

    def leaning(self, body: FrbState, t: float) -> FrbState:
        left = 1.0 - quintic((t - self._start) / self._duration)[0]
        return replace(body, R_WB=body.R_WB @ rotation_zyx(0.0, left * self._lean, 0.0))


class _Tuck:
    """A foot that has pushed off: drawn up behind the body while that flies, and level, so that it clears both edges.

    Not further ahead: a leg that swung forward in the air would turn the trunk.
    """

    def __init__(self, foot: LimbState, hip_W: Array, behind_W: Array, yaw: float, start: float, duration: float):
        """From where the foot is to `behind_W` [m] from the hip (sideways it stays), facing `yaw` [rad]."""
        self._yaw, self._start, self._duration = yaw, start, duration
        self._pitch, _ = pitch_and_roll(foot.R_WL)
        self._from_hip_W = foot.p_W - hip_W
        ahead_W = rotation_z(yaw)[:, 0]
        forward = float((behind_W - self._from_hip_W) @ ahead_W)
        self._move_W = forward * ahead_W + np.array([0.0, 0.0, behind_W[2] - self._from_hip_W[2]])

    def target(self, t: float, hip_W: Array, vel_W: Array, acc_W: Array) -> LimbTarget:
        s, rate, acceleration = quintic((t - self._start) / self._duration)
        rate, acceleration = rate / self._duration, acceleration / self._duration**2
        R_WL = rotation_zyx(self._yaw, (1.0 - s) * self._pitch, 0.0)
        return LimbTarget(
            p_W=hip_W + self._from_hip_W + s * self._move_W,
            R_WL=R_WL,
            vel_W=vel_W + rate * self._move_W,
            acc_W=acc_W + acceleration * self._move_W,
            omega_W=-rate * self._pitch * R_WL[:, 1],
        )
