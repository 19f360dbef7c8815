"""What hands can get hold of from here: planes to push on, bars to grab (Sec. 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from hmpc.tasks.situation import Situation
    from hmpc.types import Array, ContactRegion

_EDGE = 0.03  # [m] between the pad of a hand and the edge of a plane
_COMFORT = 0.9  # of an arm's reach, within which a hold is looked for: a stretched arm bears badly


class Handhold(NamedTuple):
    """A place for a hand."""

    region: ContactRegion
    p_W: Array  # (3,) [m]


def reachable_handholds(now: Situation, shoulders_W: dict[str, Array]) -> dict[str, Handhold]:
    """For each hand the nearest place within reach of its shoulder (where that will be), on its own side."""
    found = {}
    for hand in now.hands:
        limb = now.body.limb(hand)
        best: tuple[float, Handhold] | None = None
        for region in now.scene.handholds:
            p = _closest(region, shoulders_W[hand], limb.half_extent)
            across = now.forward(0.0, float(np.sign(limb.root_B[1])))
            if (p - now.hips_W) @ across < 0.0:
                continue
            distance = float(np.linalg.norm(p - shoulders_W[hand]))
            if distance < _COMFORT * limb.reach and (best is None or distance < best[0]):
                best = distance, Handhold(region, p)
        if best is not None:
            found[hand] = best[1]
    return found


def _closest(region: ContactRegion, p_W: Array, pad: Array) -> Array:
    """The point of a region closest to p, with room for the pad of a hand around it."""
    room = np.maximum(region.half_extent - (pad.max() + _EDGE if region.half_extent[1] > 0.0 else _EDGE), 0.0)
    p_R = region.R_WR.T @ (p_W - region.p_W)
    return region.p_W + region.R_WR[:, :2] @ np.clip(p_R[:2], -room, room)
