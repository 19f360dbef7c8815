"""Ground laid out piece by piece along x, and environments that consist of crossing it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hmpc.geometry import rotation_zyx
from hmpc.sim.environment import BaseEnvironment, Outcome, RunFacts
from hmpc.sim.scenery import CHECKER, CONCRETE, Bar, Block, region
from hmpc.types import read_only

if TYPE_CHECKING:
    from hmpc.types import Array

BEHIND_START = 1.5  # [m] of level ground
_DEPTH = 0.5  # [m] of a piece of ground, at least


class Track:
    """Pieces of ground, each of which begins where the last one ended: at (`x`, `z`), y = 0 in its middle."""

    def __init__(self, friction: float, half_width: float):
        self._mu, self._half_width = friction, half_width
        self.x, self.z = -BEHIND_START, 0.0  # [m]
        self.blocks: list[Block | Bar] = []

    def level(self, length: float, half_width: float | None = None, *, material: str = CHECKER) -> None:
        """Level ground; `half_width` [m] is the track's unless given."""
        self._add(length, (self._half_width if half_width is None else half_width), 0.0, material)
        self.x += length

    def stone(self, length: float, y: float, rise: float) -> None:
        """A square stone, `y` [m] to the left and `rise` [m] above the end of the last piece; its height is its own."""
        top = region((self.x + 0.5 * length, y, self.z + rise), (0.5 * length, 0.5 * length), self._mu)
        self.blocks.append(Block(top=top, depth=_DEPTH))
        self.x += length

    def gap(self, width: float) -> None:
        """Nothing to step on."""
        self.x += width

    def ramp(self, length: float, angle: float) -> None:
        """A slope of `length` [m] along its surface, up by `angle` [rad]."""
        self._add(length, self._half_width, angle, CONCRETE)
        self.x += length * math.cos(angle)
        self.z += length * math.sin(angle)

    def stairs(self, rise: float, tread: float, count: int, *, depth: float = _DEPTH) -> None:
        """`count` steps, each `rise` [m] higher (lower, if negative) than the one before it."""
        for _ in range(count):
            self.z += rise
            self._add(tread, self._half_width, 0.0, CONCRETE, depth)
            self.x += tread

    def _add(self, length: float, half_width: float, angle: float, material: str, depth: float = _DEPTH) -> None:
        R_WR = rotation_zyx(0.0, -angle, 0.0)  # x up the slope
        middle = np.array([self.x, 0.0, self.z]) + 0.5 * length * R_WR[:, 0]
        top = region(middle, (0.5 * length, half_width), self._mu, R_WR)
        self.blocks.append(Block(top=top, depth=depth, material=material))


@dataclass(frozen=True, eq=False, kw_only=True)
class Crossing(BaseEnvironment):
    """Walk forward: a success is to end up beyond the goal without a fall."""

    def track(self) -> tuple[Track, float]:
        """The ground, and the x [m] that the COM has to pass."""
        raise NotImplementedError(f"{type(self).__name__} needs track().")

    def blocks(self) -> tuple[Block | Bar, ...]:
        return tuple(self.track()[0].blocks)

    def goal(self) -> Array:
        track, x = self.track()
        return read_only((x, 0.0, track.z), 3)

    def success(self, facts: RunFacts) -> Outcome:
        way, goal = facts.end_com_W[0] - facts.start_com_W[0], self.goal()[0] - facts.start_com_W[0]
        if facts.fell or way < goal:
            return Outcome(
                False, f"The character got {max(way, 0.0):.1f} m of {goal:.1f} m far in {facts.seconds:.1f} s."
            )
        return Outcome(True, f"The character crossed the {goal:.1f} m to the goal within {facts.seconds:.1f} s.")
