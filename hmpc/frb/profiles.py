"""What a contact phase says at a moment: COP and force along their control points, and how much of it acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from hmpc.frb.filtering import clamp
from hmpc.frb.table import COP_SIZE, FORCE_SIZE
from hmpc.frb.vec3 import Vec3, axpy, norm, sub

if TYPE_CHECKING:
    from hmpc.types import Array

LOWEST_COM = 0.1  # [m] above a foot's COP, below which f_l does not grow any more


@njit(cache=True)
def contact_force_at(
    row: Array, first: int, n_cop: int, n_force: int, u: float, c: Vec3, foot: bool
) -> tuple[Vec3, Vec3]:
    """COP and force at the fraction u of a phase whose control points begin at `first`."""
    p = _interpolate(row, first, COP_SIZE, n_cop, u)
    first += COP_SIZE * n_cop
    f_l, _, _ = _interpolate(row, first, FORCE_SIZE, n_force, u)
    f_r = _interpolate(row, first + 1, FORCE_SIZE, n_force, u)
    lever = sub(c, p)
    length = max(lever[2], LOWEST_COM) if foot else max(norm(lever), LOWEST_COM)
    return p, axpy(f_l / length, lever, f_r)


@njit(cache=True)
def load_share(a: float, b: float, t_s: float, t_f: float, rise: float, fall: float) -> float:
    """Mean over the step [a, b] of the factor in [0, 1] that takes the force of a phase on and off.

    The mean is exact, also for steps that straddle t_s or t_f: the cost is smooth in both.
    """
    on = _ramp_integral(b - t_s, rise) - _ramp_integral(a - t_s, rise)
    off = _ramp_integral(b - (t_f - fall), fall) - _ramp_integral(a - (t_f - fall), fall)
    return (on - off) / (b - a)


@njit(cache=True)
def _ramp_integral(x: float, duration: float) -> float:
    """Integral up to x of the ramp that rises from 0 at 0 to 1 at `duration`."""
    if x <= 0.0:
        return 0.0
    if x < duration:
        return 0.5 * x * x / duration
    return x - 0.5 * duration


@njit(cache=True)
def _interpolate(row: Array, first: int, stride: int, count: int, u: float) -> Vec3:
    """Three numbers at u in [0, 1] of a piecewise linear curve with `count` equally spaced points."""
    if count == 1:
        return row[first], row[first + 1], row[first + 2]
    s = clamp(u, 0.0, 1.0) * (count - 1)
    n = min(int(s), count - 2)
    s -= n
    i, j = first + n * stride, first + (n + 1) * stride
    return (
        (1.0 - s) * row[i] + s * row[j],
        (1.0 - s) * row[i + 1] + s * row[j + 1],
        (1.0 - s) * row[i + 2] + s * row[j + 2],
    )
