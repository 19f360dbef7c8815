"""The next step of stairs that are too high to walk up: its edge, its tread, and the rails beside it.

Lengths along the way are measured from the edge, positive on the tread; lengths aside from midway between the rails.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hmpc.frb.rails import rails_among

if TYPE_CHECKING:
    from hmpc.tasks.situation import Situation
    from hmpc.types import Array, ContactRegion, TargetState

LOWEST = 0.15  # [m] a lower step is one for a walk
_AHEAD = 2.0  # [m] between the feet and an edge that is looked for
_LEVEL = 0.05  # [m] feet whose heights differ by less stand on one tread
_STRAIGHTEST = 0.985  # of its length, to which a leg is stretched at most
_ROUNDS = 4  # to find the hips over which the COM is where it should be: each leaves a fifth of the error


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Riser:
    """A step up, seen from before it or with one foot on it."""

    now: Situation
    tread: ContactRegion  # on top of it
    depth: float  # [m] of the tread
    height: float  # [m] of the tread above the lower foot
    edge_W: Array  # (3,) [m] midway between the rails
    into_W: Array  # (3,) across the edge, onto the tread
    rails: Mapping[str, ContactRegion]  # hand -> what it can hold

    @staticmethod
    def of(now: Situation) -> Riser | None:
        """The step on which one foot stands already, or the next one; None where there is none between two rails."""
        rails = _rails_beside(now)
        low, high = sorted((now.ground_below(foot) for foot in now.feet), key=lambda region: float(region.p_W[2]))
        if high.p_W[2] - low.p_W[2] < _LEVEL:
            steps = [region for region in now.scene.regions if region.p_W[2] > low.p_W[2] + LOWEST]
            high = min((r for r in steps if 0.0 < _way_to(r, now) < _AHEAD), key=lambda r: _way_to(r, now), default=low)
        if high is low or len(rails) < len(now.hands):
            return None
        axis = int(np.argmax(np.abs(high.R_WR[:, :2].T @ now.forward(1.0))))
        into_W = high.R_WR[:, axis] * np.sign(high.R_WR[:, axis] @ now.forward(1.0))
        middle_W = np.mean([_beside(rail, now.between_feet_W) for rail in rails.values()], axis=0)
        edge_W = middle_W + ((high.p_W - middle_W) @ into_W - high.half_extent[axis]) * into_W
        edge_W[2] = high.p_W[2]
        return Riser(
            now=now,
            tread=high,
            depth=2.0 * float(high.half_extent[axis]),
            height=float(high.p_W[2] - low.p_W[2]),
            edge_W=edge_W,
            into_W=into_W,
            rails=rails,
        )

    @property
    def _left_W(self) -> Array:
        return np.array([-self.into_W[1], self.into_W[0], 0.0])

    def at(self, ahead: float, left: float) -> Array:
        """(3,) [m] a place on the tread, or before it at its height."""
        return self.edge_W + ahead * self.into_W + left * self._left_W

    def place_of(self, p_W: Array) -> tuple[float, float]:
        """How far [m] a point is ahead of the edge, and to the left."""
        return float((p_W - self.edge_W) @ self.into_W), float((p_W - self.edge_W) @ self._left_W)

    def hold(self, hand: str, ahead: float) -> Array:
        """(3,) [m] a place on the rail of a hand."""
        rail = self.rails[hand]
        along_W = rail.R_WR[:, 0]
        return rail.p_W + (ahead - self.place_of(rail.p_W)[0]) / float(along_W @ self.into_W) * along_W

    def posture(
        self,
        t: float,
        com: tuple[float, float],
        hips: float,
        pitch: float,
        ankles_W: tuple[Array, Array],
        bearing: Collection[str],
    ) -> TargetState:
        """At rest with the COM over a place, leaning by `pitch` [rad].

        The hips are `hips` [m] above the tread or as high as the legs that are `bearing` load reach.
        """
        now, goal_W, hips_W = self.now, self.at(*com), self.at(*com)
        leg = now.body.leg
        assert leg is not None  # of a robot that does tasks
        length = _STRAIGHTEST * (leg.thigh + leg.shank)
        com_W = goal_W
        for _ in range(_ROUNDS):
            hips_W[2] = self.edge_W[2] + hips
            for foot, ankle_W in zip(now.feet, ankles_W, strict=True):
                if foot in bearing:
                    aside_W = float(now.body.limb(foot).root_B[1]) * self._left_W
                    away = float(np.linalg.norm((hips_W + aside_W - ankle_W)[:2]))
                    hips_W[2] = min(hips_W[2], ankle_W[2] + math.sqrt(max(length**2 - away**2, 0.0)))
            com_W = now.com_over(hips_W, pitch, ankles_W)
            hips_W[:2] += (goal_W - com_W)[:2]
        return now.at_rest(t, com_W, pitch)


def _beside(rail: ContactRegion, p_W: Array) -> Array:
    """(3,) [m] the point of a rail, or of its extension, beside p as seen from above."""
    along_W = rail.R_WR[:, 0]
    return rail.p_W + (p_W - rail.p_W)[:2] @ along_W[:2] / float(along_W[:2] @ along_W[:2]) * along_W


def _rails_beside(now: Situation) -> dict[str, ContactRegion]:
    """The rail on the side of each hand."""
    found = {}
    for rail in rails_among(now.scene.handholds):
        aside = float((_beside(rail, now.between_feet_W) - now.between_feet_W) @ now.forward(0.0, 1.0))
        found.update({hand: rail for hand in now.hands if aside * now.body.limb(hand).root_B[1] > 0.0})
    return found


def _way_to(region: ContactRegion, now: Situation) -> float:
    """[m] forward from the feet to where a region begins."""
    p_R = region.R_WR.T @ (now.between_feet_W - region.p_W)
    nearest_W = region.p_W + region.R_WR[:, :2] @ np.clip(p_R[:2], -region.half_extent, region.half_extent)
    return float((nearest_W - now.between_feet_W) @ now.forward(1.0))
