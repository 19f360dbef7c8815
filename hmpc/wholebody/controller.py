"""The whole-body controller: from contact forces and targets to joint torques (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numba import njit

from hmpc.types import Torques
from hmpc.wholebody.ik import joint_accelerations, limb_pose
from hmpc.wholebody.implicit_pd import explicit_pd, implicit_pd
from hmpc.wholebody.virtual_force import support_torques

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.params import WholeBodyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, ContactForces, MotionTarget, RobotState
    from hmpc.wholebody.ik import LimbPose

PdKind = Literal["implicit", "explicit"]


class Feedforward(NamedTuple):
    """What can be told in advance of the torques: for the planned accelerations, and for the weight."""

    inertia: Array  # (nu,) [N m]
    gravity: Array  # (nu,) [N m]
    moment_W: Array  # (3,) [N m] about the COM, that goes with `inertia`


class WholeBodyController:
    """tau = virtual forces of the supporting limbs + of the swinging limbs + gravity + PD."""

    def __init__(self, robot: RobotModel, params: WholeBodyParams, dt: float, pd: PdKind = "implicit"):
        self._robot, self._params, self._dt, self._pd = robot, params, dt, pd
        self._in_the_air = np.full(len(robot.limbs), np.inf)

    def swing_poses(self, state: RobotState, target: MotionTarget) -> dict[str, LimbPose]:
        """Inverse kinematics of every limb that moves through the air."""
        return {
            name: limb_pose(
                self._robot,
                state,
                name,
                limb,
                target.acc_W,
                target.pose[self._robot.limbs[name].chain.actuators],
                self._params,
            )
            for name, limb in target.swing.items()
        }

    def feedforward(self, target: MotionTarget, poses: dict[str, LimbPose]) -> Feedforward:
        """What the planned accelerations and the weight of the segments need.

        Swinging limbs accelerate along their paths, supporting ones so that their pads stay where they are.
        """
        robot, params = self._robot, self._params
        acceleration = np.zeros(robot.nu)
        for name in target.support:
            motors = robot.limbs[name].chain.actuators
            if name not in target.swing and len(motors) > 0:
                acceleration[motors] = joint_accelerations(robot, name, -target.acc_W, params)
        for name, pose in poses.items():
            acceleration[robot.limbs[name].chain.actuators] = target.swing[name].authority * pose.qdd
        gravity = robot.gravity_torques()
        inertia, moment_W = robot.inertial_wrench(target.acc_W, acceleration, gravity)
        _scale(inertia, moment_W, params.inertia_feedforward, params.inertia_moment_limit)
        return Feedforward(inertia, gravity, moment_W)

    def torques(
        self,
        state: RobotState,
        target: MotionTarget,
        forces: ContactForces,
        poses: dict[str, LimbPose],
        feedforward: Feedforward,
    ) -> Torques:
        """The torques of this tick, and their parts."""
        robot, params = self._robot, self._params
        authority = self._in_the_air.copy()
        for name in forces.contacts.limb:
            authority[robot.limb_index[name]] = target.swing[name].authority if name in target.swing else 0.0
        q, qd = target.pose.copy(), target.pose_velocity.copy()
        swing = feedforward.inertia.copy()
        for name, limb in target.swing.items():
            motors, pose = robot.limbs[name].chain.actuators, poses[name]
            swing[motors] += limb.authority * pose.tau
            q[motors], qd[motors] = pose.q, pose.qd
        # Not even damped when it pushes off: a knee that stretches at 10 rad/s would lose a fifth of its torque.
        damping = 0.0 if target.takes_off else params.support_kd
        joints = state.qpos, robot.qadr, state.qvel, robot.dof
        posture = _posture(robot.kp, robot.kd, authority, robot.limb_motors, damping, q, qd, joints)
        if self._pd == "implicit":
            pd = implicit_pd(*posture, robot.joint_mobility(), robot.joint_groups, self._dt)
        else:
            pd = explicit_pd(*posture)
        virtual = support_torques(robot, forces)
        gravity, limit = feedforward.gravity, robot.torque_limit
        tau = _sum_within(limit, virtual, swing, gravity, pd)
        return Torques(tau=tau, virtual=virtual, swing=swing, gravity=gravity, pd=pd)


@njit(cache=True)
def _scale(torques: Array, moment: Array, scale: float, limit: float) -> None:
    """Scale both in place, the moment up to a limit along each axis."""
    torques *= scale
    for k in range(3):
        moment[k] = min(max(scale * moment[k], -limit), limit)


@njit(cache=True)
def _posture(
    kp: Array,
    kd: Array,
    authority: Array,
    limb_motors: NDArray[np.int64],
    damping: float,
    q: Array,
    qd: Array,
    joints: tuple[Array, NDArray[np.int64], Array, NDArray[np.int64]],
) -> Array:
    """(4, nu): kp, kd, and the errors of angles and velocities against q and qd.

    A supporting limb is placed by its contact and the body: its PD only damps, by at least `damping`, until it is to
    leave and has `authority` (L,). That of a limb in the air is infinite, and its gains stay as they are.
    """
    n = kp.shape[0]
    out = np.empty((4, n))
    qpos, qadr, qvel, dof = joints
    for k in range(n):
        out[0, k], out[1, k] = kp[k], kd[k]
        out[2, k], out[3, k] = q[k] - qpos[qadr[k]], qd[k] - qvel[dof[k]]
    for limb in range(authority.shape[0]):
        if authority[limb] < np.inf:
            for k in limb_motors[limb]:
                if k >= 0:
                    out[0, k] *= authority[limb]
                    out[1, k] = max(authority[limb] * out[1, k], damping)
    return out


@njit(cache=True)
def _sum_within(limit: Array, virtual: Array, swing: Array, gravity: Array, pd: Array) -> Array:
    """The sum of all parts of the torques, each motor's clipped at its limit."""
    return np.minimum(np.maximum(virtual + swing + gravity + pd, -limit), limit)
