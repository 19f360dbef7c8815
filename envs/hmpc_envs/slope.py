"""A ramp, up or down, between two level stretches."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hmpc.geometry import rotation_zyx
from hmpc.sim.environment import BaseEnvironment
from hmpc.sim.parameters import parameter
from hmpc.sim.scenery import CHECKER, CONCRETE, Block, region

_LEVEL = 5.0  # [m] length of the level stretches
_RUN_UP = 1.5  # [m] from the start to the foot of the ramp
_HALF_WIDTH = 3.0  # [m]


@dataclass(frozen=True, eq=False, kw_only=True)
class Slope(BaseEnvironment):
    """Walk forward onto the ramp; its far end meets the second level stretch."""

    name = "slope"
    description = "a ramp, up or down, between two level stretches"

    angle: float = parameter(8.0, -20.0, 20.0, "deg", "inclination, uphill positive")
    length: float = parameter(6.0, 1.0, 50.0, "m", "of the ramp, along its surface")

    def blocks(self) -> tuple[Block, ...]:
        angle, mu = math.radians(self.angle), self.friction
        R_WR = rotation_zyx(0.0, -angle, 0.0)  # x up the ramp
        foot = np.array([_RUN_UP, 0.0, 0.0])
        middle = foot + 0.5 * self.length * R_WR[:, 0]
        head = foot + self.length * R_WR[:, 0]
        half_level = (0.5 * _LEVEL, _HALF_WIDTH)
        return (
            Block(top=region((_RUN_UP - 0.5 * _LEVEL, 0.0, 0.0), half_level, mu), material=CHECKER),
            Block(top=region(middle, (0.5 * self.length, _HALF_WIDTH), mu, R_WR), material=CONCRETE),
            Block(top=region((head[0] + 0.5 * _LEVEL, 0.0, head[2]), half_level, mu), material=CHECKER),
        )
