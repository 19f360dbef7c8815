"""Uneven ground: tilted slabs that the planners see, and low plates that they do not."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hmpc.geometry import rotation_z, rotation_zyx
from hmpc.sim.environment import BaseEnvironment
from hmpc.sim.parameters import parameter
from hmpc.sim.scenery import CHECKER, WOOD, Block, region

_SLAB = 1.0  # [m] side of a slab
_RUN_UP = 1.0  # [m] from the start to the first slab
_LEVEL = 4.0  # [m] length of the level stretch that the run starts on
_PLATES_PER_SLAB = 3
_PLATE = (0.05, 0.15)  # [m] smallest and largest half side
_PLATE_DEPTH = 0.05  # [m] sunk into the slab, so that it has no gap below it


@dataclass(frozen=True, eq=False, kw_only=True)
class Rough(BaseEnvironment):
    """Level at first, then slabs tilted at random, littered with plates as high as `bump`."""

    name = "rough"
    description = "uneven ground: tilted slabs, and bumps that the planners do not see"

    bump: float = parameter(0.02, 0.0, 0.05, "m", "largest height of the bumps")
    tilt: float = parameter(2.0, 0.0, 6.0, "deg", "largest inclination of a slab")
    length: float = parameter(16.0, 1.0, 60.0, "m", "of the uneven stretch")
    width: float = parameter(5.0, 2.0, 10.0, "m", "of the uneven stretch")
    seed: int = parameter(0, 0, 999_999, "", "which ground of this kind")

    def blocks(self) -> tuple[Block, ...]:
        rng = np.random.default_rng(self.seed)
        rows, columns = math.ceil(self.length / _SLAB), math.ceil(self.width / _SLAB)
        half_width = 0.5 * _SLAB * columns
        start = region((_RUN_UP - 0.5 * _LEVEL, 0.0, 0.0), (0.5 * _LEVEL, half_width), self.friction)
        blocks = [Block(top=start, material=CHECKER)]
        for row in range(rows):
            for column in range(columns):
                slab = self._slab(rng, _RUN_UP + (row + 0.5) * _SLAB, (column + 0.5) * _SLAB - half_width)
                blocks.append(slab)
                blocks.extend(self._plate(rng, slab) for _ in range(_PLATES_PER_SLAB) if self.bump > 0.0)
        return tuple(blocks)

    def _slab(self, rng: np.random.Generator, x: float, y: float) -> Block:
        """A square whose centre is level with the start, tilted about a random horizontal axis."""
        direction = rng.uniform(-math.pi, math.pi)
        R_z = rotation_z(direction)
        R_WR = R_z @ rotation_zyx(0.0, math.radians(rng.uniform(0.0, self.tilt)), 0.0) @ R_z.T
        return Block(top=region((x, y, 0.0), (0.5 * _SLAB, 0.5 * _SLAB), self.friction, R_WR), material=CHECKER)

    def _plate(self, rng: np.random.Generator, slab: Block) -> Block:
        """A low plate somewhere on `slab`; unforeseen, so that the feet have to cope."""
        half_extent = rng.uniform(*_PLATE, size=2)
        room = 0.5 * _SLAB - _PLATE[1]
        offset_R = np.array([*rng.uniform(-room, room, size=2), rng.uniform(0.0, self.bump)])
        R_WR = slab.top.R_WR @ rotation_z(rng.uniform(-math.pi, math.pi))
        top = region(slab.top.p_W + slab.top.R_WR @ offset_R, half_extent, self.friction, R_WR)
        return Block(top=top, depth=_PLATE_DEPTH, use="none", material=WOOD)
