"""Stairs, up or down, with or without handrails."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hmpc.geometry import rotation_zyx
from hmpc.sim.parameters import choice, parameter
from hmpc.sim.scenery import Bar
from hmpc.types import ContactRegion
from hmpc_envs.track import BEHIND_START, Crossing, Track

_HALF_WIDTH = 0.75  # [m]
_LANDING = 3.0  # [m] behind the last step
_PAST = 0.5  # [m] behind the last step, where they count as climbed
_RAIL_SIDE = 0.40  # [m] from the middle
_RAIL_OVERLAP = 0.6  # [m] by which a rail goes on beyond the first and the last edge, along the slope


@dataclass(frozen=True, eq=False, kw_only=True)
class Stairs(Crossing):
    """Level ground, `count` steps, a landing."""

    name = "stairs"
    description = "stairs, up or down, with or without handrails"

    riser: float = parameter(0.15, 0.02, 1.0, "m", "height of a step")
    tread: float = parameter(0.30, 0.20, 1.0, "m", "depth of a step")
    count: int = parameter(8, 1, 50, "", "number of steps")
    run_up: float = parameter(1.5, 1.0, 20.0, "m", "from the start to the first step")
    direction: str = choice("up", ("up", "down"), "which way they lead")
    rails: str = choice("none", ("none", "left", "right", "both"), "sides with a handrail")
    rail_height: float = parameter(0.85, 0.6, 1.2, "m", "height of the handrails above the edges of the steps")
    holds: str = choice("used", ("used", "forbidden"), "whether the character may use the handrails")

    def handholds(self) -> tuple[ContactRegion, ...]:
        return super().handholds() if self.holds == "used" else ()

    def track(self) -> tuple[Track, float]:
        rise = self.riser if self.direction == "up" else -self.riser
        track = Track(self.friction, _HALF_WIDTH)
        track.level(BEHIND_START + self.run_up)
        first_W = np.array([track.x, 0.0, max(rise, 0.0)])  # upper edge of the first riser
        track.stairs(rise, self.tread, self.count - 1, depth=0.5 + self.riser)
        last_W = np.array([track.x, 0.0, track.z + max(rise, 0.0)])
        track.z += rise
        track.level(_LANDING)
        sides = {"none": (), "left": (1.0,), "right": (-1.0,), "both": (1.0, -1.0)}[self.rails]
        track.blocks += [self._rail(first_W, last_W, side * _RAIL_SIDE) for side in sides]
        return track, last_W[0] + _PAST

    def _rail(self, first_W: np.ndarray, last_W: np.ndarray, y: float) -> Bar:
        """A bar above the edges from the first to the last one."""
        along = last_W - first_W
        length = math.hypot(along[0], along[2])
        pitch = math.atan2(along[2], along[0]) if self.count > 1 else 0.0
        return Bar(
            top=ContactRegion(
                p_W=0.5 * (first_W + last_W) + (0.0, y, self.rail_height),
                R_WR=rotation_zyx(0.0, -pitch, 0.0),
                half_extent=(0.5 * length + _RAIL_OVERLAP, 0.0),  # type: ignore[arg-type]
                mu=self.friction,
                bilateral=True,
            )
        )
