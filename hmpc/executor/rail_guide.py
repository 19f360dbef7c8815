"""Walking beside rails: the way leads along them, at a distance at which hands hold them well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.geometry import rotation_z, wrap_angle

if TYPE_CHECKING:
    from hmpc.params import GuideParams
    from hmpc.types import Array, Command, ContactRegion


def along_rails(
    command: Command, com_W: Array, heading: float, rails: Sequence[ContactRegion], params: GuideParams
) -> Command:
    """The command with what keeps a forward walk parallel to the rails beside it, and between them."""
    if command.velocity_H[0] <= 0.0:
        return command
    left_W = rotation_z(heading)[:, 1]
    turns, offsets = [], []
    for rail in rails:
        direction = rail.R_WR[:, 0]
        turn = wrap_angle(math.atan2(direction[1], direction[0]) - heading)
        if abs(turn) > 0.5 * math.pi:  # a rail has no front end
            turn = wrap_angle(turn + math.pi)
        along = float((com_W - rail.p_W) @ direction)
        side = float((rail.p_W + along * direction - com_W) @ left_W)
        beside = abs(along) < rail.half_extent[0] + params.ahead and abs(side) < params.beside
        if beside and abs(turn) < params.largest_turn:
            turns.append(turn)
            offsets.append(side - math.copysign(params.distance, side))
    if not turns:
        return command
    sideways = float(np.clip(params.sideways_gain * np.mean(offsets), -params.sideways, params.sideways))
    turn_rate = float(np.clip(params.turn_gain * np.mean(turns), -params.turn_rate, params.turn_rate))
    return replace(
        command, velocity_H=command.velocity_H + np.array([0.0, sideways]), yaw_rate=command.yaw_rate + turn_rate
    )
