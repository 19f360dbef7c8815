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
_PACKED = 42  # numbers in two states (18 each), an acceleration and a torque


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
    return desired_wrench_of_arrays(
        (state.com_W, state.vel_W, state.R_WB, state.omega_W),
        (desired.com_W, desired.vel_W, desired.R_WB, desired.omega_W),
        acc_W,
        mass,
        params,
        torque_W,
    )


def desired_wrench_of_arrays(
    state: tuple[Array, Array, Array, Array],
    desired: tuple[Array, Array, Array, Array],
    acc_W: Array,
    mass: float,
    params: TrackingParams,
    torque_W: Array = _NO_TORQUE,
) -> Array:
    """`desired_wrench` for states that are plain arrays (com_W, vel_W, R_WB, omega_W)."""
    # One array, so that the kernel has one signature whatever is read-only or strided.
    packed = np.concatenate((*state, *desired, acc_W, torque_W), axis=None, dtype=np.float64)
    if packed.size != _PACKED:
        raise InputError(f"Two states, an acceleration and a torque have {_PACKED} numbers, got {packed.size}.")
    return _wrench(
        packed,
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
    packed: Array,
    mass: float,
    scale: float,
    kp_force: float,
    kd_force: float,
    kp_torque: float,
    kd_torque: float,
    gravity: float,
) -> Array:
    wrench = np.empty(6)
    phi_x, phi_y, phi_z = _rotation_error(packed[24:33], packed[6:15])
    wrench[3], wrench[4], wrench[5] = scale * kp_torque * phi_x, scale * kp_torque * phi_y, scale * kp_torque * phi_z
    for k in range(3):
        com, vel, omega = packed[k], packed[3 + k], packed[15 + k]
        com_D, vel_D, omega_D = packed[18 + k], packed[21 + k], packed[33 + k]
        acc_D, torque = packed[36 + k], packed[39 + k]
        wrench[k] = scale * (kp_force * (com_D - com) + kd_force * (vel_D - vel)) + mass * acc_D
        wrench[3 + k] += scale * kd_torque * (omega_D - omega) + torque
    wrench[2] += mass * gravity
    return wrench


@njit(cache=True, error_model="numpy")
def _rotation_error(R_D: Array, R: Array) -> tuple[float, float, float]:
    """φ of two row-major rotation matrices (9,): `hmpc.geometry.rotation_error`, compiled."""
    E = np.empty((3, 3))  # R_D Rᵀ
    for i in range(3):
        for j in range(3):
            E[i, j] = R_D[3 * i] * R[3 * j] + R_D[3 * i + 1] * R[3 * j + 1] + R_D[3 * i + 2] * R[3 * j + 2]
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
