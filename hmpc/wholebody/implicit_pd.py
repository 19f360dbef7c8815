"""Posture control by PD, explicit in position and implicit in velocity (Sec. 4, Eqs. 5-7).

    tau = kp (theta_d - theta) + kd (omega_d - omega')          (5)
    omega' = omega + dt (I_c^-1 + I_p^-1) tau                   (6)
    tau = (1 + dt kd (I_c^-1 + I_p^-1))^-1
          (kp (theta_d - theta) + kd (omega_d - omega))         (7)

with the signs and the factor of docs/equations.md. Each anatomical joint is solved on its
own. A joint made of n hinges has the n x n form: tau and the errors along its axes A,
and the mobility A^T (I_c^-1 + I_p^-1) A that RobotModel.joint_mobility gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.types import Array


@njit(cache=True)
def explicit_pd(kp: Array, kd: Array, error: Array, velocity_error: Array) -> Array:
    """Eq. 5 with the velocity of now: unstable at large steps; for comparison."""
    return kp * error + kd * velocity_error


@njit(cache=True)
def implicit_pd(
    kp: Array, kd: Array, error: Array, velocity_error: Array, mobility: Array, groups: NDArray[np.int64], dt: float
) -> Array:
    """Eq. 7 for every joint; errors are desired minus actual, in actuator order."""
    tau = kp * error + kd * velocity_error
    system = np.empty((3, 3))
    for g in range(groups.shape[0]):
        n, k = groups[g, 3], groups[g, 4]
        for a in range(n):
            for b in range(n):
                system[a, b] = dt * kd[k + a] * mobility[g, a, b]
            system[a, a] += 1.0
        _solve(system[:n, :n], tau[k : k + n])
    return tau


@njit(cache=True)
def _solve(matrix: Array, b: Array) -> None:
    """b becomes matrix⁻¹ b by Gaussian elimination, which uses up the matrix.

    1 + D M with a diagonal D >= 0 and a positive M has pivots of at least 1: none has to be searched for.
    """
    n = b.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            factor = matrix[j, i] / matrix[i, i]
            b[j] -= factor * b[i]
            for k in range(i + 1, n):
                matrix[j, k] -= factor * matrix[i, k]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            b[i] -= matrix[i, k] * b[k]
        b[i] /= matrix[i, i]
