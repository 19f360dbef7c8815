"""Stepping stones, one for each step, alternately left and right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hmpc.sim.parameters import choice, parameter
from hmpc_envs.track import BEHIND_START, Crossing, Track

_HALF_WIDTH = 1.0  # [m] of the level ground before and behind the stones
_RUN_UP = 2.0  # [m] from the start to the first stone's gap
_BEYOND = 3.0  # [m] of ground behind the stones
_SIDE = 0.1  # [m] of the middle of a stone from that of the path, on average


@dataclass(frozen=True, eq=False, kw_only=True)
class Stones(Crossing):
    """Level ground, then stones until `length` is reached, then level ground."""

    name = "stones"
    description = "stepping stones, alternately left and right"

    seed: int = parameter(0, 0, 999_999, "", "which stones of this kind")
    layout: str = choice("random", ("random", "even"), "distances, heights and offsets by chance, or all the same")
    length: float = parameter(10.0, 1.0, 50.0, "m", "of the stretch with stones")
    size: float = parameter(0.30, 0.15, 1.0, "m", "side of a stone")
    nearest: float = parameter(0.20, 0.0, 0.6, "m", "smallest distance from stone to stone, edge to edge")
    farthest: float = parameter(0.50, 0.0, 0.6, "m", "largest distance")
    height: float = parameter(0.10, 0.0, 0.2, "m", "of a stone above or below the ground, at most")
    offset: float = parameter(0.10, 0.0, 0.2, "m", "sideways of a stone, at most")

    def track(self) -> tuple[Track, float]:
        rng = np.random.default_rng(self.seed)
        track, side = Track(self.friction, _HALF_WIDTH), 1.0
        track.level(BEHIND_START + _RUN_UP)
        end = track.x + self.length
        while track.x < end:
            distance, rise, offset = rng.uniform(
                (self.nearest, -1.0, -1.0), (max(self.farthest, self.nearest), 1.0, 1.0)
            )
            if self.layout == "even":
                distance, rise, offset = 0.5 * (self.nearest + self.farthest), 0.0, 0.0
            track.gap(float(distance))
            track.stone(self.size, side * _SIDE + offset * self.offset, rise * self.height)
            side = -side
        track.gap(self.nearest)
        beyond = track.x
        track.level(_BEYOND)
        return track, beyond + 0.5
