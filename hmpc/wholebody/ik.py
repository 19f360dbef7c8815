"""Joint targets for a limb that follows a path through the air (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hmpc.robot.chain import damped_least_squares, inverse
from hmpc.wholebody.virtual_force import swing_torques

if TYPE_CHECKING:
    from hmpc.params import WholeBodyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, LimbTarget, RobotState


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
    chain, now = robot.limbs[name].chain, state.limbs[name]
    p_WC, R_WC = robot.carrier_pose(name)
    # One array, so that the kernel has one signature whatever is read-only or strided.
    of_target = (target.p_W, target.vel_W, target.omega_W, target.acc_W)
    vectors = (p_WC, *of_target, now.p_W, now.vel_W, now.omega_W, carrier_acc_W)
    packed = np.concatenate((R_WC, target.R_WL, *vectors), axis=None).reshape(-1, 3)
    motion = _limb_motion(
        packed,
        robot.limb_jacobian(name),
        q_rest if target.from_rest else state.qpos[robot.qadr[chain.actuators]],
        q_rest,
        state.qvel[robot.dof[chain.actuators]],
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
    packed: Array,
    J: Array,
    q_start: Array,
    q_rest: Array,
    qd_now: Array,
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
    """(4, n): q of the target pose in the carrier's frame; qd, qdd with J qd = target's twist - the carrier's; tau."""
    R_WC, R_WL = packed[:3], packed[3:6]
    p_WC, p_W, vel_W, omega_W, acc_W, p_now_W, vel_now_W, omega_now_W, carrier_acc_W = packed[6:]
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
    return _linear_least_squares(robot.limb_jacobian(name), pad_acc_W, params.ik_rate_damping)


@njit(cache=True)
def _linear_least_squares(J: Array, linear: Array, damping: float) -> Array:
    """x with J x = (linear, 0), damped."""
    b = np.zeros(6)
    b[:3] = linear
    return damped_least_squares(J, b, damping, np.zeros(J.shape[1]))
