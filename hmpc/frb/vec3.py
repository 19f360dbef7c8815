"""Three-vectors as tuples and rotation matrices as arrays, for use inside numba kernels.

Tuples live in registers: a kernel that calls these allocates nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from numba import njit

if TYPE_CHECKING:
    from hmpc.types import Array

Vec3 = tuple[float, float, float]


@njit(cache=True)
def get(array: Array, i: int) -> Vec3:
    """Row i of an array (n, 3)."""
    return array[i, 0], array[i, 1], array[i, 2]


@njit(cache=True)
def put(array: Array, i: int, v: Vec3) -> None:
    """Write row i of an array (n, 3)."""
    array[i, 0], array[i, 1], array[i, 2] = v


@njit(cache=True)
def add(a: Vec3, b: Vec3) -> Vec3:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@njit(cache=True)
def sub(a: Vec3, b: Vec3) -> Vec3:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit(cache=True)
def scale(s: float, a: Vec3) -> Vec3:
    return s * a[0], s * a[1], s * a[2]


@njit(cache=True)
def axpy(s: float, a: Vec3, b: Vec3) -> Vec3:
    """s a + b."""
    return s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2]


@njit(cache=True)
def dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def cross(a: Vec3, b: Vec3) -> Vec3:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def norm(a: Vec3) -> float:
    return math.sqrt(dot(a, a))


@njit(cache=True)
def column(R: Array, j: int) -> Vec3:
    return R[0, j], R[1, j], R[2, j]


@njit(cache=True)
def apply(R: Array, v: Vec3) -> Vec3:
    """R v."""
    return (
        R[0, 0] * v[0] + R[0, 1] * v[1] + R[0, 2] * v[2],
        R[1, 0] * v[0] + R[1, 1] * v[1] + R[1, 2] * v[2],
        R[2, 0] * v[0] + R[2, 1] * v[1] + R[2, 2] * v[2],
    )


@njit(cache=True)
def apply_transposed(R: Array, v: Vec3) -> Vec3:
    """R^T v."""
    return dot(column(R, 0), v), dot(column(R, 1), v), dot(column(R, 2), v)


@njit(cache=True)
def rotate(phi: Vec3, R: Array, out: Array) -> None:
    """out = exp([phi]x) R, column by column with Rodrigues' formula: orthonormal for every phi."""
    angle = norm(phi)
    s, c = 1.0, 0.5  # limits of sin(a)/a and (1 - cos(a))/a^2
    if angle > 1e-6:
        s = math.sin(angle) / angle
        c = (1.0 - math.cos(angle)) / (angle * angle)
    for j in range(3):
        u = column(R, j)
        w = cross(phi, u)
        out[0, j], out[1, j], out[2, j] = axpy(c, cross(phi, w), axpy(s, w, u))


@njit(cache=True)
def rotation_between(R_from: Array, R_to: Array) -> Vec3:
    """World-frame rotation vector phi with R_to = exp([phi]x) R_from, for angles below pi."""
    twice = (0.0, 0.0, 0.0)  # R_to R_from^T has the antisymmetric part sum_j [from_j x to_j]x / 2
    cosine = -1.0
    for j in range(3):
        a, b = column(R_from, j), column(R_to, j)
        twice = add(twice, cross(a, b))
        cosine += dot(a, b)
    sine = 0.5 * norm(twice)
    factor = 0.5  # limit of angle / (2 sin(angle))
    if sine > 1e-9:
        factor = 0.5 * math.atan2(sine, 0.5 * cosine) / sine
    return scale(factor, twice)
