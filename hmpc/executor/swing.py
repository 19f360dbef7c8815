"""The path of a foot through the air: minimum jerk towards a foothold that may still move."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.executor.smoothing import Motion, fading, quintic
from hmpc.geometry import cross, heading, rotation_zyx, wrap_angle
from hmpc.types import LimbTarget

if TYPE_CHECKING:
    from hmpc.executor.clearance import SwingShape
    from hmpc.params import SwingParams
    from hmpc.types import Array, LimbState


class Swing:
    """One step of one foot.

    Horizontally the rest of the path is, at every tick, the quintic from where the target is now
    to rest at the foothold at touch-down: a foothold that moves bends the path without a jump. A foot that `brakes`
    does so until touch-down; one that does not hangs in the air, its leg stretched, until the body has come along.
    Vertically the foot rises to the clearance, comes down slowly, and goes on sinking if the
    ground is late. The shape says when it does what; a foot that departs later goes back to
    `back_W` [m] first. The sole lands flat on `normal_W`, its heel or toes a little lower by
    `landing_pitch` [rad]; with pointed toes its middle is then `toe_height` [m] above the ground.
    A heel that is on its way up as the foot leaves goes on with that speed.
    """

    def __init__(
        self,
        foot: LimbState,
        back_W: Array,
        t: float,
        shape: SwingShape,
        normal_W: Array,
        landing_pitch: float,
        toe_height: float,
        params: SwingParams,
        *,
        brakes: bool = False,
    ):
        self._params, self._shape, self._normal_W = params, shape, normal_W
        self._landing_pitch, self._toe_height = landing_pitch, toe_height
        self._braking = params.braking if brakes else 0.0
        self.start = t
        self._t = t
        self._back_W, self._height = back_W, float(foot.p_W[2])
        self._xy = Motion(foot.p_W[:2].copy(), foot.vel_W[:2].copy(), np.zeros(2))
        self._yaw0 = heading(foot.R_WL)
        self._pitch0, self._roll0 = pitch_and_roll(foot.R_WL)
        self._climb = max(float(foot.vel_W[2]), 0.0)
        self._heel_rate = max(float(foot.omega_W @ foot.R_WL[:, 1]), 0.0)

    def target(self, t: float, touch_down: float, foothold_W: Array, yaw: float) -> LimbTarget:
        """Where the foot should be at `t` to stand at `foothold_W`, facing `yaw`, at `touch_down`."""
        self._advance_horizontally(t, touch_down, foothold_W[:2])
        z, vz, az = self._vertical(t, touch_down, float(foothold_W[2]) + self._toe_height)
        duration = self._shape.turned * (touch_down - self.start)
        s = (t - self.start) / duration
        turn, turn_rate, _ = quintic(s)
        slope_pitch, slope_roll = surface_angles(self._normal_W, yaw)
        yaw_change = wrap_angle(yaw - self._yaw0)
        pitch_change, roll_change = slope_pitch + self._landing_pitch - self._pitch0, slope_roll - self._roll0
        facing, pitch = self._yaw0 + turn * yaw_change, self._pitch0 + turn * pitch_change
        rate = turn_rate / duration if s < 1.0 else 0.0
        yaw_rate, pitch_rate, roll_rate = rate * yaw_change, rate * pitch_change, rate * roll_change
        roll_out = self._params.roll_out * (touch_down - self.start)
        further, slower, _ = fading((t - self.start) / roll_out)
        pitch, pitch_rate = pitch + self._heel_rate * roll_out * further, pitch_rate + self._heel_rate * slower
        c, s_ = math.cos(facing), math.sin(facing)
        x, v, a = (part.tolist() for part in self._xy)
        return LimbTarget(
            p_W=np.array([*x, z]),
            R_WL=rotation_zyx(facing, pitch, self._roll0 + turn * roll_change),
            vel_W=np.array([*v, vz]),
            acc_W=np.array([*a, az]),
            omega_W=np.array([c * roll_rate - s_ * pitch_rate, s_ * roll_rate + c * pitch_rate, yaw_rate]),
        )

    def _advance_horizontally(self, t: float, touch_down: float, foothold: Array) -> None:
        dt, self._t = t - self._t, t
        duration, before = touch_down - self.start, t - dt
        depart = self.start + self._shape.depart * duration
        arrive = self.start + self._shape.arrive * duration
        goal, end = foothold, arrive if arrive - before > self._params.settle else touch_down
        if before < depart - dt:
            goal, end = self._back_W[:2], self.start + self._params.halt * duration
        left = end - before
        if left <= max(dt, 1e-6):
            self._xy = Motion(self._xy.x, np.zeros(2), np.zeros(2))
            return
        self._xy = Motion(*minimum_jerk(*self._xy, goal, left, dt, self._params.max_acceleration, self._braking))

    def _vertical(self, t: float, touch_down: float, ground: float) -> tuple[float, float, float]:
        params = self._params
        duration = touch_down - self.start
        top = max(self._shape.top, ground + params.clearance)
        apex, descend = params.apex * duration, self._shape.descend * duration
        elapsed = t - self.start
        if elapsed < apex:
            return _ramp(self._height, self._climb, top, elapsed, apex)
        if elapsed < descend:
            return top, 0.0, 0.0
        if elapsed < duration:
            # A cubic that meets the ground with the landing speed.
            left, fall = duration - elapsed, duration - descend
            return _descent(top - ground, fall, params.landing_speed, left, ground)
        sink = min(params.landing_speed * (elapsed - duration), params.max_sink)
        return ground - sink, -params.landing_speed if sink < params.max_sink else 0.0, 0.0


class HeelRise:
    """A loaded foot that rolls over its front edge before it leaves the ground.

    The front edge stays where it is; the heel goes up to `angle` [rad], where it is still on its way with `speed` times
    the mean rate so far: a foot that stopped there would have to be speeded up again in the air.
    """

    def __init__(self, foot: LimbState, half_length: float, angle: float, speed: float, start: float, end: float):
        self._R_start = foot.R_WL.copy()
        self._center_from_edge = np.array([-half_length, 0.0, 0.0])
        self.stood_W = foot.p_W.copy()
        self._edge_W = foot.p_W - foot.R_WL @ self._center_from_edge
        self._angle, self._speed, self._start, self._duration = angle, speed, start, max(end - start, 1e-3)

    def target(self, t: float) -> LimbTarget:
        """Pose of the sole's middle at `t`; the load has the say at first, the path at the end."""
        progress = (t - self._start) / self._duration
        (s, ds, dds), (f, df, ddf) = quintic(progress), fading(1.0 - progress)
        angle = self._angle * (s - self._speed * f)
        rate = self._angle * (ds + self._speed * df) / self._duration
        acceleration = self._angle * (dds - self._speed * ddf) / self._duration**2
        R = self._R_start @ rotation_zyx(0.0, angle, 0.0)
        axis = R[:, 1]
        arm = R @ self._center_from_edge
        return LimbTarget(
            p_W=self._edge_W + arm,
            R_WL=R,
            vel_W=cross(rate * axis, arm),
            acc_W=cross(acceleration * axis, arm) - rate**2 * arm,
            omega_W=rate * axis,
            authority=min(progress, 1.0),
        )


@njit(cache=True)
def minimum_jerk(
    x: Array, v: Array, a: Array, goal: Array, left: float, dt: float, limit: float, braking: float = 0.0
) -> tuple[Array, Array, Array]:
    """State after `dt` on the quintic from (x, v, a) to rest at `goal` in `left` seconds; |a| up to `limit`.

    At its end the acceleration is zero or, with `braking` 1, the jerk; in between, a mixture of both.
    """
    x1, v1, a1 = np.empty_like(x), np.empty_like(x), np.empty_like(x)
    for i in range(len(x)):
        e = goal[i] - x[i] - left * (v[i] + 0.5 * left * a[i])
        ev, ea = -(v[i] + left * a[i]), -a[i]
        c3 = 10.0 * e / left**3 - 4.0 * ev / left**2 + 0.5 * ea / left
        c4 = -15.0 * e / left**4 + 7.0 * ev / left**3 - ea / left**2
        c5 = 6.0 * e / left**5 - 3.0 * ev / left**4 + 0.5 * ea / left**3
        c3 += braking * (20.0 / 3.0 * e / left**3 - 2.0 * ev / left**2 - c3)
        c4 += braking * (-25.0 / 3.0 * e / left**4 + 3.0 * ev / left**3 - c4)
        c5 += braking * (8.0 / 3.0 * e / left**5 - ev / left**4 - c5)
        x1[i] = x[i] + dt * (v[i] + dt * (0.5 * a[i] + dt * (c3 + dt * (c4 + dt * c5))))
        v1[i] = v[i] + dt * (a[i] + dt * (3.0 * c3 + dt * (4.0 * c4 + dt * 5.0 * c5)))
        a1[i] = min(max(a[i] + dt * (6.0 * c3 + dt * (12.0 * c4 + dt * 20.0 * c5)), -limit), limit)
    return x1, v1, a1


def _ramp(start: float, speed: float, end: float, t: float, duration: float) -> tuple[float, float, float]:
    """From `start` with a speed to rest at `end`."""
    height, run = end - start, speed * duration
    (s, ds, dds), (f, df, ddf) = quintic(t / duration), fading(t / duration)
    return start + height * s + run * f, (height * ds + run * df) / duration, (height * dds + run * ddf) / duration**2


def _descent(height: float, duration: float, speed: float, left: float, ground: float) -> tuple[float, float, float]:
    """Cubic from `height` at rest down to the ground at `speed`, with `left` of `duration` to go."""
    # z(u) = speed u + b u^2 + c u^3 over the time to go u, with z'(duration) = 0 and z(duration) = height.
    b = (3.0 * height - 2.0 * speed * duration) / duration**2
    c = (speed * duration - 2.0 * height) / duration**3
    z = left * (speed + left * (b + left * c))
    return ground + z, -(speed + left * (2.0 * b + 3.0 * c * left)), 2.0 * b + 6.0 * c * left


def pitch_and_roll(R: Array) -> tuple[float, float]:
    """Of R = Rz(yaw) Ry(pitch) Rx(roll): heel up and left side up are positive [rad]."""
    return math.asin(min(max(-R[2, 0], -1.0), 1.0)), math.atan2(R[2, 1], R[2, 2])


def surface_angles(normal_W: Array, yaw: float) -> tuple[float, float]:
    """Pitch and roll [rad] of a sole that faces `yaw` and lies flat on a surface."""
    c, s = math.cos(yaw), math.sin(yaw)
    x, y, z = normal_W.tolist()
    pitch = math.atan2(c * x + s * y, z)
    return pitch, math.atan2(s * x - c * y, math.hypot(c * x + s * y, z))
