"""Joint targets for a limb that follows a path through the air (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hmpc.robot.chain import damped_least_squares, inverse
from hmpc.robot.kernels import hinge_jacobian
from hmpc.wholebody.virtual_force import swing_torques

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.params import WholeBodyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, LimbTarget, RobotState

    Indices = NDArray[np.int64]


class LimbPose(NamedTuple):
    """Desired joint motion of one limb, root to tip, and what pulls it there."""

    q: Array  # (n,) [rad]
    qd: Array  # (n,) [rad/s]
    qdd: Array  # (n,) [rad/s^2]
    tau: Array  # (n,) [N m] of the virtual spring-damper that pulls the pad to its target


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
    limb, of_target = robot.limbs[name], (target.p_W, target.vel_W, target.omega_W, target.acc_W)
    chain = limb.chain
    motion = _limb_motion(
        # One array, so that the kernel has one signature whatever is read-only or strided.
        np.concatenate((target.R_WL, *of_target, carrier_acc_W), axis=None).reshape(-1, 3),
        state.limbs.numbers[robot.limb_index[name]],
        (robot.xaxis, robot.xanchor, limb.joints),
        (robot.xpos, robot.xmat, chain.carrier),
        (state.qpos, robot.qadr, state.qvel, robot.dof, chain.actuators),
        q_rest,
        target.from_rest,
        chain.low,
        chain.high,
        params.ik_rotation_weight,
        params.ik_damping,
        params.ik_rest_iterations if target.from_rest else params.ik_iterations,
        params.ik_rate_damping,
        params.swing_kp,
        params.swing_kd,
        chain.geometry,
    )
    return LimbPose(*motion)


@njit(cache=True)
def _limb_motion(
    target: Array,
    now: Array,
    hinges: tuple[Array, Array, Indices],
    carriers: tuple[Array, Array, int],
    joints: tuple[Array, Indices, Array, Indices, Indices],
    q_rest: Array,
    from_rest: bool,
    low: Array,
    high: Array,
    rotation_weight: float,
    damping: float,
    iterations: int,
    rate_damping: float,
    kp: float,
    kd: float,
    geometry: tuple[Array, Array, Array, Array, Array],
) -> Array:
    """(4, n): q of the target pose in the carrier's frame; qd, qdd with J qd = target's twist - the carrier's; tau.

    `now` (8, 3) are the numbers of the limb in `hmpc.types.Limbs`.
    """
    R_WL, (p_W, vel_W, omega_W, acc_W, carrier_acc_W) = target[:3], target[3:]
    p_now_W, vel_now_W, omega_now_W = now[0], now[4], now[5]
    xpos, xmat, carrier = carriers
    p_WC, R_WC = xpos[carrier], xmat[carrier].reshape(3, 3)
    xaxis, xanchor, of_limb = hinges
    J = hinge_jacobian(xaxis, xanchor, of_limb, p_now_W)
    qpos, qadr, qvel, dof, motors = joints
    q_start, qd_now = q_rest if from_rest else qpos[qadr[motors]], qvel[dof[motors]]
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
    rest, motion = np.zeros(len(q_start)), np.empty((4, len(q_start)))
    motion[0] = inverse(p_C, R_CL, q_start, q_rest, low, high, rotation_weight, damping, iterations, *geometry)
    motion[1] = damped_least_squares(J, twist, rate_damping, rest)
    motion[2] = damped_least_squares(J, acceleration, rate_damping, rest)
    motion[3] = swing_torques(J, p_W - p_now_W, vel_W - vel_now_W, kp, kd)
    return motion


def joint_accelerations(robot: RobotModel, name: str, pad_acc_W: Array, params: WholeBodyParams) -> Array:
    """(n,) [rad/s^2] that accelerate a pad by (3,) [m/s^2] against its carrier without turning it."""
    limb = robot.limbs[name]
    pad_W = robot.site_xpos[limb.site]
    return _linear_least_squares(robot.xaxis, robot.xanchor, limb.joints, pad_W, pad_acc_W, params.ik_rate_damping)


@njit(cache=True)
def _linear_least_squares(
    xaxis: Array, xanchor: Array, joints: Indices, pad: Array, linear: Array, damping: float
) -> Array:
    """x with J x = (linear, 0), damped."""
    J, b = hinge_jacobian(xaxis, xanchor, joints, pad), np.zeros(6)
    b[:3] = linear
    return damped_least_squares(J, b, damping, np.zeros(J.shape[1]))
