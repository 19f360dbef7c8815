"""What a limb can reach from where the body is now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.robot.model import RobotModel
    from hmpc.types import LimbTarget, RobotState


def within_reach(robot: RobotModel, name: str, target: LimbTarget) -> LimbTarget:
    """The target, or the closest point to it that the limb reaches now: straining for more pulls at the body."""
    root_W = robot.limb_root(name)
    distance = float(np.linalg.norm(target.p_W - root_W))
    reach = robot.limbs[name].spec.reach
    if distance <= reach:
        return target
    return replace(target, p_W=root_W + reach / distance * (target.p_W - root_W))


def is_stretched(robot: RobotModel, name: str, state: RobotState, share: float) -> bool:
    """Whether a limb uses more than a `share` of its reach."""
    distance = np.linalg.norm(state.limbs[name].p_W - robot.limb_root(name))
    return bool(distance > share * robot.limbs[name].spec.reach)
