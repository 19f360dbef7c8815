"""Joint targets for a limb that follows a path through the air (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.robot.chain import damped_least_squares

if TYPE_CHECKING:
    from hmpc.params import WholeBodyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, LimbTarget, RobotState

_NO_ROTATION = np.zeros(3)


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
    q = chain.inverse(
        R_WC.T @ (target.p_W - p_WC),
        R_WC.T @ target.R_WL,
        q_rest if target.from_rest else state.qpos[robot.qadr[chain.actuators]],
        q_rest,
        rotation_weight=params.ik_rotation_weight,
        damping=params.ik_damping,
        iterations=params.ik_rest_iterations if target.from_rest else params.ik_iterations,
    )
    now = state.limbs[name]
    J = robot.limb_jacobian(name)
    own = J @ state.qvel[robot.dof[chain.actuators]]  # pad motion due to the limb itself; the rest carries it
    twist = np.concatenate([target.vel_W - now.vel_W, target.omega_W - now.omega_W]) + own
    acceleration = np.concatenate([target.acc_W - carrier_acc_W, _NO_ROTATION])
    rest, damping = np.zeros(len(q)), params.ik_rate_damping
    return LimbPose(
        q, damped_least_squares(J, twist, damping, rest), damped_least_squares(J, acceleration, damping, rest)
    )


def joint_accelerations(robot: RobotModel, name: str, pad_acc_W: Array, params: WholeBodyParams) -> Array:
    """(n,) [rad/s^2] that accelerate a pad by (3,) [m/s^2] against its carrier without turning it."""
    J = robot.limb_jacobian(name)
    pad = np.concatenate([pad_acc_W, _NO_ROTATION])
    return damped_least_squares(J, pad, params.ik_rate_damping, np.zeros(J.shape[1]))
