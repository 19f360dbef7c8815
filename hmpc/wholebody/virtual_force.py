"""Jacobian-transpose control: forces at the limbs turned into joint torques (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, ContactForces, LimbTarget, RobotState


def support_torques(robot: RobotModel, forces: ContactForces) -> Array:
    """tau_v = -sum_i J_i^T f_i over the contact points of the supporting limbs."""
    return -robot.force_torques(forces.contacts.limb, forces.contacts.p_W, forces.force_W)


def swing_torques(
    robot: RobotModel, state: RobotState, name: str, target: LimbTarget, kp: float, kd: float
) -> tuple[Array, NDArray[np.int64]]:
    """Torques of a virtual spring-damper that pulls a pad to its target, and the motors they act on."""
    now = state.limbs[name]
    force = kp * (target.p_W - now.p_W) + kd * (target.vel_W - now.vel_W)
    motors = robot.limbs[name].chain.actuators
    return robot.limb_jacobian(name)[:3].T @ force, motors
