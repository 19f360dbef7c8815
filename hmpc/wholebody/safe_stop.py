"""Torques for when there is nobody to ask: every motor brakes, and yields towards a crouch.

Only the angles and velocities of the joints are used, no plan, contact or estimate of the body. From standing the
character sinks into a squat instead of toppling like a plank; what is left of the fall begins at half the height.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.wholebody.implicit_pd import implicit_pd

if TYPE_CHECKING:
    from hmpc.params import SafetyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, RobotState

CROUCH = "crouch"  # the pose of a robot that it yields towards; without one its motors only brake


class SafeStop:
    """tau = Eq. 7 with the damping of the posture control and a part of its stiffness, within the motors' limits."""

    def __init__(self, robot: RobotModel, params: SafetyParams, dt: float):
        self._robot, self._dt = robot, dt
        known = CROUCH in robot.spec.poses
        self._pose = robot.named_pose(CROUCH) if known else np.zeros(robot.nu)
        self._stiffness = params.crouch_stiffness if known else 0.0

    def torques(self, state: RobotState) -> Array:
        """(nu,) [N m]; a motor whose angle or velocity is not known gives none."""
        robot = self._robot
        error, velocity = self._pose - state.qpos[robot.qadr], state.qvel[robot.dof]
        known = np.isfinite(error) & np.isfinite(velocity)
        error, velocity = np.where(known, error, 0.0), np.where(known, velocity, 0.0)
        kp, kd = self._stiffness * robot.kp * known, robot.kd * known
        tau = implicit_pd(kp, kd, error, -velocity, robot.joint_mobility(), robot.joint_groups, self._dt)
        return np.clip(tau, -robot.torque_limit, robot.torque_limit)
