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


@njit(cache=True)
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
    com, vel, R, omega = packed[0:3], packed[3:6], packed[6:15].reshape(3, 3), packed[15:18]
    com_D, vel_D, R_D, omega_D = packed[18:21], packed[21:24], packed[24:33].reshape(3, 3), packed[33:36]
    acc_D, torque = packed[36:39], packed[39:42]
    phi = _rotation_error(R_D, R)
    wrench = np.empty(6)
    for k in range(3):
        wrench[k] = scale * (kp_force * (com_D[k] - com[k]) + kd_force * (vel_D[k] - vel[k])) + mass * acc_D[k]
        wrench[3 + k] = scale * (kp_torque * phi[k] + kd_torque * (omega_D[k] - omega[k])) + torque[k]
    wrench[2] += mass * gravity
    return wrench


@njit(cache=True)
def _rotation_error(R_D: Array, R: Array) -> Array:
    """φ: `hmpc.geometry.rotation_error`, compiled."""
    E = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            for k in range(3):
                E[i, j] += R_D[i, k] * R[j, k]
    phi = np.array([0.5 * (E[2, 1] - E[1, 2]), 0.5 * (E[0, 2] - E[2, 0]), 0.5 * (E[1, 0] - E[0, 1])])
    sine = math.sqrt(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2])
    cosine = 0.5 * (E[0, 0] + E[1, 1] + E[2, 2] - 1.0)
    angle = math.atan2(sine, cosine)
    if sine > 1e-6:
        phi *= angle / sine
    elif cosine < 0.0:
        # Near pi the antisymmetric part vanishes; the axis is the largest column of E + 1.
        c = 0
        for k in range(1, 3):
            if E[k, k] > E[c, c]:
                c = k
        E[c, c] += 1.0
        phi[:] = E[:, c]
        phi *= angle / math.sqrt(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2])
    return phi
