"""Eq. 2: the wrench on the body that brings it back to its plan."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.errors import InputError

if TYPE_CHECKING:
    from hmpc.params import TrackingParams
    from hmpc.types import Array, FrbState

_NO_TORQUE = np.zeros(3)


def desired_wrench(
    state: FrbState,
    desired: FrbState,
    acc_W: Array,
    mass: float,
    params: TrackingParams,
    torque_W: Array = _NO_TORQUE,
) -> Array:
    """[Zimmermann, Eq. 2] The net contact wrench (6,) [N, N m] about the COM, as [f_D, τ_D]:

        f_D = k_p,f (x_D − x) + k_d,f (v_D − v) + m (a_D − g)
        τ_D = k_p,τ φ(R_D, R) + k_d,τ (ω_D − ω) + τ_ff

    φ is the rotation vector that takes R to R_D. The gains scale with the mass. `acc_W` is the
    desired acceleration a_D of the COM; `torque_W` is a feed-forward τ_ff that the paper does not have.
    """
    if acc_W.shape != (3,) or torque_W.shape != (3,):
        raise InputError(f"An acceleration and a torque have shape (3,), got {acc_W.shape} and {torque_W.shape}.")
    return _wrench(
        state.numbers,
        desired.numbers,
        acc_W,
        torque_W,
        mass,
        mass / params.reference_mass,
        params.kp_force,
        params.kd_force,
        params.kp_torque,
        params.kd_torque,
        params.gravity,
    )


@njit(cache=True, error_model="numpy")
def _wrench(
    state: Array,
    desired: Array,
    acc: Array,
    torque: Array,
    mass: float,
    scale: float,
    kp_force: float,
    kd_force: float,
    kp_torque: float,
    kd_torque: float,
    gravity: float,
) -> Array:
    """`desired_wrench` of states that are tables (6, 3)."""
    wrench = np.empty(6)
    phi_x, phi_y, phi_z = _rotation_error(desired[2:5], state[2:5])
    wrench[3], wrench[4], wrench[5] = scale * kp_torque * phi_x, scale * kp_torque * phi_y, scale * kp_torque * phi_z
    for k in range(3):
        com, vel, omega = state[0, k], state[1, k], state[5, k]
        com_D, vel_D, omega_D = desired[0, k], desired[1, k], desired[5, k]
        wrench[k] = scale * (kp_force * (com_D - com) + kd_force * (vel_D - vel)) + mass * acc[k]
        wrench[3 + k] += scale * kd_torque * (omega_D - omega) + torque[k]
    wrench[2] += mass * gravity
    return wrench


@njit(cache=True, error_model="numpy")
def _rotation_error(R_D: Array, R: Array) -> tuple[float, float, float]:
    """φ of two rotation matrices: `hmpc.geometry.rotation_error`, compiled."""
    E = np.empty((3, 3))  # R_D Rᵀ
    for i in range(3):
        for j in range(3):
            E[i, j] = R_D[i, 0] * R[j, 0] + R_D[i, 1] * R[j, 1] + R_D[i, 2] * R[j, 2]
    x, y, z = 0.5 * (E[2, 1] - E[1, 2]), 0.5 * (E[0, 2] - E[2, 0]), 0.5 * (E[1, 0] - E[0, 1])
    sine, cosine = math.sqrt(x * x + y * y + z * z), 0.5 * (E[0, 0] + E[1, 1] + E[2, 2] - 1.0)
    angle = math.atan2(sine, cosine)
    factor = 1.0
    if sine > 1e-6:
        factor = angle / sine
    elif cosine < 0.0:
        # Near pi the antisymmetric part vanishes; the axis is the largest column of E + 1.
        largest = 0
        for k in range(1, 3):
            if E[k, k] > E[largest, largest]:
                largest = k
        E[largest, largest] += 1.0
        x, y, z = E[0, largest], E[1, largest], E[2, largest]
        factor = angle / math.sqrt(x * x + y * y + z * z)
    return factor * x, factor * y, factor * z
