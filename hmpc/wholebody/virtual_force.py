"""Jacobian-transpose control: forces at the limbs turned into joint torques (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, ContactForces, LimbTarget, RobotState


def support_torques(robot: RobotModel, state: RobotState, forces: ContactForces) -> Array:
    """tau_v = -sum_i J_i^T f_i over the contact points of the supporting limbs.

    Points on one pad share its Jacobian, so each limb's forces are first added up to a
    force and a moment at the middle of the pad.
    """
    tau = np.zeros(robot.nu)
    limbs = np.array(forces.contacts.limb)
    for name in dict.fromkeys(forces.contacts.limb):
        mine = limbs == name
        f = forces.force_W[mine]
        wrench = np.concatenate(
            [f.sum(axis=0), np.cross(forces.contacts.p_W[mine] - state.limbs[name].p_W, f).sum(axis=0)]
        )
        tau -= robot.jacobian(name)[:, robot.dof].T @ wrench
    return tau


def swing_torques(
    robot: RobotModel, state: RobotState, name: str, target: LimbTarget, kp: float, kd: float
) -> tuple[Array, Array]:
    """Torques of a virtual spring-damper that pulls a pad to its target, and the motors they act on."""
    now = state.limbs[name]
    force = kp * (target.p_W - now.p_W) + kd * (target.vel_W - now.vel_W)
    motors = robot.limbs[name].chain.actuators
    return robot.jacobian(name)[:3, robot.dof[motors]].T @ force, motors
