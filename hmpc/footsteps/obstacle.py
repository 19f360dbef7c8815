"""Why the way ahead is barred, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.footsteps.limits import Limits
    from hmpc.types import Array, ContactRegion

_LEVEL = 0.02  # [m] a smaller difference in height is none
_BESIDE = 0.05  # [m] what is less far to a side is straight ahead


def barrier(foot_W: Array, yaw: float, velocity_H: Array, regions: Sequence[ContactRegion], limits: Limits) -> str:
    """What lies ahead of a foot that stands at `foot_W`, as a sentence: the next place that could be stepped on."""
    angle = yaw + math.atan2(velocity_H[1], velocity_H[0])
    ahead_W = np.array([math.cos(angle), math.sin(angle)])
    left_W = np.array([-ahead_W[1], ahead_W[0]])
    distance, left, up = math.inf, 0.0, 0.0
    for region in regions:
        offset_R = region.R_WR.T @ (foot_W - region.p_W)
        inside_R = np.clip(offset_R[:2], -region.half_extent, region.half_extent)
        way_W = region.p_W + region.R_WR[:, :2] @ inside_R - foot_W
        stands_there = float(np.linalg.norm(way_W)) < 2.0 * _LEVEL
        if not stands_there and 0.0 < way_W[:2] @ ahead_W < distance:
            distance, left, up = float(way_W[:2] @ ahead_W), float(way_W[:2] @ left_W), float(way_W[2])
    if math.isinf(distance):
        return "There is nothing to step on ahead."
    height = f"{abs(up):.2f} m {'up' if up > 0.0 else 'down'}" if abs(up) > _LEVEL else "level"
    is_beside = abs(left) > _BESIDE
    beside = f" and {abs(left):.2f} m to its {'left' if left > 0.0 else 'right'}" if is_beside else ""
    aside = f"{limits.outward:.2f} m to a side, " if is_beside else ""
    return (
        f"The next place to step on begins {distance:.2f} m ahead of the foot{beside}, {height}; a step leads at most "
        f"{limits.forward:.2f} m forward, {aside}{limits.up:.2f} m up and {limits.down:.2f} m down."
    )
