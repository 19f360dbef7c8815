"""Where the character is when a run begins, other than on its feet. Only for resets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from hmpc.geometry import rotation_zyx

if TYPE_CHECKING:
    from hmpc.robot.limb import Limb
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array

_ITERATIONS = 100  # of inverse kinematics
_DROP = 0.15  # [m] of the pelvis above the ground, from which who lies down is let go
_SETTLING = 2.0  # [s] in which a body comes to rest on the ground


def place_seated(robot: RobotModel, q: Array, ground_W: Array, yaw: float, height: float) -> None:
    """Put the character at rest in pose `q` on a seat of `height` above `ground_W`, which is between the feet.

    The legs are bent so that the soles, as far before the hips as in `q`, lie flat on the ground; hands that lie on
    the thighs go along with them.
    """
    d = robot.data
    robot.place(q, ground_W, yaw)
    d.qpos[robot.root_qpos + 2] += ground_W[2] + height - d.site_xpos[robot.seats()[0].site, 2]
    soles = {limb.spec.name: d.site_xpos[limb.site].copy() for limb in robot.feet()}
    mujoco.mj_forward(robot.model, d)
    pairs = zip(robot.hands(), robot.knees(), strict=False)  # of the same side
    hands = [(hand, knee, _seen_from(robot, knee, hand)) for hand, knee in pairs]
    for limb in robot.feet():
        p_WC, R_WC = robot.carrier_pose(limb.spec.name)
        legs = limb.chain.actuators
        sole_W = np.array([*soles[limb.spec.name][:2], ground_W[2]])
        d.qpos[robot.qadr[legs]] = limb.chain.inverse(
            R_WC.T @ (sole_W - p_WC), np.eye(3), q[legs], q[legs], iterations=_ITERATIONS
        )
    mujoco.mj_forward(robot.model, d)
    for hand, knee, (p_K, R_K) in hands:
        p_WC, R_WC = robot.carrier_pose(hand.spec.name)
        p_W, R_W = _pad(robot, knee)
        arm = hand.chain.actuators
        d.qpos[robot.qadr[arm]] = hand.chain.inverse(
            R_WC.T @ (p_W + R_W @ p_K - p_WC), R_WC.T @ R_W @ R_K, q[arm], q[arm], iterations=_ITERATIONS
        )
    mujoco.mj_forward(robot.model, d)


def _pad(robot: RobotModel, limb: Limb) -> tuple[Array, Array]:
    """Place (3,) [m] and axes (3, 3) of a limb's pad."""
    return robot.data.site_xpos[limb.site].copy(), robot.data.site_xmat[limb.site].reshape(3, 3).copy()


def _seen_from(robot: RobotModel, limb: Limb, other: Limb) -> tuple[Array, Array]:
    """The pad of `other` in the frame of that of `limb`."""
    (p_W, R_W), (q_W, S_W) = _pad(robot, limb), _pad(robot, other)
    return R_W.T @ (q_W - p_W), R_W.T @ S_W


def place_lying(robot: RobotModel, q: Array, ground_W: Array, yaw: float, *, face_down: bool) -> None:
    """Let the character down onto the ground in pose `q`, until it lies at rest; its pelvis comes to `ground_W`.

    Its joints are springs meanwhile, with the stiffness of the posture control, and it rests where physics leaves it.
    """
    m, d = robot.model, robot.data
    quaternion = np.empty(4)
    pitch = math.pi / 2 if face_down else -math.pi / 2
    mujoco.mju_mat2Quat(quaternion, rotation_zyx(yaw, pitch, 0.0).ravel())
    d.qpos[robot.qadr] = q
    d.qpos[robot.root_qpos : robot.root_qpos + 7] = [*ground_W[:2], ground_W[2] + _DROP, *quaternion]
    stiffness, damping, spring = m.jnt_stiffness.copy(), m.dof_damping.copy(), m.qpos_spring.copy()
    m.jnt_stiffness[robot.joint], m.dof_damping[robot.dof], m.qpos_spring[robot.qadr] = robot.kp, robot.kd, q
    for _ in range(round(_SETTLING / m.opt.timestep)):
        mujoco.mj_step(m, d)
    m.jnt_stiffness[:], m.dof_damping[:], m.qpos_spring[:] = stiffness, damping, spring
    d.time, d.qvel[:], d.qacc_warmstart[:] = 0.0, 0.0, 0.0
    mujoco.mj_forward(m, d)
