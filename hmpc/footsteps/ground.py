"""The ground as the feet need to know it: how high it is along a path, and where a sole has room on a region."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.footsteps.areas import safe_half

if TYPE_CHECKING:
    from hmpc.types import Array, ContactRegion

    # Centre and axes of a region, what brings an offset into them, and half the room that there is along each.
    LandingArea = tuple[Array, Array, Array, Array]


class Ground:
    """Heights of the stepping regions, looked at from above."""

    def __init__(self, regions: Sequence[ContactRegion]):
        level = [region for region in regions if region.R_WR[2, 2] > 0.0]
        self._p_W = np.array([region.p_W for region in level]).reshape(-1, 3)
        R_WR = np.array([region.R_WR for region in level]).reshape(-1, 3, 3)
        self._slope = -R_WR[:, :2, 2] / R_WR[:, 2:, 2]  # (M, 2) gradient of the height
        self._to_region = np.linalg.inv(R_WR[:, :2, :2])  # (M, 2, 2) horizontal offsets to coordinates of the region
        self._half = np.array([region.half_extent for region in level]).reshape(-1, 2)

    def heights(self, points: Array) -> Array:
        """Height [m] of the highest region at each of the points (N, 2); -inf where there is none."""
        offset = points[:, None, :] - self._p_W[:, :2]  # (N, M, 2)
        inside = (np.abs(np.einsum("mij,nmj->nmi", self._to_region, offset)) <= self._half).all(axis=2)
        z = self._p_W[:, 2] + np.einsum("nmi,mi->nm", offset, self._slope)
        return np.max(np.where(inside, z, -math.inf), axis=1, initial=-math.inf)

    def is_under(self, sole_W: Array, within: float) -> bool:
        """Whether the ground is `within` [m] below the middle of a sole; if not, toes or heel have caught an edge.

        Where no region is known there may be ground all the same.
        """
        height = float(self.heights(sole_W[None, :2])[0])
        return height == -math.inf or float(sole_W[2]) - height < within


def landing_area(region: ContactRegion, sole: Array, yaw: float, margin: float) -> LandingArea:
    """Where the middle of a sole with half extents `sole` (2,) [m], facing `yaw` [rad], may be put down on a region."""
    # A horizontal offset (2,) times this is the point of the plane below or above it, in the region's axes.
    slope = -region.R_WR[:2, 2] / region.R_WR[2, 2]
    to_region = region.R_WR[:2, :2] + np.outer(slope, region.R_WR[2, :2])
    turn = yaw - math.atan2(region.R_WR[1, 0], region.R_WR[0, 0])
    c, s = abs(math.cos(turn)), abs(math.sin(turn))
    length, width = float(sole[0]), float(sole[1])
    room = np.maximum(
        (
            safe_half(float(region.half_extent[0]), c * length + s * width, margin, True),
            safe_half(float(region.half_extent[1]), s * length + c * width, margin, True),
        ),
        0.0,
    )
    return region.p_W, np.ascontiguousarray(region.R_WR[:, :2].T), to_region, room


@njit(cache=True)
def nearest_place(point: Array, area: LandingArea) -> Array:
    """The places (..., 3) [m] of an area that are nearest to points (..., 2) [m] seen from above."""
    p_W, axes_W, to_region, room = area
    inside = np.minimum(np.maximum((point - p_W[:2]) @ to_region, -room), room)
    return p_W + inside @ axes_W
