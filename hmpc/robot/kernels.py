"""Numba kernels over MuJoCo's arrays: the arithmetic of a tick that numpy is too slow for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from hmpc.types import Array


@njit(cache=True)
def mean_rotation(xquat: Array, cvel: Array, bodies: Array, weights: Array, R: Array, omega: Array) -> None:
    """Mass-weighted mean orientation and angular velocity of the body frame (Sec. 3.2.2).

    The mean of quaternions on one hemisphere, normalised: exact to third order in their
    spread, which the spine's joint limits keep small. `cvel` is MuJoCo's (rotation, translation).
    """
    q = np.zeros(4)
    omega[:] = 0.0
    first = xquat[bodies[0]]
    for k in range(bodies.shape[0]):
        b = bodies[k]
        same_side = 1.0
        if (xquat[b] * first).sum() < 0.0:
            same_side = -1.0
        for i in range(4):
            q[i] += same_side * weights[k] * xquat[b, i]
        for i in range(3):
            omega[i] += weights[k] * cvel[b, i]
    w, x, y, z = q / np.sqrt((q * q).sum())
    R[0, 0] = 1 - 2 * (y * y + z * z)
    R[0, 1] = 2 * (x * y - w * z)
    R[0, 2] = 2 * (x * z + w * y)
    R[1, 0] = 2 * (x * y + w * z)
    R[1, 1] = 1 - 2 * (x * x + z * z)
    R[1, 2] = 2 * (y * z - w * x)
    R[2, 0] = 2 * (x * z - w * y)
    R[2, 1] = 2 * (y * z + w * x)
    R[2, 2] = 1 - 2 * (x * x + y * y)


@njit(cache=True)
def gravity_torques(
    xaxis: Array, xanchor: Array, subtree_com: Array, subtree_mass: Array, joints: Array, bodies: Array, g: Array
) -> Array:
    """Torque that carries the weight of everything beyond each hinge.

    The sum over segments of -J_i^T m_i g collapses, for a hinge, to the moment of its
    subtree's weight about the joint: tau = -axis . ((c_subtree - anchor) x m_subtree g).
    """
    tau = np.empty(joints.shape[0])
    for k in range(joints.shape[0]):
        j, b = joints[k], bodies[k]
        r = subtree_com[b] - xanchor[j]
        tau[k] = -subtree_mass[b] * (
            xaxis[j, 0] * (r[1] * g[2] - r[2] * g[1])
            + xaxis[j, 1] * (r[2] * g[0] - r[0] * g[2])
            + xaxis[j, 2] * (r[0] * g[1] - r[1] * g[0])
        )
    return tau


@njit(cache=True)
def inertia_about(point: Array, com: Array, R: Array, mass: float, diagonal: Array) -> Array:
    """World-axes inertia of one link about `point` (parallel-axis theorem)."""
    r = com - point
    rr = (r * r).sum()
    inertia = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            value = 0.0
            for k in range(3):
                value += R[i, k] * diagonal[k] * R[j, k]
            inertia[i, j] = value - mass * r[i] * r[j]
        inertia[i, i] += mass * rr
    return inertia


@njit(cache=True)
def joint_mobility(
    xipos: Array, ximat: Array, mass: Array, inertia: Array, xaxis: Array, xanchor: Array, joint_group: Array
) -> Array:
    """A^T (I_c^-1 + I_p^-1) A of each anatomical joint [1/(kg m^2)], for Eq. 7.

    A joint is the set of hinges that connects a body to its parent; A holds their world
    axes, I_c and I_p are the inertias of child and parent link about the joint. Rows of
    `joint_group`: (child body, parent body, first joint, number of joints). Returns (G, 3, 3).
    """
    out = np.zeros((joint_group.shape[0], 3, 3))
    for k in range(joint_group.shape[0]):
        c, p, j0, n = joint_group[k]
        anchor = xanchor[j0]
        Ic = inertia_about(anchor, xipos[c], ximat[c].reshape(3, 3), mass[c], inertia[c])
        Ip = inertia_about(anchor, xipos[p], ximat[p].reshape(3, 3), mass[p], inertia[p])
        mobility = np.linalg.inv(Ic) + np.linalg.inv(Ip)
        for a in range(n):
            for b in range(n):
                value = 0.0
                for i in range(3):
                    for j in range(3):
                        value += xaxis[j0 + a, i] * mobility[i, j] * xaxis[j0 + b, j]
                out[k, a, b] = value
    return out
