"""Standing still, in whatever posture is asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hmpc.sim.environment import Start
from hmpc.sim.parameters import choice, parameter
from hmpc.types import Posture
from hmpc_envs.flat import Flat


@dataclass(frozen=True, eq=False, kw_only=True)
class Stand(Flat):
    """Level ground to stand on with one foot or two, turned, leaning, or loaded."""

    name = "stand"
    description = "standing: on one foot or two, trunk turned or leaning, arms posed, a load in one hand"

    lift: str = choice("none", ("none", "left", "right"), "foot to lift")
    lift_height: float = parameter(0.15, 0.02, 0.4, "m", "how high the foot is lifted")
    yaw: float = parameter(0.0, -40.0, 40.0, "deg", "turn of the trunk, left positive")
    pitch: float = parameter(0.0, -15.0, 40.0, "deg", "lean of the trunk, forward positive")
    arms: str = choice("rest", ("rest", "forward", "sideways", "bent"), "pose of the arms")
    hand_load: float = parameter(0.0, 0.0, 10.0, "kg", "mass in the right hand")

    def start(self) -> Start:
        return Start(loads={"right_hand": self.hand_load})

    def posture(self) -> Posture:
        return Posture(
            trunk_yaw=math.radians(self.yaw),
            trunk_pitch=math.radians(self.pitch),
            arms=self.arms,
            lifted_foot=None if self.lift == "none" else f"{self.lift}_foot",
            lift_height=self.lift_height,
        )
