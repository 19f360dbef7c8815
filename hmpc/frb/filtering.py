"""Parameter filtering (Sec. 3.2.1): the closest physically valid contact parameters.

Every function is a projection that works on one thing and can be used alone; the
rollouts of model.py call them for every candidate, so they are numba kernels over
tuples. What a projection changes is returned as a squared distance, the raw material
of the objective E_parameterFiltering.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from numba import njit

from hmpc.frb.vec3 import Vec3, add, axpy, column, dot, get, norm, put, scale, sub

if TYPE_CHECKING:
    from hmpc.types import Array


@njit(cache=True)
def clamp(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


@njit(cache=True)
def clamp_in_rectangle(p: Vec3, center: Vec3, R: Array, half_extent: Array) -> Vec3:
    """Closest point to `p` in the prism over a rectangle; the part of p along the normal stays."""
    d = sub(p, center)
    for axis in range(2):
        e = column(R, axis)
        x = dot(d, e)
        p = axpy(clamp(x, -half_extent[axis], half_extent[axis]) - x, e, p)
    return p


@njit(cache=True)
def cop_center(cop: Array, R_WL: Array) -> Vec3:
    """Centre of the bounding rectangle, in the limb's axes, of a COP trajectory of h points.

    The middle of the extremes rather than the mean: clamping about it leaves it where it is,
    which makes `project_cop` idempotent.
    """
    center = get(cop, 0)
    for axis in range(2):
        e = column(R_WL, axis)
        low, high = math.inf, -math.inf
        for i in range(cop.shape[0]):
            x = dot(get(cop, i), e)
            low, high = min(low, x), max(high, x)
        center = axpy(0.5 * (low + high) - dot(center, e), e, center)
    return center


@njit(cache=True)
def project_cop(
    cop: Array,
    fixed: bool,
    limb_center: Vec3,
    R_WL: Array,
    limb_half_extent: Array,
    region_center: Vec3,
    R_WR: Array,
    region_half_extent: Array,
) -> float:
    """Move the COP control points (h, 3), in place, into the limb's contact rectangle.

    A limb in contact has its rectangle where it is. That of a future contact lies around
    its COP trajectory, and its centre must lie in the region: a trajectory that does not
    is moved there as a whole. Returns the sum of the squared displacements [m^2].
    """
    center = limb_center
    shift = (0.0, 0.0, 0.0)
    if not fixed:
        wanted = cop_center(cop, R_WL)
        center = clamp_in_rectangle(wanted, region_center, R_WR, region_half_extent)
        shift = sub(center, wanted)
    moved = 0.0
    for i in range(cop.shape[0]):
        p = get(cop, i)
        q = clamp_in_rectangle(add(p, shift), center, R_WL, limb_half_extent)
        put(cop, i, q)
        d = sub(q, p)
        moved += dot(d, d)
    return moved


@njit(cache=True)
def project_on_cone(f: Vec3, normal: Vec3, mu: float) -> Vec3:
    """Closest force in the friction cone |f_t| <= mu f_n, which holds no pull (f_n >= 0)."""
    f_n = dot(f, normal)
    f_t = axpy(-f_n, normal, f)
    t = norm(f_t)
    if t <= mu * f_n:
        return f
    if mu * t <= -f_n:
        return 0.0, 0.0, 0.0
    n = (f_n + mu * t) / (1.0 + mu * mu)
    return axpy(mu * n / t, f_t, scale(n, normal))


@njit(cache=True)
def limit_force(f: Vec3, limit: float) -> Vec3:
    """Closest force of a magnitude of at most `limit`."""
    size = norm(f)
    if size <= limit:
        return f
    return scale(limit / size, f)


@njit(cache=True)
def reach_fraction(distance: float, reach: float, fade: float) -> float:
    """1 within reach of hip or shoulder, 0 out of it, linear over `fade` so that the search sees a slope."""
    return clamp((reach + fade - distance) / fade, 0.0, 1.0)


@njit(cache=True)
def project_force(f: Vec3, normal: Vec3, mu: float, bilateral: bool, limit: float) -> Vec3:
    """Closest force that a contact can bear: friction cone and force limit.

    A bilateral contact (a hand closed around a bar) holds in every direction, so the limit
    of its grip stands for the cone.
    """
    if not bilateral:
        f = project_on_cone(f, normal, mu)
    return limit_force(f, limit)  # scaling down does not leave the cone


@njit(cache=True)
def project_interval(
    t_start: float, t_end: float, earliest: float, fixed: bool, minimum_stance: float
) -> tuple[float, float]:
    """Closest contact interval that starts no earlier than `earliest` (a fixed start stays) and lasts long enough."""
    if fixed:
        return t_start, max(t_end, earliest)
    t_start = max(t_start, earliest)
    return t_start, max(t_end, t_start + minimum_stance)
