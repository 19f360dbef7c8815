"""Holding still in whatever position the character is: sitting, leaning on its hands, or waiting for a plan."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hmpc.types import FrbState, MotionTarget

if TYPE_CHECKING:
    from hmpc.robot.model import RobotModel
    from hmpc.types import RobotState


class Holding:
    """Everything that touches the world may go on carrying; the body and its joints stay as they are.

    Who lies is carried by the ground: no limb pushes.
    """

    def __init__(self, robot: RobotModel, state: RobotState, *, lying: bool = False):
        self._lying = lying
        self._body = FrbState(com_W=state.body.com_W, vel_W=np.zeros(3), R_WB=state.body.R_WB, omega_W=np.zeros(3))
        self._pose = state.qpos[robot.qadr].copy()
        self._zero = np.zeros(robot.nu)

    def update(self, state: RobotState) -> MotionTarget:
        """Targets for this tick."""
        return MotionTarget(
            body=self._body,
            acc_W=np.zeros(3),
            support={name: math.inf for name, limb in state.limbs.items() if limb.touching and not self._lying},
            swing={},
            pose=self._pose,
            pose_velocity=self._zero,
        )
