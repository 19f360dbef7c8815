"""Where a foot may go, seen from above: stepping regions, the reach of a step and soles are all parallelograms.

Horizontal vectors are complex numbers x + iy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba.extending import register_jitable

from hmpc.footsteps.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.types import Array, ContactRegion

    ComplexArray = NDArray[np.complex128]

_WALL_SAMPLES = 8  # of the room before the toes
_PROJECTION_ROUNDS = 8  # one is enough for areas whose sides are parallel
_AT_REST = 1e-9  # [m] a projection that moves a point by less has come to its end


class Area(NamedTuple):
    """{center + a x + b y : |a| <= half_x, |b| <= half_y}; a negative half marks an empty area.

    The duals give the coordinates: a = dual_x · (p - center).
    """

    center: complex
    x: complex
    y: complex
    dual_x: complex
    dual_y: complex
    half_x: float
    half_y: float


class Surfaces(NamedTuple):
    """M stepping regions as arrays: footprints seen from above, and the planes z = height + slope · (p - center)."""

    center: ComplexArray  # (M,) [m]
    x: ComplexArray  # (M,), horizontal part of the region's x axis
    y: ComplexArray  # (M,)
    dual_x: ComplexArray  # (M,)
    dual_y: ComplexArray  # (M,)
    half: Array  # (M, 2) [m]
    height: Array  # (M,) [m] at the centre
    slope: ComplexArray  # (M,), gradient of the height


def surfaces(regions: Sequence[ContactRegion]) -> Surfaces:
    """The regions as the search sees them. None may be vertical."""
    p = np.array([region.p_W for region in regions]).reshape(-1, 3)
    R = np.array([region.R_WR for region in regions]).reshape(-1, 3, 3)
    x, y = R[:, 0, 0] + 1j * R[:, 1, 0], R[:, 0, 1] + 1j * R[:, 1, 1]
    normal_z = R[:, 2, 2]  # = x × y, the area of the footprint of a unit square
    return Surfaces(
        center=p[:, 0] + 1j * p[:, 1],
        x=x,
        y=y,
        dual_x=-1j * y / normal_z,
        dual_y=1j * x / normal_z,
        half=np.array([region.half_extent for region in regions]).reshape(-1, 2),
        height=p[:, 2].copy(),
        slope=-(R[:, 0, 2] + 1j * R[:, 1, 2]) / normal_z,
    )


@kernel
def dot(a: complex, b: complex) -> float:
    return a.real * b.real + a.imag * b.imag


@register_jitable
def rectangle(center: complex, direction: complex, half_x: float, half_y: float) -> Area:
    """The rectangle around `center` whose x axis points in the unit `direction`."""
    return Area(center, direction, 1j * direction, direction, 1j * direction, half_x, half_y)


@kernel
def height_at(ground: Surfaces, region: int, p: complex) -> float:
    """Height [m] of the plane of a region above or below `p`."""
    return ground.height[region] + dot(ground.slope[region], p - ground.center[region])


@register_jitable
def safe_half(half: float, sole: float, margin: float, overhang: bool) -> float:
    """How far the middle of a sole may be from the middle of a region, along one axis; negative: nowhere.

    A sole lies wholly on the region if it can. A region smaller than the sole lies wholly under the sole, and under
    its middle in any case.
    """
    inner = half - margin
    if inner >= sole:
        return inner - sole
    return min(sole - inner, inner) if overhang else -1.0


@kernel
def safe_area(
    ground: Surfaces, region: int, sole: tuple[float, float], yaw: float, margin: float, overhang: bool
) -> Area:
    """Where the middle of a sole with the half extents `sole`, turned to `yaw`, may be put on a region."""
    x = ground.x[region]
    angle = yaw - math.atan2(x.imag, x.real)
    c, s = abs(math.cos(angle)), abs(math.sin(angle))
    return Area(
        ground.center[region],
        x,
        ground.y[region],
        ground.dual_x[region],
        ground.dual_y[region],
        safe_half(ground.half[region, 0], c * sole[0] + s * sole[1], margin, overhang),
        safe_half(ground.half[region, 1], s * sole[0] + c * sole[1], margin, overhang),
    )


@kernel
def surface_area(ground: Surfaces, region: int, margin: float) -> Area:
    """All of a region but its margin: where a centre of pressure may be."""
    return Area(
        ground.center[region],
        ground.x[region],
        ground.y[region],
        ground.dual_x[region],
        ground.dual_y[region],
        ground.half[region, 0] - margin,
        ground.half[region, 1] - margin,
    )


@kernel
def clamp(area: Area, p: complex) -> complex:
    """The point of a (not empty) area that is nearest to `p` in the area's own coordinates."""
    a = dot(area.dual_x, p - area.center)
    b = dot(area.dual_y, p - area.center)
    a = min(max(a, -area.half_x), area.half_x)
    b = min(max(b, -area.half_y), area.half_y)
    return area.center + a * area.x + b * area.y


@kernel
def clamp_to_both(target: complex, first: Area, second: Area) -> complex:
    """A point of `first` near `target` that is also in `second`, if they meet (projections in turn)."""
    p = clamp(first, target)
    for _ in range(_PROJECTION_ROUNDS):
        if holds(second, p):
            break
        q = clamp(first, clamp(second, p))
        moved = q - p
        if dot(moved, moved) < _AT_REST * _AT_REST:
            break
        p = q
    return p


@kernel
def holds(area: Area, p: complex) -> bool:
    """Whether `p` is in an area."""
    d = p - area.center
    return abs(dot(area.dual_x, d)) <= area.half_x and abs(dot(area.dual_y, d)) <= area.half_y


@kernel
def radius(area: Area) -> float:
    """[m] of a circle around the middle of an area that holds all of it."""
    return area.half_x * abs(area.x) + area.half_y * abs(area.y)


@kernel
def out_of_reach(ground: Surfaces, region: int, area: Area, distance: float) -> bool:
    """Whether a region is surely further than `distance` from an area, because the circles around them are.

    Most of many regions are out of the question for a step; this tells so at a fraction of the price of a projection.
    """
    around = ground.half[region, 0] + ground.half[region, 1] + radius(area) + distance
    d = ground.center[region] - area.center
    return dot(d, d) > around * around


@kernel
def allowed_share(area: Area, p: complex, move: complex) -> float:
    """The largest share (up to 1) of `move` that does not take `p` out of the area, or further out of it."""
    share = 1.0
    for dual, half in ((area.dual_x, area.half_x), (area.dual_y, area.half_y)):
        a, da = dot(dual, p - area.center), dot(dual, move)
        if abs(da) > 1e-12:
            room = max(half, abs(a)) - (a if da > 0.0 else -a)
            share = min(share, room / abs(da))
    return max(share, 0.0)


@kernel
def too_near_a_wall(
    ground: Surfaces, toes: complex, ahead: complex, z: float, wall: float, room: float, headroom: float
) -> float:
    """By how much [m] toes at height `z` are nearer than `room` to ground `ahead` that is higher by more than `wall`.

    The knee of a leg that bends comes forward over the toes, and would hit it.
    """
    if not rises_above(ground, z + wall):
        return 0.0
    for i in range(_WALL_SAMPLES):
        distance = room * i / _WALL_SAMPLES
        if ground_height(ground, toes + distance * ahead, z + headroom) > z + wall:
            return room - distance
    return 0.0


@kernel
def rises_above(ground: Surfaces, z: float) -> bool:
    """Whether there is ground higher than `z` anywhere."""
    for i in range(ground.center.shape[0]):
        if ground.height[i] + abs(ground.slope[i]) * (ground.half[i, 0] + ground.half[i, 1]) > z:
            return True
    return False


@kernel
def ground_height(ground: Surfaces, p: complex, ceiling: float) -> float:
    """Height [m] of the highest region at `p` below `ceiling`; -inf where there is none.

    Regions may lie above one another: what is under a block cannot be stepped on, what is under a bridge can.
    """
    top = -math.inf
    for i in range(ground.center.shape[0]):
        d = p - ground.center[i]
        if abs(dot(ground.dual_x[i], d)) <= ground.half[i, 0] and abs(dot(ground.dual_y[i], d)) <= ground.half[i, 1]:
            z = height_at(ground, i, p)
            if z < ceiling:
                top = max(top, z)
    return top
