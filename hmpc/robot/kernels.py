"""Numba kernels over MuJoCo's arrays: the arithmetic of a tick that numpy is too slow for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.types import Array

    Indices = NDArray[np.int64]
    Vector = Array | tuple[float, float, float]


@njit(cache=True)
def _mean_rotation(xquat: Array, cvel: Array, bodies: Indices, weights: Array, R: Array, omega: Array) -> None:
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
def _pad_states(
    site_xpos: Array,
    site_xmat: Array,
    cvel: Array,
    com: Array,
    bodies: Indices,
    sites: Indices,
    normals: Array,
    forces: Array,
    out: Array,
) -> None:
    """Rows of `hmpc.types.Limbs` for sites fixed to bodies.

    `cvel` is MuJoCo's: rotation, and translation of the point of a body that is at the character's COM.
    """
    for k in range(sites.shape[0]):
        b, s = bodies[k], sites[k]
        x, y, z = site_xpos[s, 0] - com[0], site_xpos[s, 1] - com[1], site_xpos[s, 2] - com[2]
        wx, wy, wz = cvel[b, 0], cvel[b, 1], cvel[b, 2]
        out[k, 4, 0] = cvel[b, 3] + wy * z - wz * y
        out[k, 4, 1] = cvel[b, 4] + wz * x - wx * z
        out[k, 4, 2] = cvel[b, 5] + wx * y - wy * x
        for i in range(3):
            out[k, 0, i] = site_xpos[s, i]
            for j in range(3):
                out[k, 1 + i, j] = site_xmat[s, 3 * i + j]
            out[k, 5, i] = cvel[b, i]
            out[k, 6, i] = normals[k, i]
            out[k, 7, i] = forces[k, i]


@njit(cache=True)
def observe(
    xquat: Array,
    cvel: Array,
    subtree_com: Array,
    subtree_linvel: Array,
    subtree_angmom: Array,
    site_xpos: Array,
    site_xmat: Array,
    root: int,
    trunk: Indices,
    trunk_weights: Array,
    pad_bodies: Indices,
    pad_sites: Indices,
    normals: Array,
    forces: Array,
    out: Array,
) -> None:
    """All that is measured: the rows of `FrbState.of`, the angular momentum, and those of `Limbs`, limb by limb."""
    out[0], out[1], out[6] = subtree_com[root], subtree_linvel[root], subtree_angmom[root]
    _mean_rotation(xquat, cvel, trunk, trunk_weights, out[2:5], out[5])
    pads = out[7:].reshape(-1, 8, 3)
    _pad_states(site_xpos, site_xmat, cvel, out[0], pad_bodies, pad_sites, normals, forces, pads)


@njit(cache=True)
def hinge_jacobian(xaxis: Array, xanchor: Array, joints: Indices, p: Array) -> Array:
    """(6, n) of a point beyond hinges, linear rows first: column k is (a_k x (p - r_k), a_k)."""
    J = np.empty((6, joints.shape[0]))
    for k in range(joints.shape[0]):
        j = joints[k]
        x, y, z = p[0] - xanchor[j, 0], p[1] - xanchor[j, 1], p[2] - xanchor[j, 2]
        ax, ay, az = xaxis[j, 0], xaxis[j, 1], xaxis[j, 2]
        J[0, k] = ay * z - az * y
        J[1, k] = az * x - ax * z
        J[2, k] = ax * y - ay * x
        J[3, k], J[4, k], J[5, k] = ax, ay, az
    return J


@njit(cache=True)
def velocity_products(
    xaxis: Array, xanchor: Array, joints: Indices, start: Array, p: Array, omega: Array, rates: Array
) -> Array:
    """(6,) dJ/dt q': how a point p beyond hinges, which turns at `omega`, accelerates while all rates stay as they are.

    From the carrying body at `start`, which goes on as it does, hinge by hinge; linear rows first.
    """
    n, (wx, wy, wz), (lx, ly, lz) = joints.shape[0], omega, start
    for k in range(n):
        ax, ay, az = xaxis[joints[k]]
        wx, wy, wz = wx - rates[k] * ax, wy - rates[k] * ay, wz - rates[k] * az
    linear, angular = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(n + 1):
        x, y, z = xanchor[joints[k]] if k < n else p
        arm = x - lx, y - ly, z - lz
        w = wx, wy, wz
        (ax, ay, az), (cx, cy, cz) = cross(angular, arm), cross(w, cross(w, arm))
        linear = linear[0] + ax + cx, linear[1] + ay + cy, linear[2] + az + cz
        if k < n:
            ax, ay, az = xaxis[joints[k]]
            spin = rates[k] * ax, rates[k] * ay, rates[k] * az
            cx, cy, cz = cross(w, spin)
            angular = angular[0] + cx, angular[1] + cy, angular[2] + cz
            wx, wy, wz = wx + spin[0], wy + spin[1], wz + spin[2]
        lx, ly, lz = x, y, z
    return np.array([linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]])


@njit(cache=True)
def cross(a: Vector, b: Vector) -> tuple[float, float, float]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def force_torques(
    xaxis: Array,
    xanchor: Array,
    joints: Indices,
    carries: NDArray[np.bool_],
    limb: Indices,
    points: Array,
    forces: Array,
) -> Array:
    """sum_i J_i^T f_i of forces at points on limbs: a . sum (p - r) x f for each hinge between the limb and the root.

    `carries[l, k]` says whether hinge k lies on the way from limb l to the root.
    """
    n_limbs, n = carries.shape
    total = np.zeros((n_limbs, 6))  # force, and moment about the world's origin
    for i in range(points.shape[0]):
        p, f, t = points[i], forces[i], total[limb[i]]
        for c in range(3):
            t[c] += f[c]
        t[3] += p[1] * f[2] - p[2] * f[1]
        t[4] += p[2] * f[0] - p[0] * f[2]
        t[5] += p[0] * f[1] - p[1] * f[0]
    tau = np.zeros(n)
    for k in range(n):
        j = joints[k]
        r, a = xanchor[j], xaxis[j]
        for i in range(n_limbs):
            if carries[i, k]:
                t = total[i]
                tau[k] += a[0] * (t[3] - r[1] * t[2] + r[2] * t[1])
                tau[k] += a[1] * (t[4] - r[2] * t[0] + r[0] * t[2])
                tau[k] += a[2] * (t[5] - r[0] * t[1] + r[1] * t[0])
    return tau


@njit(cache=True)
def gravity_torque(axis: Array, anchor: Array, com: Array, mass: float, g: Array) -> float:
    """Torque of a hinge that carries the weight of everything beyond it.

    The sum over segments of -J_i^T m_i g collapses, for a hinge, to the moment of its
    subtree's weight about the joint: tau = -axis . ((c_subtree - anchor) x m_subtree g).
    """
    x, y, z = com[0] - anchor[0], com[1] - anchor[1], com[2] - anchor[2]
    return -mass * (axis[0] * (y * g[2] - z * g[1]) + axis[1] * (z * g[0] - x * g[2]) + axis[2] * (x * g[1] - y * g[0]))


@njit(cache=True)
def fill_accelerations(acc: Array, joint_acceleration: Array, root_dof: int, dof: Indices, qacc: Array) -> None:
    """Generalised accelerations (nv,) of a trunk that accelerates without turning, and of the joints (nu,)."""
    qacc[:] = 0.0
    for i in range(3):
        qacc[root_dof + i] = acc[i]
    for k in range(dof.shape[0]):
        qacc[dof[k]] = joint_acceleration[k]


@njit(cache=True)
def split_dynamics(
    force: Array,
    xmat: Array,
    xpos: Array,
    root: int,
    root_dof: int,
    subtree_com: Array,
    subtree_mass: Array,
    g: Array,
    xaxis: Array,
    xanchor: Array,
    joints: Indices,
    bodies: Indices,
    dof: Indices,
    out: Array,
) -> None:
    """Generalised forces (nv,) as (2 nu + 3,): torques of the weight, torques of the rest, and the moment on the COM.

    Those of the root are a force at its position and a moment along its own axes.
    """
    n = len(dof)
    for k in range(n):
        j, b = joints[k], bodies[k]
        out[k] = gravity_torque(xaxis[j], xanchor[j], subtree_com[b], subtree_mass[b], g)
        out[n + k] = force[dof[k]] - out[k]
    f, moment = force[root_dof : root_dof + 3], out[2 * n :]
    moment[:] = xmat[root].reshape(3, 3) @ force[root_dof + 3 : root_dof + 6]
    x, y, z = xpos[root] - subtree_com[root]
    moment[0] += y * f[2] - z * f[1]
    moment[1] += z * f[0] - x * f[2]
    moment[2] += x * f[1] - y * f[0]


@njit(cache=True)
def inertia_about(point: Array, com: Array, R: Array, mass: float, diagonal: Array) -> Array:
    """World-axes inertia of one link about `point` (parallel-axis theorem); `R` (9,) row by row."""
    inertia = np.empty((3, 3))
    rr = 0.0
    for i in range(3):
        rr += (com[i] - point[i]) ** 2
    for i in range(3):
        for j in range(3):
            value = 0.0
            for k in range(3):
                value += R[3 * i + k] * diagonal[k] * R[3 * j + k]
            inertia[i, j] = value - mass * (com[i] - point[i]) * (com[j] - point[j])
        inertia[i, i] += mass * rr
    return inertia


@njit(cache=True)
def _add_mobility(point: Array, com: Array, R: Array, mass: float, diagonal: Array, total: Array) -> None:
    """total (3, 3) += the inverse, by cofactors, of `inertia_about`."""
    x, y, z = com[0] - point[0], com[1] - point[1], com[2] - point[2]
    u, v, w = diagonal
    lever = x**2 + y**2 + z**2
    a = R[0] * u * R[0] + R[1] * v * R[1] + R[2] * w * R[2] - mass * x * x + mass * lever
    b = R[0] * u * R[3] + R[1] * v * R[4] + R[2] * w * R[5] - mass * x * y
    c = R[0] * u * R[6] + R[1] * v * R[7] + R[2] * w * R[8] - mass * x * z
    d = R[3] * u * R[3] + R[4] * v * R[4] + R[5] * w * R[5] - mass * y * y + mass * lever
    e = R[3] * u * R[6] + R[4] * v * R[7] + R[5] * w * R[8] - mass * y * z
    f = R[6] * u * R[6] + R[7] * v * R[7] + R[8] * w * R[8] - mass * z * z + mass * lever
    determinant = a * (d * f - e * e) + b * (c * e - b * f) + c * (b * e - c * d)
    total[0, 0] += (d * f - e * e) / determinant
    total[1, 1] += (a * f - c * c) / determinant
    total[2, 2] += (a * d - b * b) / determinant
    total[0, 1] += (c * e - b * f) / determinant
    total[0, 2] += (b * e - c * d) / determinant
    total[1, 2] += (b * c - a * e) / determinant
    total[1, 0], total[2, 0], total[2, 1] = total[0, 1], total[0, 2], total[1, 2]


@njit(cache=True)
def joint_mobility(
    xipos: Array, ximat: Array, mass: Array, inertia: Array, xaxis: Array, xanchor: Array, joint_group: Indices
) -> Array:
    """A^T (I_c^-1 + I_p^-1) A of each anatomical joint [1/(kg m^2)], for Eq. 7.

    A joint is the set of hinges that connects a body to its parent; A holds their world
    axes, I_c and I_p are the inertias of child and parent link about the joint. Rows of
    `joint_group`: (child body, parent body, first joint, number of joints, first motor). Returns (G, 3, 3).
    """
    out, total = np.zeros((joint_group.shape[0], 3, 3)), np.empty((3, 3))
    for k in range(joint_group.shape[0]):
        c, p, j0, n, _ = joint_group[k]
        total[:] = 0.0
        _add_mobility(xanchor[j0], xipos[c], ximat[c], mass[c], inertia[c], total)
        _add_mobility(xanchor[j0], xipos[p], ximat[p], mass[p], inertia[p], total)
        for a in range(n):
            for b in range(n):
                value = 0.0
                for i in range(3):
                    for j in range(3):
                        value += xaxis[j0 + a, i] * total[i, j] * xaxis[j0 + b, j]
                out[k, a, b] = value
    return out
