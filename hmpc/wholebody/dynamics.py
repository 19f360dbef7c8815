"""Torques with which contact forces come true: inverse dynamics of the motion that these forces lead to.

Sec. 4 adds up the parts of a torque: -J^T f, the weight, the inertia of a planned motion. What the feet then give
differs from f, because the motion that f leads to is not the planned one, and because of the velocity products of a leg
that stretches while it pushes. Here both are known. The accelerations are

    q'' = N a + n,      J q''_leg = p'' - X a - dJ/dt q'  of both legs (damped),

with a (6,) of the trunk, X a what that does to a foot, p'' = 0 of a foot that stands and that of its path of one in the
air; n has those of the other joints, too. The rows of the trunk in M q'' + h = τ + J^T f have no motor, which gives a,
and the others give the torques. (The damping of the joints themselves is left to do its work.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.forces.solvers.linalg import cholesky_factor, cholesky_substitute
from hmpc.robot.kernels import cross, hinge_jacobian, velocity_products

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.params import WholeBodyParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, ContactForces, MotionTarget, RobotState

    Indices = NDArray[np.int64]


class ExactDynamics:
    """M q'' + h of the joints, for the motion that contact forces lead to while the feet do what they should.

    For robots whose legs are alike and begin at the root.
    """

    def __init__(self, robot: RobotModel, params: WholeBodyParams):
        self._robot, self._params, feet = robot, params, robot.feet()
        self._names = [foot.spec.name for foot in feet]
        self._index = np.array([robot.limb_index[name] for name in self._names])
        self._motors = np.array([foot.chain.actuators for foot in feet])
        self._joints = np.array([foot.joints for foot in feet])

    def torques(
        self, state: RobotState, target: MotionTarget, forces: ContactForces, joint_acceleration: Array
    ) -> Array:
        """(nu,) [N m] for `forces`; `joint_acceleration` (nu,) is what joints other than the legs' are to do."""
        robot, swing, params = self._robot, target.swing, self._params
        paths = np.zeros((len(self._names), 5))  # p'' [m/s^2], authority, damping
        paths[:, 3:] = 1.0, params.exact_damping
        for row, name in zip(paths, self._names, strict=True):
            if name in swing:
                row[:3], row[3:] = swing[name].acc_W, (swing[name].authority, params.ik_rate_damping)
        return _torques(
            robot.dynamics(),
            (robot.xpos[robot.root], robot.xmat[robot.root].reshape(3, 3), robot.root_dof, robot.dof),
            (robot.xaxis, robot.xanchor, self._joints, self._motors),
            state.limbs.numbers[self._index],
            state.qvel,
            paths,
            (forces.contacts.p_W, forces.force_W),
            joint_acceleration,
        )


@njit(cache=True)
def _torques(
    dynamics: tuple[Array, Array],
    trunk: tuple[Array, Array, int, Indices],
    legs: tuple[Array, Array, Indices, Indices],
    feet: Array,
    qvel: Array,
    paths: Array,
    contacts: tuple[Array, Array],
    joint_acceleration: Array,
) -> Array:
    """See above; `feet` (F, 8, 3) are their numbers in `hmpc.types.Limbs`."""
    (M, h), (p_W, R_W, root, dof), (xaxis, xanchor, joints, motors) = dynamics, trunk, legs
    # The columns of N, and n as the last one.
    columns = np.zeros((7, len(h)))
    for k in range(6):
        columns[k, root + k] = 1.0
    for k in range(len(dof)):
        columns[6, dof[k]] = joint_acceleration[k]
    for i in range(len(feet)):
        p, rows, authority, damping = feet[i, 0], dof[motors[i]], paths[i, 3], paths[i, 4]
        J = hinge_jacobian(xaxis, xanchor, joints[i], p)
        wanted = _wanted(p - p_W, R_W)
        wanted[6] -= velocity_products(xaxis, xanchor, joints[i], p_W, p, feet[i, 5], qvel[rows])
        for k in range(3):
            wanted[6, k] += paths[i, k]
        H, g = J.T @ J, wanted @ J
        for k in range(len(rows)):
            H[k, k] += damping * damping
        cholesky_factor(H)
        for k in range(7):
            cholesky_substitute(H, g[k], g[k])
            for j in range(len(rows)):
                columns[k, rows[j]] = authority * g[k, j]
    moved = columns @ M  # M is symmetric
    b = _wrench(contacts[0], contacts[1], p_W, R_W) - h[root : root + 6] - moved[6, root : root + 6]
    a = np.linalg.solve(np.ascontiguousarray(moved[:6, root : root + 6].T), b)
    return (a @ moved[:6] + moved[6] + h)[dof]


@njit(cache=True)
def _wanted(arm: Array, R_W: Array) -> Array:
    """(7, 6): accelerations of a foot at `arm` from the trunk that make up for each of the trunk's, and none."""
    wanted = np.zeros((7, 6))
    for k in range(3):
        axis = R_W[:, k]
        wanted[k, k] = -1.0
        wanted[3 + k, 0], wanted[3 + k, 1], wanted[3 + k, 2] = cross(arm, axis)
        for i in range(3):
            wanted[3 + k, 3 + i] = -axis[i]
    return wanted


@njit(cache=True)
def _wrench(points: Array, forces: Array, p_W: Array, R_W: Array) -> Array:
    """(6,) of forces at points on the root at p_W: a force, and a moment along its own axes."""
    force, moment = np.zeros(3), np.zeros(3)
    for k in range(len(points)):
        x, y, z = cross(points[k] - p_W, forces[k])
        force += forces[k]
        moment[0], moment[1], moment[2] = moment[0] + x, moment[1] + y, moment[2] + z
    return np.concatenate((force, moment @ R_W))
