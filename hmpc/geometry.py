"""Small pieces of 3-D geometry used by every tier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.types import Array


def skew(v: Array) -> Array:
    """[v]x, so that skew(v) @ u = v x u."""
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def cross(a: Array, b: Array) -> Array:
    """a x b of two 3-vectors; numpy's costs 20 us, because it takes any axis of any array."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def rotation_exp(phi: Array) -> Array:
    """Rotation matrix of the rotation vector `phi` (Rodrigues' formula)."""
    angle = math.sqrt(float(phi @ phi))
    if angle < 1e-9:
        return np.eye(3) + skew(phi)
    k = skew(phi / angle)
    return np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)


def rotation_log(R: Array) -> Array:
    """Rotation vector of `R`: the inverse of `rotation_exp`, angle in [0, pi]."""
    axis = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    s = math.sqrt(float(axis @ axis))
    c = 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)
    angle = math.atan2(s, c)
    if s > 1e-6:
        return axis * (angle / s)
    if c > 0.0:
        return axis
    # Near pi the antisymmetric part tells only the sign; the axis is the largest column of the symmetric part + 1.
    b = 0.5 * (R + R.T) + np.eye(3)
    column = b[:, int(np.argmax(np.diag(b)))]
    return math.copysign(angle, float(axis @ column)) * column / np.linalg.norm(column)


def rotation_error(R_desired: Array, R: Array) -> Array:
    """The paper's phi: world-frame rotation vector that takes `R` to `R_desired` (Eqs. 2 and 5)."""
    return rotation_log(R_desired @ R.T)


def rotation_z(yaw: float) -> Array:
    """Rotation by `yaw` about the vertical: R_WH of a heading."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0]).reshape(3, 3)


def rotation_zyx(yaw: float, pitch: float, roll: float) -> Array:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    cy, sy = math.cos(yaw), math.sin(yaw)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cr, sr = math.cos(roll), math.sin(roll)
    x = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    y = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    z = -sp, cp * sr, cp * cr
    return np.array([*x, *y, *z]).reshape(3, 3)  # numpy takes twice as long over nested lists


def heading(R: Array) -> float:
    """Yaw [rad] of a rotation: the direction of its x axis in the ground plane."""
    return math.atan2(R[1, 0], R[0, 0])


def wrap_angle(angle: float) -> float:
    """The same angle in [-pi, pi)."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
