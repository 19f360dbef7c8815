"""A narrow path."""

from __future__ import annotations

from dataclasses import dataclass

from hmpc.sim.parameters import parameter
from hmpc.sim.scenery import WOOD
from hmpc_envs.track import BEHIND_START, Crossing, Track

_HALF_WIDTH = 1.5  # [m] of the level ground at both ends
_RUN_UP = 1.5  # [m] from the start to the beam
_BEYOND = 3.0  # [m] of ground behind it


@dataclass(frozen=True, eq=False, kw_only=True)
class Beam(Crossing):
    """Level ground, a beam, level ground, all at the same height."""

    name = "beam"
    description = "a narrow path"

    width: float = parameter(0.40, 0.15, 2.0, "m", "of the beam")
    length: float = parameter(6.0, 0.5, 50.0, "m", "of the beam")

    def track(self) -> tuple[Track, float]:
        track = Track(self.friction, _HALF_WIDTH)
        track.level(BEHIND_START + _RUN_UP)
        track.level(self.length, 0.5 * self.width, material=WOOD)
        end = track.x
        track.level(_BEYOND)
        return track, end + 0.5
