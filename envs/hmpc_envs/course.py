"""A tour of all the terrain."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hmpc.sim.parameters import parameter
from hmpc.sim.scenery import WOOD
from hmpc_envs.track import BEHIND_START, Crossing, Track

_HALF_WIDTH = 1.5  # [m]
_REST = 2.0  # [m] of level ground between two pieces
_RAMP = 2.0  # [m] length of a slope
_ANGLE = math.radians(10.0)
_RISER, _TREAD, _STEPS = 0.12, 0.35, 4
_STONE, _STONES = 0.4, 5  # [m] side, number
_BEAM_LENGTH, _BEAM_WIDTH = 3.0, 0.5  # [m]
_GAP = 0.3  # [m]
_DIFFICULTY = (0.5, 1.5)  # of heights and distances


@dataclass(frozen=True, eq=False, kw_only=True)
class Course(Crossing):
    """Up a slope, down stairs, over stones, along a beam, over a gap, up stairs, down a slope."""

    name = "course"
    description = "a tour: slope, stairs down, stones, beam, gap, stairs up, slope down"

    seed: int = parameter(0, 0, 999_999, "", "which stones")
    difficulty: float = parameter(1.0, *_DIFFICULTY, "", "factor of all slopes, heights and distances")
    laps: int = parameter(1, 1, 50, "", "how often all of it comes, with other stones each time")

    def track(self) -> tuple[Track, float]:
        rng, track = np.random.default_rng(self.seed), Track(self.friction, _HALF_WIDTH)
        for lap in range(self.laps):
            track.level(_REST if lap else BEHIND_START + _REST)
            self._lap(track, rng)
        end = track.x + 0.5
        track.level(_REST + 1.0)
        return track, end

    def _lap(self, track: Track, rng: np.random.Generator) -> None:
        factor = self.difficulty
        track.ramp(_RAMP, factor * _ANGLE)
        track.level(_REST)
        track.stairs(-factor * _RISER, _TREAD, _STEPS)
        track.level(_REST)
        for k in range(_STONES):
            track.gap(factor * float(rng.uniform(0.1, 0.25)))
            track.stone(_STONE, 0.1 * (-1.0) ** k, factor * float(rng.uniform(-0.05, 0.05)))
        track.gap(factor * 0.1)
        track.level(_REST)
        track.level(_BEAM_LENGTH, 0.5 * _BEAM_WIDTH, material=WOOD)
        track.level(_REST)
        track.gap(factor * _GAP)
        track.level(_REST)
        track.stairs(factor * _RISER, _TREAD, _STEPS)
        track.level(_REST)
        track.ramp(_RAMP, -factor * _ANGLE)
