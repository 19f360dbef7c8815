"""Joint targets for a limb that follows a path through the air (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.robot.chain import damped_least_squares, inverse
from hmpc.robot.kernels import hinge_jacobian, velocity_products
from hmpc.wholebody.virtual_force import swing_torques

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.params import WholeBodyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, MotionTarget, RobotState

    Indices = NDArray[np.int64]


def joint_motion(robot: RobotModel, state: RobotState, target: MotionTarget, params: WholeBodyParams) -> Array:
    """(4, nu): desired angles, velocities and accelerations of all joints, and torques that pull them there.

    Angles and velocities are those of the pose, and accelerations keep the pads of supporting limbs where they are,
    but those of a limb in the air put its pad on its target. The angles are solved from the measured pose of the body
    that carries the limb, so an error of the trunk does not become an error of the foot. Rates come from damped least
    squares on the limb's Jacobian, relative to the motion of the carrying body; torques are those of a virtual
    spring-damper at the pad. `authority` scales accelerations and torques. Where the target is `exact`, accelerations
    also make up for those that the joints' own rates give to the pad, dJ/dt q'.
    """
    motion = np.zeros((4, robot.nu))
    motion[0], motion[1] = target.pose, target.pose_velocity
    for name in target.support:
        if name not in target.swing:
            _keep_pad(robot, name, state, target, params, motion)
    for name, wanted in target.swing.items():
        limb, from_rest = robot.limbs[name], wanted.from_rest
        _fill_limb_motion(
            # One array, so that the kernel has one signature whatever is read-only or strided.
            np.concatenate(
                (wanted.R_WL, wanted.p_W, wanted.vel_W, wanted.omega_W, wanted.acc_W, target.acc_W), axis=None
            ),
            state.limbs.numbers[robot.limb_index[name]],
            (robot.xaxis, robot.xanchor, limb.joints),
            (robot.xpos, robot.xmat, limb.chain.carrier),
            (state.qpos, robot.qadr, state.qvel, robot.dof, limb.chain.actuators),
            (limb.chain.low, limb.chain.high, limb.chain.geometry),
            target.pose,
            (from_rest, target.exact),
            wanted.authority,
            (params.ik_rotation_weight, params.ik_damping, params.ik_rate_damping, params.swing_kp, params.swing_kd),
            params.ik_rest_iterations if from_rest else params.ik_iterations,
            motion,
        )
    return motion


@njit(cache=True)
def _fill_limb_motion(
    target: Array,
    now: Array,
    hinges: tuple[Array, Array, Indices],
    carriers: tuple[Array, Array, int],
    joints: tuple[Array, Indices, Array, Indices, Indices],
    chain: tuple[Array, Array, tuple[Array, Array, Array, Array, Array]],
    pose: Array,
    ways: tuple[bool, bool],
    authority: float,
    gains: tuple[float, float, float, float, float],
    iterations: int,
    motion: Array,
) -> None:
    """Columns of `joint_motion`: q of the target in the carrier's frame; qd, qdd with J qd = its twist - the carrier's.

    `now` (8, 3) are the numbers of the limb in `hmpc.types.Limbs`; `ways` say whether q is solved from the rest pose
    on, and whether qdd is exact.
    """
    from_rest, exact = ways
    R_WL, (p_W, vel_W, omega_W, acc_W, carrier_acc_W) = target[:9].reshape(3, 3), target[9:].reshape(5, 3)
    p_now_W, vel_now_W, omega_now_W = now[0], now[4], now[5]
    xpos, xmat, carrier = carriers
    p_WC, R_WC = xpos[carrier], xmat[carrier].reshape(3, 3)
    xaxis, xanchor, of_limb = hinges
    J = hinge_jacobian(xaxis, xanchor, of_limb, p_now_W)
    qpos, qadr, qvel, dof, motors = joints
    low, high, geometry = chain
    rotation_weight, damping, rate_damping, kp, kd = gains
    q_rest, qd_now = pose[motors], qvel[dof[motors]]
    q_start = q_rest if from_rest else qpos[qadr[motors]]
    p_C, R_CL, twist, acceleration = np.zeros(3), np.zeros((3, 3)), np.zeros(6), np.zeros(6)
    for i in range(3):
        for k in range(3):
            p_C[i] += R_WC[k, i] * (p_W[k] - p_WC[k])
            for j in range(3):
                R_CL[i, j] += R_WC[k, i] * R_WL[k, j]
        twist[i], twist[3 + i] = vel_W[i] - vel_now_W[i], omega_W[i] - omega_now_W[i]
        acceleration[i] = acc_W[i] - carrier_acc_W[i]
    for i in range(6):  # the pad's motion due to the limb itself; the rest carries it
        for k in range(len(qd_now)):
            twist[i] += J[i, k] * qd_now[k]
    if exact:
        acceleration -= velocity_products(xaxis, xanchor, of_limb, p_WC, p_now_W, omega_now_W, qd_now)
    rest = np.zeros(len(q_start))
    q = inverse(p_C, R_CL, q_start, q_rest, low, high, rotation_weight, damping, iterations, *geometry)
    qd = damped_least_squares(J, twist, rate_damping, rest)
    qdd = damped_least_squares(J, acceleration, rate_damping, rest)
    tau = swing_torques(J, p_W - p_now_W, vel_W - vel_now_W, kp, kd)
    for k in range(len(motors)):
        motion[0, motors[k]], motion[1, motors[k]] = q[k], qd[k]
        motion[2, motors[k]] = authority * qdd[k]
        motion[3, motors[k]] += authority * tau[k]


def _keep_pad(
    robot: RobotModel, name: str, state: RobotState, target: MotionTarget, params: WholeBodyParams, motion: Array
) -> None:
    """Accelerations of `joint_motion` that keep a pad where it is while its carrier accelerates as the COM should."""
    limb = robot.limbs[name]
    motors = limb.chain.actuators
    _fill_accelerations(
        (robot.xaxis, robot.xanchor, limb.joints),
        (robot.xpos, limb.chain.carrier, state.qvel, robot.dof),
        state.limbs.numbers[robot.limb_index[name]],
        target.acc_W,
        target.exact,
        params.ik_rate_damping,
        motors,
        motion,
    )


@njit(cache=True)
def _fill_accelerations(
    hinges: tuple[Array, Array, Indices],
    bodies: tuple[Array, int, Array, Indices],
    now: Array,
    acc: Array,
    exact: bool,
    damping: float,
    motors: Indices,
    motion: Array,
) -> None:
    """x with J x = (-acc, 0), less dJ/dt q' if exact, damped: the pad does not turn, either."""
    xaxis, xanchor, joints = hinges
    J, b = hinge_jacobian(xaxis, xanchor, joints, now[0]), np.zeros(6)
    for i in range(3):
        b[i] = -acc[i]
    if exact:
        xpos, carrier, qvel, dof = bodies
        b -= velocity_products(xaxis, xanchor, joints, xpos[carrier], now[0], now[5], qvel[dof[motors]])
    x = damped_least_squares(J, b, damping, np.zeros(J.shape[1]))
    for k in range(len(motors)):
        motion[2, motors[k]] = x[k]
