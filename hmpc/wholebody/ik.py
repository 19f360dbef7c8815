"""Joint targets for a limb that follows a path through the air (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from hmpc.params import WholeBodyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, LimbTarget, RobotState


class LimbPose(NamedTuple):
    """Desired joint motion of one limb, root to tip."""

    q: Array  # (n,) [rad]
    qd: Array  # (n,) [rad/s]
    qdd: Array  # (n,) [rad/s^2]


def limb_pose(
    robot: RobotModel,
    state: RobotState,
    name: str,
    target: LimbTarget,
    carrier_acc_W: Array,
    q_rest: Array,
    params: WholeBodyParams,
) -> LimbPose:
    """Joint angles, velocities and accelerations that put the pad of a limb on its target.

    The angles are solved from the measured pose of the body that carries the limb, so an
    error of the trunk does not become an error of the foot. Rates come from damped least
    squares on the limb's Jacobian, relative to the motion of the carrying body.
    """
    chain = robot.limbs[name].chain
    p_WC, R_WC = robot.carrier_pose(name)
    q_now = state.qpos[robot.qadr[chain.actuators]]
    q = chain.inverse(
        R_WC.T @ (target.p_W - p_WC),
        R_WC.T @ target.R_WL,
        q_now,
        q_rest,
        rotation_weight=params.ik_rotation_weight,
        damping=params.ik_damping,
        iterations=params.ik_iterations,
    )
    now = state.limbs[name]
    J_limb = robot.limb_jacobian(name)
    qd_now = state.qvel[robot.dof[chain.actuators]]
    carried = np.concatenate([now.vel_W, now.omega_W]) - J_limb @ qd_now  # pad motion due to the rest of the body
    twist = np.concatenate([target.vel_W, target.omega_W]) - carried
    relative = np.concatenate([target.acc_W - carrier_acc_W, np.zeros(3)])
    rates = joint_rates(robot, name, np.stack([twist, relative], axis=1), params)
    return LimbPose(q, rates[:, 0], rates[:, 1])


def joint_rates(robot: RobotModel, name: str, pad_rates: Array, params: WholeBodyParams) -> Array:
    """Joint rates (n,) or (n, k) that move a pad by (6,) or (6, k) against its carrier: damped least squares."""
    J = robot.limb_jacobian(name)
    H = J.T @ J + params.ik_rate_damping**2 * np.eye(J.shape[1])
    return np.linalg.solve(H, J.T @ pad_rates)
