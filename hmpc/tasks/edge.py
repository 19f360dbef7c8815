"""A platform ahead, seen from its edge: lengths along the way are measured from there, positive on the platform."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.tasks.situation import Scene, Situation
    from hmpc.types import Array, ContactRegion

LOWEST = 0.15  # [m] below, a platform is a step for a walk
_COM_AHEAD = 0.2  # [m] of the COM before the hips of a body that leans on its hands


def has_platform(scene: Scene) -> bool:
    """Whether there is something too high to walk onto, and somewhere to put the hands."""
    heights = [float(region.p_W[2]) for region in scene.regions]
    return bool(scene.handholds) and max(heights) - min(heights) > LOWEST


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Edge:
    """The edge of the nearest platform, as the character stands before it or on it."""

    platform: ContactRegion
    strip: ContactRegion  # where hands may be put
    height: float  # [m] above the ground
    ground: float  # [m]
    into_W: Array  # (3,) across the edge, onto the platform
    distance: float  # [m] from the middle of the feet; negative on top
    now: Situation

    @staticmethod
    def of(now: Situation) -> Edge | None:
        """None where nothing is too high to walk onto."""
        ground = min(float(region.p_W[2]) for region in now.scene.regions)
        high = [region for region in now.scene.regions if region.p_W[2] > ground + LOWEST]
        if not high or not now.scene.handholds:
            return None
        platform = min(high, key=lambda region: float(np.linalg.norm(region.p_W - now.state.body.com_W)))
        offset_R = platform.R_WR.T @ (now.between_feet_W - platform.p_W)
        outside = np.abs(offset_R[:2]) - platform.half_extent
        axis = int(np.argmax(outside))
        return Edge(
            platform=platform,
            strip=min(now.scene.handholds, key=lambda region: abs(float(region.p_W[2] - platform.p_W[2]))),
            height=float(platform.p_W[2]) - ground,
            ground=ground,
            into_W=-np.sign(offset_R[axis]) * platform.R_WR[:, axis],
            distance=float(outside[axis]),
            now=now,
        )

    @staticmethod
    def ahead_of(now: Situation) -> Edge:
        """For who has not been refused."""
        edge = Edge.of(now)
        assert edge is not None
        return edge

    @property
    def heading(self) -> float:
        """[rad] of who looks across it."""
        return math.atan2(self.into_W[1], self.into_W[0])

    def at(self, ahead: float, left: float) -> Array:
        """(3,) [m] a place on the platform, to the left of the middle of the feet."""
        x, y, _ = self.into_W
        p_W = self.now.between_feet_W + (self.distance + ahead) * self.into_W + left * np.array([-y, x, 0.0])
        p_W[2] = self.platform.p_W[2]
        return p_W

    def place(self, limb: str, ahead: float, aside: float) -> Array:
        """(3,) [m] a place for a limb, on its own side."""
        return self.at(ahead, aside * float(np.sign(self.now.body.limb(limb).root_B[1])))

    def com(
        self, ahead: float, left: float, hips: float, pitch: float, ankles_W: tuple[Array, Array] | None = None
    ) -> Array:
        """(3,) [m] the COM there, with the hips at a height above the ground; the ankles stay, or will be elsewhere."""
        hips_W = self.at(ahead - _COM_AHEAD, left)
        hips_W[2] = self.ground + hips
        com_W = self.now.com_over(hips_W, pitch, ankles_W)
        com_W[:2] = self.at(ahead, left)[:2]
        return com_W
