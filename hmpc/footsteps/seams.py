"""Regions without seams: where one piece of ground continues another, a foot may stand on both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.types import Array, ContactRegion

_TOUCHING = 1e-3  # [m] a gap or a step that no foot feels
_PARALLEL = 1e-6  # of the entries of two rotations


def without_seams(regions: Sequence[ContactRegion]) -> tuple[ContactRegion, ...]:
    """The regions, each as long as the ground goes on in the same plane at least as wide as it is.

    The last tread of a staircase and the floor above it become one region, a beam reaches onto the ground at its ends.
    """
    return tuple(region for plane in _planes(regions) for region in _joined(plane))


def _planes(regions: Sequence[ContactRegion]) -> list[list[ContactRegion]]:
    """The regions sorted by plane, axes and friction."""
    p_W, mu = np.array([region.p_W for region in regions]), np.array([region.mu for region in regions])
    R_WR = np.array([region.R_WR for region in regions])
    planes, rest = [], np.arange(len(regions))
    while len(rest) > 0:
        first = rest[0]
        level = np.abs((p_W[rest] - p_W[first]) @ R_WR[first, :, 2]) < _TOUCHING
        parallel = np.abs(R_WR[rest] - R_WR[first]).max(axis=(1, 2)) < _PARALLEL
        same = level & parallel & (mu[rest] == mu[first])
        planes.append([regions[k] for k in rest[same]])
        rest = rest[~same]
    return planes


def _joined(plane: list[ContactRegion]) -> list[ContactRegion]:
    """The regions of one plane, grown until none continues another; those that lie within another are left out."""
    i = 0
    while i < len(plane):
        grown = next((new for other in plane if (new := _continued(plane[i], other)) is not None), None)
        if grown is None:
            i += 1
            continue
        plane = [grown, *(region for region in plane if region is not plane[i] and not _contains(grown, region))]
        i = 0
    return plane


def _continued(region: ContactRegion, other: ContactRegion) -> ContactRegion | None:
    """The region together with what of `other` goes on from it, as wide as it is itself; None if nothing does."""
    offset, half, others = _seen_from(region, other), region.half_extent, other.half_extent
    for axis in range(2):
        across = 1 - axis
        wide_enough = others[across] - abs(offset[across]) >= half[across] - _TOUCHING
        ends = offset[axis] - others[axis], offset[axis] + others[axis]
        touches = ends[0] <= half[axis] + _TOUCHING and ends[1] >= -half[axis] - _TOUCHING
        low, high = min(ends[0], -half[axis]), max(ends[1], half[axis])
        if wide_enough and touches and high - low > 2.0 * half[axis] + _TOUCHING:
            extent = np.array(half)
            extent[axis] = 0.5 * (high - low)
            return replace(region, p_W=region.p_W + 0.5 * (low + high) * region.R_WR[:, axis], half_extent=extent)
    return None


def _contains(region: ContactRegion, other: ContactRegion) -> bool:
    room = region.half_extent - other.half_extent + _TOUCHING
    return bool((np.abs(_seen_from(region, other)) <= room).all())


def _seen_from(region: ContactRegion, other: ContactRegion) -> Array:
    """(2,) [m] the middle of another region in the axes of this one."""
    return (other.p_W - region.p_W) @ region.R_WR[:, :2]
