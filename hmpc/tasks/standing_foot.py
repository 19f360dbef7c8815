"""A first guess for a foot that stays where it is while the body goes from rest to rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.geometry import heading, rotation_error
from hmpc.types import ContactPhase

if TYPE_CHECKING:
    from hmpc.tasks.situation import Situation
    from hmpc.types import Array, TargetState

AFTER = 0.01  # [s] after the end of a plan, at which a phase ends that outlasts it
FORCE_POINTS = 3  # control points of a force over a stage


def standing_foot(now: Situation, limb: str, load: float, goal: TargetState) -> ContactPhase:
    """The foot stays beyond the plan, bearing in the end `load` body weights.

    The guess would take a body that is carried by such feet alone from rest to rest, about to where `goal` wants
    it: the force pushes up and brakes, turns the body and stops it, and the COP goes along below the COM.
    """
    found, body = now.state.limbs[limb], now.state.body
    s = np.linspace(0.0, 1.0, FORCE_POINTS)
    rest_to_rest = 6.0 / (goal.t - now.t) ** 2 * (1.0 - 2.0 * s)  # [1/s^2] acceleration over way
    wanted_W = np.full(3, np.nan) if goal.com_W is None else goal.com_W
    com_W = np.where(np.isnan(wanted_W), body.com_W, wanted_W)
    turn_W = np.zeros(3) if goal.R_WB is None else rotation_error(goal.R_WB, body.R_WB)
    height = float((body.com_W - found.p_W)[2])
    seated = min(max(float(now.state.limbs[now.seat].force_W[2]) / now.weight, 0.0), 1.0)
    before = (1.0 - seated) / len(now.feet)  # as if the hands bore nothing: they begin with zero force
    share = before + (load - before) * np.minimum(2.0 * s, 1.0)
    torque_W = now.body.inertia_B[1, 1] * rest_to_rest[:, None] * turn_W
    torque_W -= _seat_torque(now, share, s, com_W)
    torque_W /= len(now.feet)
    f_r_W = np.column_stack([-torque_W[:, 1], torque_W[:, 0], np.zeros(FORCE_POINTS)]) / height
    ends = np.array([body.com_W, com_W]) + height * f_r_W[[0, -1]] / (share[[0, -1], None] * now.weight + 1.0)
    return ContactPhase(
        limb=limb,
        t_start=now.t,
        t_end=goal.t + AFTER,
        cop_W=np.array([_in_sole(now, limb, p) for p in ends]),
        f_l=share * (now.weight + now.body.mass * (com_W - body.com_W)[2] * rest_to_rest),
        f_r_W=f_r_W,
        region=now.ground_below(limb),
        center_W=found.p_W,
        yaw=heading(found.R_WL),
        fixed=True,
    )


def _seat_torque(now: Situation, share: Array, s: Array, com_W: Array) -> Array:
    """(n, 3) [N m] with which the seat, bearing what the feet do not, tips the body on its way to `com_W`."""
    if not now.is_loaded(now.seat):
        return np.zeros((len(s), 3))
    bears = now.weight * np.maximum(1.0 - len(now.feet) * share, 0.0)
    way_W = now.state.body.com_W + s[:, None] * (com_W - now.state.body.com_W)
    ahead = (way_W - now.hips_W) @ now.forward(1.0)
    return (bears * ahead)[:, None] * now.forward(0.0, 1.0)


def _in_sole(now: Situation, limb: str, p_W: Array) -> Array:
    """The point on the middle line of a sole that is closest to p."""
    found = now.state.limbs[limb]
    half_length = float(now.body.limb(limb).half_extent[0])
    along = found.R_WL[:, 0]
    return found.p_W + min(max(float((p_W - found.p_W) @ along), -half_length), half_length) * along
