"""A limb as a serial chain of hinges: forward and inverse kinematics without a simulator.

All in the frame of the body that carries the limb (the pelvis, the thorax), so that a
pose can be solved for targets while MuJoCo's own state stays untouched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    p, R, J, turned = np.empty(3), np.empty((3, 3)), np.empty((6, q.shape[0])), np.empty((3, 3))
    fill_forward(q, offset, R_offset, axis, p_site, R_site, p, R, J, turned)
    return p, R, J


@njit(cache=True)
def fill_forward(
    q: Array,
    offset: Array,
    R_offset: Array,
    axis: Array,
    p_site: Array,
    R_site: Array,
    p: Array,
    R: Array,
    J: Array,
    turned: Array,
) -> None:
    """`forward` into arrays that exist; `turned` (3, 3) is used up."""
    n = q.shape[0]
    p[:], R[:], J[3:] = 0.0, 0.0, 0.0
    R[0, 0] = R[1, 1] = R[2, 2] = 1.0
    for k in range(n):
        _advance(p, R, offset[k])
        _multiply(R, R_offset[k], turned)
        _advance(J[3:, k], turned, axis[k])
        J[0, k], J[1, k], J[2, k] = p[0], p[1], p[2]  # the anchor, at first
        _turn(turned, axis[k], q[k], R)
    _advance(p, R, p_site)
    for k in range(n):
        x, y, z = p[0] - J[0, k], p[1] - J[1, k], p[2] - J[2, k]
        a, b, c = J[3, k], J[4, k], J[5, k]
        J[0, k], J[1, k], J[2, k] = b * z - c * y, c * x - a * z, a * y - b * x
    turned[:] = R
    _multiply(turned, R_site, R)


@njit(cache=True)
def damped_least_squares(J: Array, b: Array, damping: float, rest: Array) -> Array:
    """x that minimises |J x - b|^2 + damping^2 |x|^2 - 2 rest . x."""
    n = J.shape[1]
    x = np.empty(n)
    _damped_least_squares(J, b, damping, rest, np.empty((n, n)), np.empty(n), x)
    return x


@njit(cache=True)
def _damped_least_squares(J: Array, b: Array, damping: float, rest: Array, H: Array, g: Array, x: Array) -> None:
    """The same into `x`; `H` (n, n) and `g` (n,) are used up."""
    m, n = J.shape
    for i in range(n):
        g[i] = rest[i]
        for k in range(m):
            g[i] += J[k, i] * b[k]
        for j in range(i + 1):
            h = damping * damping if i == j else 0.0
            for k in range(m):
                h += J[k, i] * J[k, j]
            H[i, j] = h
    cholesky_solve(H, g, x)


@njit(cache=True)
def _limited_step(
    J: Array, error: Array, damping: float, rest: Array, low: Array, high: Array, H: Array, g: Array, step: Array
) -> None:
    """Into `step` a step of damped least squares within [low, high]; uses up its other arguments.

    A joint that would pass its limit stops there, and the others take over what it cannot do.
    """
    m, n = J.shape
    limited, free = np.zeros(n), np.ones(n, dtype=np.bool_)
    stopped = True
    while stopped:
        _damped_least_squares(J, error, damping, rest, H, g, step)
        # Beyond this the linearisation means nothing: a target out of reach would fold the limb.
        largest = _MAX_STEP
        for k in range(n):
            largest = max(largest, abs(step[k]))
        stopped = False
        for k in range(n):
            step[k] *= _MAX_STEP / largest
            if free[k] and not low[k] <= step[k] <= high[k]:
                stopped, free[k] = True, False
                limited[k] = min(max(step[k], low[k]), high[k])
                for i in range(m):
                    error[i] -= J[i, k] * limited[k]
                    J[i, k] = 0.0
                rest[k] = 0.0
    for k in range(n):
        if not free[k]:
            step[k] = limited[k]


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
    n = len(q_start)
    q = np.minimum(np.maximum(q_start, low), high)
    p, R, turned = np.empty(3), np.empty((3, 3)), np.empty((3, 3))
    J, H, error = np.empty((6, n)), np.empty((n, n)), np.empty(6)
    g, step, rest, down, up = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for _ in range(iterations):
        fill_forward(q, offset, R_offset, axis, p_site, R_site, p, R, J, turned)
        _rotation_error(R_target, R, error[3:])
        largest = 0.0
        for i in range(3):
            error[i] = p_target[i] - p[i]
            error[3 + i] *= rotation_weight
            largest = max(largest, abs(error[i]), abs(error[3 + i]))
            for k in range(n):
                J[3 + i, k] *= rotation_weight
        for k in range(n):
            # The rest pose pulls ten times weaker than the damping: it only fills the null space.
            rest[k] = 0.1 * damping * damping * (q_rest[k] - q[k])
            down[k], up[k] = low[k] - q[k], high[k] - q[k]
        _limited_step(J, error, damping, rest, down, up, H, g, step)
        for k in range(n):
            q[k] += step[k]
        if largest < 1e-5:
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
