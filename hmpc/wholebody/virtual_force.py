"""Jacobian-transpose control: forces at the limbs turned into joint torques (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

if TYPE_CHECKING:
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, ContactForces


def support_torques(robot: RobotModel, forces: ContactForces) -> Array:
    """tau_v = -sum_i J_i^T f_i over the contact points of the supporting limbs."""
    return -robot.force_torques(forces.contacts.limb, forces.contacts.p_W, forces.force_W)


@njit(cache=True)
def swing_torques(J: Array, error_W: Array, velocity_error_W: Array, kp: float, kd: float) -> Array:
    """(n,) torques of a virtual spring-damper that pulls a pad with the Jacobian J (6, n) to its target."""
    return (kp * error_W + kd * velocity_error_W) @ J[:3]
