"""Regions without seams: where one piece of ground continues another, a foot may stand on both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.footsteps.ground import Ground

if TYPE_CHECKING:
    from hmpc.types import Array, ContactRegion

_TOUCHING = 1e-3  # [m] a gap or a step that no foot feels
_PARALLEL = 1e-6  # of the entries of two rotations
_SAMPLES = 0.1  # [m] at most, between the points along an edge at which the ground beyond it is looked at


def without_seams(regions: Sequence[ContactRegion]) -> tuple[ContactRegion, ...]:
    """The regions, each as long as the ground goes on in the same plane at least as wide as it is.

    The last tread of a staircase and the floor above it become one region, a beam reaches onto the ground at its ends.
    """
    return tuple(region for plane in _planes(regions) for region in _joined(plane))


def over_low_edges(regions: Sequence[ContactRegion], reach: float, step: float) -> tuple[ContactRegion, ...]:
    """The regions, each with a rim of `reach` [m] along the edges beyond which the ground goes on nearly as it is.

    Nearly: no more than `step` [m] above or below the region's plane. A foot may then stand across the edge, and ground
    of slabs that do not quite fit together is not a field of stepping stones.
    """
    p_W, radius = np.array([r.p_W for r in regions]), np.array([np.linalg.norm(r.half_extent) for r in regions])
    mu = np.array([r.mu for r in regions])
    grown = []
    for k, region in enumerate(regions):
        near = np.linalg.norm(p_W - region.p_W, axis=1) <= radius + radius[k] + 2.0 * reach
        ground = Ground([regions[i] for i in np.flatnonzero(near & (mu >= region.mu)).tolist()])
        grown.append(_with_rim(region, ground, reach, step))
    return tuple(grown)


def _with_rim(region: ContactRegion, ground: Ground, reach: float, step: float) -> ContactRegion:
    # One side after the other: the samples of the later ones include the corners that the former ones have added.
    for axis in range(2):
        for side in (-1.0, 1.0):
            rim = _beyond_edge(region, axis, side, reach)
            if (np.abs(ground.heights(rim[:, :2]) - rim[:, 2]) <= step).all():
                extent = np.array(region.half_extent)
                extent[axis] += 0.5 * reach
                region = replace(region, p_W=region.p_W + 0.5 * side * reach * region.R_WR[:, axis], half_extent=extent)
    return region


def _beyond_edge(region: ContactRegion, axis: int, side: float, reach: float) -> Array:
    """(N, 3) [m] points of the region's plane beyond one of its edges."""
    half, across = region.half_extent, 1 - axis
    count = math.ceil(2.0 * half[across] / _SAMPLES) + 1
    along = np.linspace(-half[across] + _TOUCHING, half[across] - _TOUCHING, count)
    outward = half[axis] + np.array([_TOUCHING, 0.5 * reach, reach])
    grid = np.stack(np.meshgrid(side * outward, along, indexing="ij"), axis=-1).reshape(-1, 2)
    return region.p_W + np.outer(grid[:, 0], region.R_WR[:, axis]) + np.outer(grid[:, 1], region.R_WR[:, across])


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
