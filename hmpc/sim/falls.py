"""When has the character fallen? Decided by geometry, never by the controller's opinion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hmpc.types import Bearing

if TYPE_CHECKING:
    from collections.abc import Collection

    from hmpc.types import BodyModel, RobotState

MAX_TILT = math.radians(60.0)  # of the body against upright
MIN_HEIGHT = 0.5  # of the standing COM height, above the lowest foot
UPRIGHT_TILT = math.radians(20.0)  # of the body of a character that stands upright
UPRIGHT_HEIGHT = 0.9  # of its standing COM height


def fall(
    state: RobotState,
    body: BodyModel,
    touching_geoms: Collection[str],
    allowed: Collection[str] = (),
    bearing: Bearing = Bearing.UPRIGHT,
) -> str | None:
    """Why this state is a fall, or None.

    `touching_geoms` are the segments, other than feet and hands, that touch the world;
    `allowed` are those among them that the environment is made for (a seat). Who leans on its hands has fallen only
    when something touches that should not.
    """
    if touching_geoms and (forbidden := sorted(set(touching_geoms) - set(allowed))):
        return f"{', '.join(forbidden)} touched the world"
    if bearing is not Bearing.UPRIGHT:
        return None
    tilt = math.acos(min(max(state.body.R_WB.item(2, 2), -1.0), 1.0))
    if tilt > MAX_TILT:
        return f"the body tilted by {math.degrees(tilt):.0f} degrees"
    index, pads = state.limbs.index, state.limbs.numbers
    lowest = min([pads.item(index[limb.name], 0, 2) for limb in body.limbs if limb.is_foot])
    height = (state.body.com_W.item(2) - lowest) / body.com_height
    if height < MIN_HEIGHT:
        return f"the body sank to {100 * height:.0f} % of its standing height"
    return None


def upright(state: RobotState, body: BodyModel) -> bool:
    """Whether the character stands upright on both feet and sits on nothing."""
    touching, index = state.limbs.touching, state.limbs.index
    for limb in body.limbs:
        if (limb.is_foot and not touching[index[limb.name]]) or (limb.is_seat and touching[index[limb.name]]):
            return False
    feet = [limb.name for limb in body.limbs if limb.is_foot]
    height = state.body.com_W[2] - sum(state.limbs[foot].p_W[2] for foot in feet) / len(feet)
    return bool(height > UPRIGHT_HEIGHT * body.com_height and state.body.R_WB[2, 2] > math.cos(UPRIGHT_TILT))
