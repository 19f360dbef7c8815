"""A chair to stand up from, with things to hold on to here and there, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hmpc.sim.environment import BaseEnvironment, Outcome, RunFacts, Start
from hmpc.sim.parameters import choice, parameter
from hmpc.sim.scenery import CHECKER, WOOD, Bar, Block, region
from hmpc.types import ContactRegion

_SEAT_FRONT = 0.036  # [m] front edge of the seat before the hips: one sits well forward to stand up
_SEAT = (0.24, 0.22)  # [m] half depth and half width of the seat
_SEAT_THICKNESS = 0.05  # [m]
_LEG = 0.02  # [m] half width of a leg of the chair
_BACK_HEIGHT = 0.45  # [m] of the backrest above the seat
_HIPS = -0.285  # [m] of the hips before the middle of the feet, seated

# Where a hold is on average, relative to the hips, and by how much that may vary.
_HOLD = (0.10, 0.36, 0.67)  # [m] forward, to the side, above the ground
_SPREAD = (0.20, 0.08, 0.15)  # [m]
_HOLD_HALF_LENGTH, _HOLD_HALF_WIDTH, _HOLD_THICKNESS = 0.16, 0.05, 0.04  # [m]
_POST = 0.015  # [m] half width of what carries an armrest

_IN_TIME, _STANDING = 6.0, 5.0  # [s] to be upright, and to stay so


@dataclass(frozen=True, eq=False, kw_only=True)
class Chair(BaseEnvironment):
    """The character sits; armrests and bars are where the layout's seed puts them."""

    name = "chair"
    description = "stand up from a chair with armrests, bars, or nothing to hold on to"

    height: float = parameter(0.45, 0.40, 0.52, "m", "of the seat")
    layout: str = choice("drawn", ("drawn", "armrests", "bars", "none"), "what there is to hold; drawn: by the seed")
    layout_seed: int = parameter(0, 0, 999_999, "", "which holds are drawn, and where")
    holds: str = choice("used", ("used", "forbidden"), "whether the character may use what there is to hold")

    def blocks(self) -> tuple[Block | Bar, ...]:
        floor = Block(top=region((0, 0, 0), (50, 50), self.friction), depth=float("inf"), material=CHECKER)
        return floor, *self._chair(), *self._holds()

    def handholds(self) -> tuple[ContactRegion, ...]:
        return super().handholds() if self.holds == "used" else ()

    def start(self) -> Start:
        return Start(pose="sit", seat_height=self.height, task="stand_up")

    def success(self, facts: RunFacts) -> Outcome:
        if facts.fell:
            return Outcome(False, f"The character fell within {facts.seconds:.1f} s.")
        if facts.upright_since is None:
            return Outcome(False, f"The character does not stand upright after {facts.seconds:.1f} s.")
        stood = facts.seconds - facts.upright_since
        words = f"The character stood upright after {facts.upright_since:.1f} s and for {stood:.1f} s"
        if facts.upright_since > _IN_TIME:
            return Outcome(False, f"{words}: later than {_IN_TIME:g} s.")
        if stood < _STANDING and facts.seconds >= _IN_TIME + _STANDING:
            return Outcome(False, f"{words}: less than {_STANDING:g} s.")
        return Outcome(True, f"{words}.")

    def _chair(self) -> list[Block]:
        depth, width = _SEAT
        middle = _HIPS + _SEAT_FRONT - depth
        top = region((middle, 0.0, self.height), _SEAT, self.friction)
        seat = Block(top=top, depth=_SEAT_THICKNESS, use="seat", material=WOOD)
        legs = [
            self._post(middle + x, y, 0.0, self.height - _SEAT_THICKNESS, _LEG)
            for x in (-depth + _LEG, depth - _LEG)
            for y in (-width + _LEG, width - _LEG)
        ]
        back = region((middle - depth, 0.0, self.height + _BACK_HEIGHT), (_LEG, width), self.friction)
        return [seat, *legs, Block(top=back, depth=_BACK_HEIGHT, use="none", material=WOOD)]

    def _post(self, x: float, y: float, bottom: float, top: float, half_width: float) -> Block:
        face = region((x, y, top), (half_width, half_width), self.friction)
        return Block(top=face, depth=top - bottom, use="none", material=WOOD)

    def _holds(self) -> list[Block | Bar]:
        if self.layout == "none":
            return []
        if self.layout != "drawn":
            return [part for side in (1, -1) for part in self._hold(side, self.layout == "bars", np.array(_HOLD))]
        rng = np.random.default_rng(self.layout_seed)
        sides = ((1, -1), (1, -1), (1,), (-1,), ())[rng.integers(5)]
        holds: list[Block | Bar] = []
        for side in sides:
            is_bar = bool(rng.integers(2))
            place = np.array(_HOLD) + rng.uniform(-1.0, 1.0, size=3) * _SPREAD
            holds += self._hold(side, is_bar, place)
        return holds

    def _hold(self, side: int, is_bar: bool, place: np.ndarray) -> list[Block | Bar]:
        """An armrest or a bar, and the post that carries it."""
        x, y, z = _HIPS + place[0], side * place[1], place[2]
        post = self._post(x, y, 0.0, z - _HOLD_THICKNESS, _POST)
        if is_bar:
            rail = ContactRegion(
                p_W=np.array([x, y, z]),
                R_WR=np.eye(3),
                half_extent=np.array([_HOLD_HALF_LENGTH, 0.0]),
                mu=self.friction,
                bilateral=True,
            )
            return [Bar(top=rail), post]
        top = region((x, y, z), (_HOLD_HALF_LENGTH, _HOLD_HALF_WIDTH), self.friction)
        return [Block(top=top, depth=_HOLD_THICKNESS, use="hands", material=WOOD), post]
