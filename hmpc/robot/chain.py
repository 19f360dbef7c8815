"""A limb as a serial chain of hinges: forward and inverse kinematics without a simulator.

All in the frame of the body that carries the limb (the pelvis, the thorax), so that a
pose can be solved for targets while MuJoCo's own state stays untouched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numba import njit

from hmpc.forces.solvers.linalg import cholesky_solve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.types import Array

_MAX_STEP = 0.3  # [rad] of a joint in one iteration of inverse kinematics


@njit(cache=True)
def _rotation_error(R_target: Array, R: Array, out: Array) -> None:
    """`hmpc.geometry.rotation_error` for less than half a turn, compiled."""
    trace = 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        out[k] = 0.0
        for c in range(3):
            out[k] += 0.5 * (R_target[j, c] * R[i, c] - R_target[i, c] * R[j, c])
            trace += R_target[k, c] * R[k, c]
    s = math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2)
    if s > 1e-9:
        scale = math.atan2(s, 0.5 * (trace - 1.0)) / s
        for k in range(3):
            out[k] *= scale


@njit(cache=True)
def _turn(R: Array, axis: Array, q: float, out: Array) -> None:
    """out = R Rot(axis, q), row by row with Rodrigues' formula."""
    c, s = math.cos(q), math.sin(q)
    x, y, z = axis
    for i in range(3):
        u, v, w = R[i, 0], R[i, 1], R[i, 2]
        along = (1.0 - c) * (u * x + v * y + w * z)
        out[i, 0] = c * u + s * (v * z - w * y) + along * x
        out[i, 1] = c * v + s * (w * x - u * z) + along * y
        out[i, 2] = c * w + s * (u * y - v * x) + along * z


@njit(cache=True)
def _multiply(A: Array, B: Array, out: Array) -> None:
    for i in range(3):
        for j in range(3):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]


@njit(cache=True)
def _advance(p: Array, R: Array, offset: Array) -> None:
    """p += R offset"""
    for i in range(3):
        p[i] += R[i, 0] * offset[0] + R[i, 1] * offset[1] + R[i, 2] * offset[2]


@njit(cache=True)
def forward(
    q: Array, offset: Array, R_offset: Array, axis: Array, p_site: Array, R_site: Array
) -> tuple[Array, Array, Array]:
    """Pose of the pad and its Jacobian (6, n), linear rows first, in the frame of the carrying body.

    Joint k is reached from joint k - 1 by `offset[k]`, `R_offset[k]`, then turns about `axis[k]`.
    """
    n = q.shape[0]
    p, R, turned = np.zeros(3), np.eye(3), np.empty((3, 3))
    J = np.zeros((6, n))  # the linear rows hold the anchors at first
    for k in range(n):
        _advance(p, R, offset[k])
        _multiply(R, R_offset[k], turned)
        _advance(J[3:, k], turned, axis[k])
        J[:3, k] = p
        _turn(turned, axis[k], q[k], R)
    _advance(p, R, p_site)
    for k in range(n):
        x, y, z = p[0] - J[0, k], p[1] - J[1, k], p[2] - J[2, k]
        a, b, c = J[3:, k]
        J[0, k], J[1, k], J[2, k] = b * z - c * y, c * x - a * z, a * y - b * x
    _multiply(R, R_site, turned)
    return p, turned, J


@njit(cache=True)
def damped_least_squares(J: Array, b: Array, damping: float, rest: Array) -> Array:
    """x that minimises |J x - b|^2 + damping^2 |x|^2 - 2 rest . x."""
    m, n = J.shape
    H, g, x = np.empty((n, n)), rest.copy(), np.empty(n)
    for i in range(n):
        for k in range(m):
            g[i] += J[k, i] * b[k]
        for j in range(i + 1):
            H[i, j] = damping * damping if i == j else 0.0
            for k in range(m):
                H[i, j] += J[k, i] * J[k, j]
    cholesky_solve(H, g, x)
    return x


@njit(cache=True)
def _limited_step(J: Array, error: Array, damping: float, rest: Array, low: Array, high: Array) -> Array:
    """A step of damped least squares within [low, high]; uses up its arguments.

    A joint that would pass its limit stops there, and the others take over what it cannot do.
    """
    n = J.shape[1]
    limited, free = np.zeros(n), np.ones(n, dtype=np.bool_)
    while True:
        step = damped_least_squares(J, error, damping, rest)
        # Beyond this the linearisation means nothing: a target out of reach would fold the limb.
        step *= _MAX_STEP / max(np.abs(step).max(), _MAX_STEP)
        stopped = False
        for k in range(n):
            if free[k] and not low[k] <= step[k] <= high[k]:
                stopped, free[k] = True, False
                limited[k] = min(max(step[k], low[k]), high[k])
                error -= J[:, k] * limited[k]
                J[:, k], rest[k] = 0.0, 0.0
        if not stopped:
            return np.where(free, step, limited)


@njit(cache=True)
def inverse(
    p_target: Array,
    R_target: Array,
    q_start: Array,
    q_rest: Array,
    low: Array,
    high: Array,
    rotation_weight: float,
    damping: float,
    iterations: int,
    offset: Array,
    R_offset: Array,
    axis: Array,
    p_site: Array,
    R_site: Array,
) -> Array:
    """Damped least squares: q that brings the pad to a target pose, within the joint limits.

    Each step solves min |W (J dq - e)|^2 + damping^2 |dq - dq_rest|^2; `q_rest` decides what
    the target leaves open (the elbow's swivel), the damping bounds steps near a straight limb.
    """
    q = np.minimum(np.maximum(q_start, low), high)
    error = np.empty(6)
    for _ in range(iterations):
        p, R, J = forward(q, offset, R_offset, axis, p_site, R_site)
        error[:3] = p_target - p
        _rotation_error(R_target, R, error[3:])
        error[3:] *= rotation_weight
        J[3:] *= rotation_weight
        close = np.abs(error).max() < 1e-5
        # The rest pose pulls ten times weaker than the damping: it only fills the null space.
        q += _limited_step(J, error, damping, 0.1 * damping * damping * (q_rest - q), low - q, high - q)
        if close:
            break
    return q


@dataclass(frozen=True, eq=False)
class LimbChain:
    """Geometry of one limb, read from the model."""

    carrier: int  # body that carries the limb
    actuators: NDArray[np.int64]  # (n,) motors of its joints, root to tip
    low: Array  # (n,) [rad]
    high: Array  # (n,) [rad]
    geometry: tuple[Array, Array, Array, Array, Array]  # offset, R_offset, axis, p_site, R_site

    def forward(self, q: Array) -> tuple[Array, Array, Array]:
        """Pad position, orientation and Jacobian in the frame of the carrying body."""
        return forward(q, *self.geometry)

    def inverse(
        self,
        p: Array,
        R: Array,
        q_start: Array,
        q_rest: Array,
        *,
        rotation_weight: float = 0.3,
        damping: float = 0.02,
        iterations: int = 6,
    ) -> Array:
        """Joint angles for a pad pose in the frame of the carrying body; see `inverse`."""
        return inverse(
            p,
            np.ascontiguousarray(R),
            q_start,
            q_rest,
            self.low,
            self.high,
            rotation_weight,
            damping,
            iterations,
            *self.geometry,
        )


def _quat_matrix(quat: Array) -> Array:
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, quat)
    return R.reshape(3, 3)


def read_chain(model: mujoco.MjModel, root_body: int, tip_body: int, site: int, joint_actuator: Array) -> LimbChain:
    """The chain of hinges from the parent of `root_body` to `tip_body` and the pad's `site` on it."""
    bodies = [tip_body]
    while bodies[0] != root_body:
        bodies.insert(0, int(model.body_parentid[bodies[0]]))
    offsets, rotations, axes, joints = [], [], [], []
    p, R = np.zeros(3), np.eye(3)  # from the last joint's frame to the next one's
    for body in bodies:
        p, R = p + R @ model.body_pos[body], R @ _quat_matrix(model.body_quat[body])
        start = int(model.body_jntadr[body])
        for j in range(start, start + int(model.body_jntnum[body])):
            if joint_actuator[j] < 0:  # the free joint of the root, where a limb is the trunk itself
                continue
            p = p + R @ model.jnt_pos[j]
            offsets.append(p)
            rotations.append(R)
            axes.append(model.jnt_axis[j].copy())
            joints.append(j)
            p, R = -model.jnt_pos[j], np.eye(3)
    p_site = p + R @ model.site_pos[site]
    R_site = R @ _quat_matrix(model.site_quat[site])
    return LimbChain(
        carrier=int(model.body_parentid[root_body]),
        actuators=np.array([joint_actuator[j] for j in joints], dtype=np.int64),
        low=model.jnt_range[joints, 0].copy(),
        high=model.jnt_range[joints, 1].copy(),
        geometry=(
            np.array(offsets).reshape(-1, 3),
            np.array(rotations).reshape(-1, 3, 3),
            np.array(axes).reshape(-1, 3),
            p_site,
            np.ascontiguousarray(R_site),
        ),
    )
