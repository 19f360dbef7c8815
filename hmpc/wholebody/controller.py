"""The whole-body controller: from contact forces and targets to joint torques (Sec. 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numba import njit

from hmpc.robot.kernels import joint_mobility
from hmpc.types import Torques
from hmpc.wholebody.dynamics import ExactDynamics
from hmpc.wholebody.ik import joint_motion
from hmpc.wholebody.implicit_pd import explicit_pd, implicit_pd
from hmpc.wholebody.virtual_force import support_torques

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.params import WholeBodyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, ContactForces, MotionTarget, RobotState

    Indices = NDArray[np.int64]

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
        self._exact = ExactDynamics(robot, params)
        self._in_the_air = np.full(len(robot.limbs), np.inf)

    def joint_motion(self, state: RobotState, target: MotionTarget) -> Array:
        """(4, nu) that the joints are to do, see `hmpc.wholebody.ik.joint_motion`."""
        return joint_motion(self._robot, state, target, self._params)

    def feedforward(self, target: MotionTarget, motion: Array) -> Feedforward:
        """What the planned accelerations and the weight of the segments need."""
        robot, params = self._robot, self._params
        gravity, inertia, moment_W = robot.inverse_dynamics(target.acc_W, motion[2])
        _scale(inertia, moment_W, params.inertia_feedforward, params.inertia_moment_limit)
        return Feedforward(inertia, gravity, moment_W)

    def torques(
        self,
        state: RobotState,
        target: MotionTarget,
        forces: ContactForces,
        motion: Array,
        feedforward: Feedforward,
    ) -> Torques:
        """The torques of this tick, and their parts."""
        robot, params = self._robot, self._params
        authority = self._in_the_air.copy()
        for name in dict.fromkeys(forces.contacts.limb):
            authority[robot.limb_index[name]] = target.swing[name].authority if name in target.swing else 0.0
        # Not even damped when it pushes off: a knee that stretches at 10 rad/s would lose a fifth of its torque.
        damping = 0.0 if target.takes_off else params.exact_support_kd if target.exact else params.support_kd
        virtual, gravity, inertia = support_torques(robot, forces), feedforward.gravity, feedforward.inertia
        if target.exact:
            inertia = self._exact.torques(state, target, forces, motion[2]) - gravity
        tau, swing, pd = _torques(
            (robot.kp, robot.kd, robot.torque_limit),
            (authority, robot.limb_motors, damping),
            (state.qpos, robot.qadr, state.qvel, robot.dof),
            motion,
            robot.mobility_of,
            self._dt if self._pd == "implicit" else 0.0,
            (virtual, inertia, gravity),
        )
        return Torques(tau=tau, virtual=virtual, swing=swing, gravity=gravity, pd=pd)


@njit(cache=True)
def _scale(torques: Array, moment: Array, scale: float, limit: float) -> None:
    """Scale both in place, the moment up to a limit along each axis."""
    torques *= scale
    for k in range(3):
        moment[k] = min(max(scale * moment[k], -limit), limit)


@njit(cache=True)
def _torques(
    motors: tuple[Array, Array, Array],
    support: tuple[Array, Indices, float],
    joints: tuple[Array, Indices, Array, Indices],
    motion: Array,
    mobility_of: tuple[Array, Array, Array, Array, Array, Array, Indices],
    dt: float,
    known: tuple[Array, Array, Array],
) -> Array:
    """(3, nu): the torques, each within its motor's limit, and their parts that swing limbs and hold the posture.

    A supporting limb is placed by its contact and the body: its PD only damps, by at least `damping`, until it is to
    leave and has `authority` (L,). That of a limb in the air is infinite, and its gains stay as they are. Without a
    time step the PD is explicit.
    """
    kp, kd, limit = motors[0].copy(), motors[1].copy(), motors[2]
    authority, limb_motors, damping = support
    for limb in range(authority.shape[0]):
        if authority[limb] < np.inf:
            for k in limb_motors[limb]:
                if k >= 0:
                    kp[k] *= authority[limb]
                    kd[k] = max(authority[limb] * kd[k], damping)
    qpos, qadr, qvel, dof = joints
    error, velocity_error = motion[0] - qpos[qadr], motion[1] - qvel[dof]
    virtual, inertia, gravity = known
    out = np.empty((3, kp.shape[0]))
    out[1] = inertia + motion[3]
    if dt > 0.0:
        out[2] = implicit_pd(kp, kd, error, velocity_error, joint_mobility(*mobility_of), mobility_of[-1], dt)
    else:
        out[2] = explicit_pd(kp, kd, error, velocity_error)
    out[0] = np.minimum(np.maximum(virtual + out[1] + gravity + out[2], -limit), limit)
    return out
