"""A platform to climb onto with hands and feet."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hmpc.sim.environment import BaseEnvironment, Outcome, RunFacts, Start
from hmpc.sim.parameters import parameter
from hmpc.sim.scenery import CHECKER, Block, region
from hmpc.types import ContactRegion

_HALF_LENGTH, _HALF_WIDTH = 2.0, 1.5  # [m] of the platform
_HAND_STRIP = 0.3  # [m] half depth of the strip along its edge on which hands are put

_SECONDS, _HIGH_SECONDS = 30.0, 45.0  # [s] to walk there and to climb, with a stage or two tried again ...
_HIGH = 0.5  # [m] ... above which one gets up from lying on top


@dataclass(frozen=True, eq=False, kw_only=True)
class Platform(BaseEnvironment):
    """Level ground, and `distance` ahead a block too high to walk onto."""

    name = "platform"
    description = "walk to a platform and climb onto it with hands and feet"

    height: float = parameter(0.5, 0.1, 2.0, "m", "of the platform")
    distance: float = parameter(1.0, 0.3, 5.0, "m", "from the start to its edge")
    offset: float = parameter(0.0, -0.5, 0.5, "m", "of the start to the left")
    turn: float = parameter(0.0, -20.0, 20.0, "deg", "of the character at the start, to the left")

    def blocks(self) -> tuple[Block, ...]:
        ground = Block(top=region((0, 0, 0), (50, 50), self.friction), depth=math.inf, material=CHECKER)
        middle = (self.distance + _HALF_LENGTH, 0.0, self.height)
        return ground, Block(top=region(middle, (_HALF_LENGTH, _HALF_WIDTH), self.friction), depth=self.height)

    def handholds(self) -> tuple[ContactRegion, ...]:
        middle = (self.distance + _HAND_STRIP, 0.0, self.height)
        return (region(middle, (_HAND_STRIP, _HALF_WIDTH), self.friction),)

    def start(self) -> Start:
        position = np.array([0.0, self.offset, 0.0])
        seconds = _HIGH_SECONDS if self.height > _HIGH else _SECONDS
        return Start(position_W=position, yaw=math.radians(self.turn), task="climb", seconds=seconds)

    def success(self, facts: RunFacts) -> Outcome:
        if facts.fell:
            return Outcome(False, f"The character fell within {facts.seconds:.1f} s.")
        on_top = facts.end_com_W[2] > facts.start_com_W[2] + 0.9 * self.height
        if not on_top or facts.upright_since is None:
            return Outcome(False, f"The character does not stand on the platform after {facts.seconds:.1f} s.")
        return Outcome(True, f"The character stands on the platform since {facts.upright_since:.1f} s.")
