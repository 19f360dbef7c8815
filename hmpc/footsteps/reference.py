"""The motion that a footstep plan means, in closed form, and the same as a plan of the floating rigid body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hmpc.errors import InputError
from hmpc.footsteps.heights import cubic
from hmpc.footsteps.lipm import cop_at, leap_map, phase_map, propagate
from hmpc.types import ContactPhase, FrbPlan

if TYPE_CHECKING:
    from hmpc.types import Array, BodyModel, FootstepPlan

_INSTANT = 1e-9  # [s] a phase may have just ended
NO_LEAP = -1  # in place of the number of a phase


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class PendulumMotion:
    """The pendulum at one time, shapes (3,), or at each of T times, shapes (T, 3)."""

    com_W: Array  # [m]
    vel_W: Array  # [m/s]
    acc_W: Array  # [m/s^2]
    cop_W: Array  # [m]


class FootstepReference:
    """COM, COP and heading of a footstep plan at any time within it (at its ends outside of it).

    Horizontally the COM follows the pendulum, vertically a cubic from one boundary of the phases to the next and the
    vault over the leg that stands. A leap has cubics to its lift-off and touch-down instead (the second: free fall).
    """

    def __init__(self, plan: FootstepPlan) -> None:
        self.plan = plan
        self._cop_before = np.vstack((plan.cop_start_W, plan.cop_W[:-1]))
        self._yaw_t, self._yaw, self._yaw_rate = _heading_knots(plan)
        self._z_t, self._z, self._vz = _height_knots(plan)

    def at(self, t: float) -> PendulumMotion:
        """The motion at the time `t` [s]."""
        plan = self.plan
        t = min(max(t, plan.t_start[0]), plan.t_end[-1])
        return self._in_phase(min(int(np.searchsorted(plan.t_end, t, side="right")), len(plan.t_end) - 1), t)

    def sample(self, t: Array) -> PendulumMotion:
        """The motion at the ascending times `t` (T,) [s]."""
        plan = self.plan
        t = np.clip(t, plan.t_start[0], plan.t_end[-1])
        bounds = np.searchsorted(t, plan.t_end[:-1], side="left")
        parts = [self._in_phase(k, times[:, None]) for k, times in enumerate(np.split(t, bounds)) if len(times)]
        return PendulumMotion(
            com_W=np.concatenate([part.com_W for part in parts]),
            vel_W=np.concatenate([part.vel_W for part in parts]),
            acc_W=np.concatenate([part.acc_W for part in parts]),
            cop_W=np.concatenate([part.cop_W for part in parts]),
        )

    def heading(self, t: Array | float) -> tuple[Array, Array]:
        """Yaw [rad] and yaw rate [rad/s] of the body: smooth, and that of each foot in the middle of its stance."""
        t = np.asarray(t, dtype=np.float64)
        k = np.clip(np.searchsorted(self._yaw_t, t, side="right") - 1, 0, len(self._yaw_t) - 2)
        inside = np.clip(t, self._yaw_t[0], self._yaw_t[-1])
        yaw, rate, _ = cubic(
            inside - self._yaw_t[k],
            self._yaw_t[k + 1] - self._yaw_t[k],
            (self._yaw[k], self._yaw_rate[k]),
            (self._yaw[k + 1], self._yaw_rate[k + 1]),
        )
        return yaw + rate * (t - inside), rate

    def _in_phase(self, k: int, t: Array | float) -> PendulumMotion:
        """The motion in phase k, for a time or a column of times."""
        plan = self.plan
        s, double_support = t - plan.t_start[k], float(plan.double_support[k])
        c, v, p0, p1 = plan.com_W[k], plan.com_vel_W[k], self._cop_before[k], plan.cop_W[k]
        if plan.leap is not None and plan.leap.step == k:
            flight = plan.leap.touch_down - plan.leap.lift_off
            com, vel = propagate(leap_map(plan.omega, s, double_support, flight), c, v, p0, p1)
            cop = np.where(t < plan.leap.lift_off, p0, p1) + 0.0 * com
            flies = (plan.leap.lift_off <= t) & (t < plan.leap.touch_down)
            acc = np.where(flies, 0.0, plan.omega**2 * (com - cop))
        else:
            com, vel = propagate(phase_map(plan.omega, s, double_support), c, v, p0, p1)
            cop = cop_at(s, double_support, p0, p1)
            acc = plan.omega**2 * (com - cop)
        com[..., 2:], vel[..., 2:], acc[..., 2:] = self._vertical(t)
        return PendulumMotion(com_W=com, vel_W=vel, acc_W=acc, cop_W=cop)

    def _vertical(self, t: Array | float) -> tuple[Array, Array, Array]:
        """Height, its rate and acceleration of the COM at one or many times."""
        plan, z_t, z, vz = self.plan, self._z_t, self._z, self._vz
        i = np.minimum(np.searchsorted(z_t[1:], t, side="right"), len(z_t) - 2)
        part = np.maximum(z_t[i + 1] - z_t[i], _INSTANT)
        height, rate, acc = cubic(t - z_t[i], part, (z[i], vz[i]), (z[i + 1], vz[i + 1]))
        k = np.minimum(np.searchsorted(plan.t_end, t, side="right"), len(plan.t_end) - 1)
        total, vault = np.maximum(plan.t_end[k] - plan.t_start[k], _INSTANT), plan.vault[k]
        rise, rise_rate, rise_acc = _vault((t - plan.t_start[k]) / total)
        return height + vault * rise, rate + vault / total * rise_rate, acc + vault / total**2 * rise_acc

    def vertical_acceleration(self, t: Array) -> Array:
        """z'' [m/s^2] of the COM at the times `t` (T,) [s]."""
        return self._vertical(t)[2]


def as_frb_plan(plan: FootstepPlan, body: BodyModel, gravity: float, dt: float) -> FrbPlan:
    """The footstep plan as a plan of the floating rigid body, sampled every `dt` seconds: upright, facing the heading.

    Each foot carries the weight m (g + z''), shared linearly during double supports, along the line to the COM.
    That moves the net COP as the pendulum does. (The foot that is about to leave when the plan starts within a double
    support is not part of a footstep plan: the first phase carries its share, with the COP of both.)
    """
    if not dt > 0.0:
        raise InputError(f"The time step must be positive, got {dt:g} s.")
    reference = FootstepReference(plan)
    duration = plan.t_end[-1] - plan.t_start[0]
    t = plan.t_start[0] + np.linspace(0.0, duration, max(round(duration / dt), 1) + 1)
    motion = reference.sample(t)
    yaw, yaw_rate = reference.heading(t)
    cos, sin, zero, one = np.cos(yaw), np.sin(yaw), np.zeros_like(yaw), np.ones_like(yaw)
    return FrbPlan(
        t=t,
        com_W=motion.com_W,
        vel_W=motion.vel_W,
        R_WB=np.stack((cos, -sin, zero, sin, cos, zero, zero, zero, one), axis=1).reshape(-1, 3, 3),
        omega_W=np.stack((zero, zero, yaw_rate), axis=1),
        acc_W=motion.acc_W,
        phases=tuple(_contact_phase(reference, k, body.mass, gravity, dt) for k in range(len(plan.limb))),
        cost=plan.cost,
        status=plan.status,
    )


def _contact_phase(reference: FootstepReference, k: int, mass: float, gravity: float, dt: float) -> ContactPhase:
    """The stay of foot k on the ground: its own phase, and the double support (or push) that begins the next one."""
    plan = reference.plan
    last, leap = k == len(plan.limb) - 1, NO_LEAP if plan.leap is None else plan.leap.step
    t_start = float(plan.t_start[k]) if plan.leap is None or k != leap else plan.leap.touch_down
    t_end = float(plan.t_end[k] + (0.0 if last else plan.double_support[k + 1]))
    t = np.linspace(t_start, t_end, max(round((t_end - t_start) / dt), 1) + 1)
    share = np.ones_like(t)
    if k > 0 and plan.double_support[k] > 0.0 and k != leap:
        share = np.minimum(share, (t - t_start) / plan.double_support[k])
    if not last and plan.double_support[k + 1] > 0.0 and k + 1 != leap:
        share = np.minimum(share, (t_end - t) / plan.double_support[k + 1])
    p0 = plan.cop_start_W if k == 0 else plan.cop_W[k]
    return ContactPhase(
        limb=plan.limb[k],
        t_start=t_start,
        t_end=t_end,
        cop_W=cop_at((t - t_start)[:, None], float(plan.double_support[k]), p0, plan.cop_W[k]),
        f_l=share * mass * (gravity + reference.vertical_acceleration(t)),
        f_r_W=np.zeros((len(t), 3)),
        region=plan.region[k],
        center_W=plan.foot_W[k],
        yaw=float(plan.yaw[k]),
        fixed=k == 0,
    )


def _heading_knots(plan: FootstepPlan) -> tuple[Array, Array, Array]:
    """Times, yaws and yaw rates in the middle of the single supports (that of the first phase may be over)."""
    single = plan.t_end - plan.t_start - plan.double_support
    single[0] = single[min(1, len(single) - 1)]
    t, yaw = plan.t_end - 0.5 * single, np.unwrap(plan.yaw)
    if len(t) == 1:
        t, yaw = np.append(t, t + 1.0), np.append(yaw, yaw)
    return t, yaw, np.gradient(yaw, t)


def _vault(s: Array | float) -> tuple[Array, Array, Array]:
    """From 0 up to 1 in the middle and down again over s in [0, 1], with rate and acceleration.

    The acceleration is linear from 24 to -24 in the middle and back.
    """
    x = np.minimum(s, np.subtract(1.0, s))
    return x * x * (12.0 - 16.0 * x), np.sign(np.subtract(0.5, s)) * 24.0 * x * (1.0 - 2.0 * x), 24.0 - 96.0 * x


def _height_knots(plan: FootstepPlan) -> tuple[Array, Array, Array]:
    """Times, heights and vertical velocities of the COM that cubics lead through."""
    t = np.append(plan.t_start, plan.t_end[-1])
    z, vz, leap = plan.com_W[:, 2], plan.com_vel_W[:, 2], plan.leap
    if leap is None:
        return t, z, vz
    k = leap.step
    knots = [np.r_[a[:k], b, a[k + 1 :]] for a, b in ((z, leap.com_W[:, 2]), (vz, leap.com_vel_W[:, 2]))]
    return np.r_[t[:k], leap.lift_off, leap.touch_down, t[k + 1 :]], knots[0], knots[1]
