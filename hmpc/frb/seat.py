"""A seat in the floating rigid body's world: it pushes back on what rests on it, and pulls at nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from numba import njit

from hmpc.frb.legs import Legs
from hmpc.frb.vec3 import Vec3, add, apply, axpy, dot, scale

if TYPE_CHECKING:
    from hmpc.types import Array

_ROLLED = 0.1  # [rad] of lean, from which on the pad rests on its edge alone


@njit(cache=True)
def pad_point(hips: Vec3, R: Array, legs: Legs) -> Vec3:
    """Where the pad below the hips rests on a level seat: who leans forward rolls over its front edge."""
    pitch = math.asin(min(max(-R[2, 0], -1.0), 1.0))
    x = legs.seat_B[0] + legs.seat_half_length * min(max(pitch / _ROLLED, -1.0), 1.0)
    return add(hips, apply(R, (x, 0.0, legs.seat_B[2])))


@njit(cache=True)
def seat_force(
    moved: Vec3, pad_vel: Vec3, hips_vel: Vec3, normal: Vec3, load: float, stiffness: float, damping: float
) -> Vec3:
    """Spring and damper along the normal, which bore `load` before the pad `moved`; friction holds the hips back."""
    spring = load - stiffness * dot(moved, normal)
    pressed = spring - damping * dot(pad_vel, normal)
    if spring <= 0.0 or pressed <= 0.0:
        return 0.0, 0.0, 0.0
    sliding = axpy(-dot(hips_vel, normal), normal, hips_vel)
    return axpy(pressed, normal, scale(-damping, sliding))
