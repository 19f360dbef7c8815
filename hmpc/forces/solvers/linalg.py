"""Linear algebra in six or so dimensions, where a call to LAPACK costs more than the arithmetic."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from numba import njit

if TYPE_CHECKING:
    from hmpc.types import Array


@njit(cache=True, error_model="numpy")
def add_outer(matrix: Array, v: Array, factor: float) -> None:
    """matrix += factor v vᵀ, lower triangle."""
    for j in range(v.size):
        for k in range(j + 1):
            matrix[j, k] += factor * v[j] * v[k]


@njit(cache=True, error_model="numpy")
def cholesky_solve(matrix: Array, b: Array, x: Array) -> None:
    """x = matrix⁻¹ b, from the lower triangle of a positive definite matrix, which its factor overwrites."""
    cholesky_factor(matrix)
    cholesky_substitute(matrix, b, x)


@njit(cache=True, error_model="numpy")
def cholesky_factor(matrix: Array) -> None:
    """The lower triangle of a positive definite matrix becomes that of its factor."""
    m = matrix.shape[0]
    for j in range(m):
        for i in range(j, m):
            s = matrix[i, j]
            for k in range(j):
                s -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = math.sqrt(s) if i == j else s / matrix[j, j]


@njit(cache=True, error_model="numpy")
def cholesky_substitute(matrix: Array, b: Array, x: Array) -> None:
    """x = matrix⁻¹ b, by the factor of the matrix; x may be b."""
    m = b.size
    for i in range(m):
        s = b[i]
        for k in range(i):
            s -= matrix[i, k] * x[k]
        x[i] = s / matrix[i, i]
    for i in range(m - 1, -1, -1):
        s = x[i]
        for k in range(i + 1, m):
            s -= matrix[k, i] * x[k]
        x[i] = s / matrix[i, i]


@njit(cache=True, error_model="numpy")
def dot(a: Array, b: Array) -> float:
    s = 0.0
    for j in range(a.size):
        s += a[j] * b[j]
    return s


@njit(cache=True, error_model="numpy")
def sum_abs(a: Array) -> float:
    """|a|₁, which unlike a maximum never hides a NaN."""
    s = 0.0
    for j in range(a.size):
        s += abs(a[j])
    return s
