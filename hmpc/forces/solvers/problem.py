"""Eqs. 3 and 4 as the quadratic program that every solver takes, and the way back to forces in the world."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.types import Array

# Columns of the table of contact points that the kernels read.
POSITION, NORMAL = slice(0, 3), slice(3, 6)
MU, CAP, BILATERAL, WEIGHT = 6, 7, 8, 9
COLUMNS = 10

# Contact axes come from the smallest rotation of +z to the normal; below this z of the normal, of -z,
# because the former is singular at -z.
_OVERHANG = -0.9


class ForceTask(NamedTuple):
    """What Eq. 4 is about, in world axes; contiguous, so that kernels have one signature."""

    points: Array  # (N, 10) see the columns above; one row a contact
    com_W: Array  # (3,) [m]
    wrench_W: Array  # (6,) [N, N m] wanted, about the COM
    rows: Array  # (k, 3 N) further linear functions of the forces ...
    target: Array  # (k,) ... what they should be ...
    row_weight: Array  # (k,) ... and the weight of their squared error
    linear_weight: float  # S of Eq. 4
    angular_weight: float


class ForceProblem(NamedTuple):
    """min ½ |B f − β|² + ½ Σ wᵢ |fᵢ|²  subject to  fᵢ ∈ Kᵢ,  for N forces fᵢ.

    The forces are in contact axes: tangent 1, tangent 2, normal. The weights S of Eq. 4 are part of
    B = √S A and β = √S b; its W is isotropic at each contact, so it looks the same in any axes.

        Kᵢ = {|f₁|, |f₂| ≤ μ f₃,  0 ≤ f₃ ≤ cap}     friction pyramid
        Kᵢ = {|f₁|, |f₂|, |f₃| ≤ cap}               bilateral: a closed hand
    """

    B: Array  # (m, 3 N)
    beta: Array  # (m,)
    w: Array  # (N,) > 0
    mu: Array  # (N,) half-width of the pyramid at unit height
    cap: Array  # (N,) [N], may be inf
    bilateral: NDArray[np.bool_]  # (N,)


# From a task to the forces (N, 3) and the wrench error (6,), in world axes, and whether they are the optimum.
Solver = Callable[[ForceTask], tuple["Array", "Array", bool]]


@njit(cache=True, error_model="numpy")
def assemble(
    points: Array,
    com_W: Array,
    wrench_W: Array,
    rows: Array,
    target: Array,
    row_weight: Array,
    linear_weight: float,
    angular_weight: float,
) -> tuple[Array, Array, Array, Array, Array, NDArray[np.bool_], Array, bool]:
    """The fields of a `ForceProblem`, the contact axes R_WC (N, 3, 3), and whether all numbers are usable.

    [Zimmermann, Eq. 3] Aᵢ = [1; [rᵢ]×] with rᵢ = pᵢ − c: see docs/equations.md. Further rows stand below it.
    """
    n, m = points.shape[0], 6 + target.size
    s, beta = np.empty(m), np.empty(m)  # s: √S
    size = 0.0  # sum of all magnitudes: finite if they are
    for j in range(m):
        if j < 6:
            s[j], beta[j] = math.sqrt(linear_weight if j < 3 else angular_weight), wrench_W[j]
        else:
            s[j], beta[j] = math.sqrt(row_weight[j - 6]), target[j - 6]
        beta[j] *= s[j]
        size += abs(beta[j])

    B, R_WC = np.empty((m, 3 * n)), np.empty((n, 3, 3))
    for i in range(n):
        _fill_contact_axes(points[i, NORMAL], R_WC[i])
        rx, ry, rz = points[i, 0] - com_W[0], points[i, 1] - com_W[1], points[i, 2] - com_W[2]
        for axis in range(3):
            column = 3 * i + axis
            x, y, z = R_WC[i, 0, axis], R_WC[i, 1, axis], R_WC[i, 2, axis]
            B[0, column], B[1, column], B[2, column] = x, y, z
            B[3, column], B[4, column], B[5, column] = ry * z - rz * y, rz * x - rx * z, rx * y - ry * x
            for k in range(target.size):
                B[6 + k, column] = rows[k, 3 * i] * x + rows[k, 3 * i + 1] * y + rows[k, 3 * i + 2] * z
            for j in range(m):
                B[j, column] *= s[j]
                size += abs(B[j, column])

    w, mu, cap, bilateral = np.empty(n), np.empty(n), np.empty(n), np.empty(n, dtype=np.bool_)
    usable = math.isfinite(size)
    for i in range(n):
        w[i], mu[i], bilateral[i] = points[i, WEIGHT], points[i, MU], points[i, BILATERAL] != 0.0
        cap[i] = 0.0 if points[i, CAP] < 0.0 else points[i, CAP]
        usable = usable and 0.0 < w[i] < math.inf and 0.0 <= mu[i] < math.inf and cap[i] >= 0.0
    return B, beta, w, mu, cap, bilateral, R_WC, usable


@njit(cache=True, error_model="numpy")
def to_world(force_C: Array, R_WC: Array, points: Array, com_W: Array, wrench_W: Array) -> tuple[Array, Array]:
    """Forces (N, 3) from contact to world axes, and their wrench error."""
    force_W = np.empty(force_C.shape)
    for i in range(force_C.shape[0]):
        for k in range(3):
            force_W[i, k] = (
                R_WC[i, k, 0] * force_C[i, 0] + R_WC[i, k, 1] * force_C[i, 1] + R_WC[i, k, 2] * force_C[i, 2]
            )
    return force_W, wrench_error(force_W, points, com_W, wrench_W)


@njit(cache=True, error_model="numpy")
def wrench_error(force_W: Array, points: Array, com_W: Array, wrench_W: Array) -> Array:
    """A f − b (6,): the net wrench about the COM minus the wanted one."""
    error = np.empty(6)
    for k in range(6):
        error[k] = -wrench_W[k]
    for i in range(force_W.shape[0]):
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            error[k] += force_W[i, k]
            error[3 + k] += (points[i, a] - com_W[a]) * force_W[i, b] - (points[i, b] - com_W[b]) * force_W[i, a]
    return error


@njit(cache=True, error_model="numpy")
def _fill_contact_axes(normal_W: Array, R_WC: Array) -> None:
    """Columns tangent 1, tangent 2, normal; for a normal along z the tangents are x and y."""
    x, y, z = normal_W[0], normal_W[1], normal_W[2]
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    up = 1.0 if z > _OVERHANG else -1.0
    a = 1.0 / (1.0 + up * z)
    R_WC[0, 0], R_WC[1, 0], R_WC[2, 0] = 1.0 - x * x * a, -x * y * a, -up * x
    R_WC[0, 1], R_WC[1, 1], R_WC[2, 1] = -up * x * y * a, up * (1.0 - y * y * a), -y
    R_WC[0, 2], R_WC[1, 2], R_WC[2, 2] = x, y, z
