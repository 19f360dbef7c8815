"""Level ground to get up from."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hmpc.sim.environment import BaseEnvironment, Outcome, RunFacts, Start
from hmpc.sim.parameters import choice, parameter
from hmpc.sim.scenery import CHECKER, Block, region

_SECONDS = 25.0  # [s] to get up


@dataclass(frozen=True, eq=False, kw_only=True)
class Ground(BaseEnvironment):
    """The character lies at rest, on its front or on its back."""

    name = "ground"
    description = "get up from the ground on hands, knees and feet"

    pose: str = choice("front", ("front", "back"), "on which the character lies")
    disarray: float = parameter(0.05, 0.0, 0.2, "rad", "by which its joints are off the pose of who lies, at most")
    pose_seed: int = parameter(0, 0, 999_999, "", "which angles are drawn")

    def blocks(self) -> tuple[Block, ...]:
        return (Block(top=region((0, 0, 0), (50, 50), self.friction), depth=math.inf, material=CHECKER),)

    def start(self) -> Start:
        return Start(
            pose="prone" if self.pose == "front" else "supine",
            lying="front" if self.pose == "front" else "back",
            disarray=self.disarray,
            pose_seed=self.pose_seed,
            task="get_up",
            seconds=_SECONDS,
        )

    def success(self, facts: RunFacts) -> Outcome:
        if facts.fell:
            return Outcome(False, f"The character fell within {facts.seconds:.1f} s.")
        if facts.upright_since is None:
            return Outcome(False, f"The character does not stand upright after {facts.seconds:.1f} s.")
        return Outcome(True, f"The character stands upright since {facts.upright_since:.1f} s.")
