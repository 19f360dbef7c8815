"""A limb as a serial chain of hinges: forward and inverse kinematics without a simulator.

All in the frame of the body that carries the limb (the pelvis, the thorax), so that a
pose can be solved for targets while MuJoCo's own state stays untouched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.types import Array

_MAX_STEP = 0.3  # [rad] of a joint in one iteration of inverse kinematics


@njit(cache=True)
def _rotation_log(R: Array) -> Array:
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) * 0.5
    s = np.sqrt((axis * axis).sum())
    if s < 1e-9:
        return axis
    return axis * (np.arctan2(s, 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)) / s)


@njit(cache=True)
def _axis_rotation(a: Array, q: float) -> Array:
    c, s = np.cos(q), np.sin(q)
    v = 1.0 - c
    return np.array(
        [
            [c + a[0] * a[0] * v, a[0] * a[1] * v - a[2] * s, a[0] * a[2] * v + a[1] * s],
            [a[1] * a[0] * v + a[2] * s, c + a[1] * a[1] * v, a[1] * a[2] * v - a[0] * s],
            [a[2] * a[0] * v - a[1] * s, a[2] * a[1] * v + a[0] * s, c + a[2] * a[2] * v],
        ]
    )


@njit(cache=True)
def forward(
    q: Array, offset: Array, R_offset: Array, axis: Array, p_site: Array, R_site: Array
) -> tuple[Array, Array, Array]:
    """Pose of the pad and its Jacobian (6, n), linear rows first, in the frame of the carrying body.

    Joint k is reached from joint k - 1 by `offset[k]`, `R_offset[k]`, then turns about `axis[k]`.
    """
    n = q.shape[0]
    anchors, axes = np.empty((n, 3)), np.empty((n, 3))
    p, R = np.zeros(3), np.eye(3)
    for k in range(n):
        p = p + R @ offset[k]
        R = R @ R_offset[k]
        anchors[k] = p
        axes[k] = R @ axis[k]
        R = R @ _axis_rotation(axis[k], q[k])
    p = p + R @ p_site
    J = np.empty((6, n))
    for k in range(n):
        J[:3, k] = np.cross(axes[k], p - anchors[k])
        J[3:, k] = axes[k]
    return p, R @ R_site, J


@njit(cache=True)
def _limited_step(J: Array, error: Array, damping: float, rest: Array, low: Array, high: Array) -> Array:
    """A step of damped least squares within [low, high]; uses up its arguments.

    A joint that would pass its limit stops there, and the others take over what it cannot do.
    """
    n = J.shape[1]
    limited, free = np.zeros(n), np.ones(n, dtype=np.bool_)
    while True:
        step = np.linalg.solve(J.T @ J + damping * damping * np.eye(n), J.T @ error + rest)
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
        error[3:] = rotation_weight * _rotation_log(R_target @ R.T)
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
            p, R, q_start, q_rest, self.low, self.high, rotation_weight, damping, iterations, *self.geometry
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
        geometry=(np.array(offsets), np.array(rotations), np.array(axes), p_site, np.ascontiguousarray(R_site)),
    )
