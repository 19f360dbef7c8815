"""A gap across the way."""

from __future__ import annotations

from dataclasses import dataclass

from hmpc.sim.parameters import parameter
from hmpc_envs.track import BEHIND_START, Crossing, Track

_HALF_WIDTH = 1.5  # [m]
_BEYOND = 5.0  # [m] of ground behind the gap
_PAST = 1.0  # [m] behind the far edge, where it counts as crossed


@dataclass(frozen=True, eq=False, kw_only=True)
class Gap(Crossing):
    """Level ground, nothing for `width`, level ground."""

    name = "gap"
    description = "a gap across the way"

    width: float = parameter(0.4, 0.05, 5.0, "m", "from edge to edge")
    run_up: float = parameter(4.0, 1.0, 20.0, "m", "from the start to the near edge")

    def track(self) -> tuple[Track, float]:
        track = Track(self.friction, _HALF_WIDTH)
        track.level(BEHIND_START + self.run_up)
        track.gap(self.width)
        crossed = track.x + _PAST
        track.level(_BEYOND)
        return track, crossed
