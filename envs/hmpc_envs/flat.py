"""Level ground in all directions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hmpc.sim.environment import BaseEnvironment
from hmpc.sim.scenery import CHECKER, Block, region

_HALF_SIZE = 1000.0  # [m] eight minutes at 2 m/s to the end of it


@dataclass(frozen=True, eq=False, kw_only=True)
class Flat(BaseEnvironment):
    """A plane at height zero."""

    name = "flat"
    description = "level ground in all directions"

    def blocks(self) -> tuple[Block, ...]:
        top = region((0.0, 0.0, 0.0), (_HALF_SIZE, _HALF_SIZE), self.friction)
        return (Block(top=top, depth=math.inf, material=CHECKER),)
