"""A step as a plan has it: when a foot leaves, when and where it lands."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hmpc.types import Array, ContactRegion, FootstepPlan, FrbPlan


@dataclass(frozen=True, eq=False)
class StepSchedule:
    """When the trailing foot leaves, when and where it lands."""

    lift_off: float  # [s]
    touch_down: float  # [s]
    take_off: float  # [s] when the stance foot leaves before the other lands, in a leap; inf: it stays
    foothold_W: Array  # (3,) [m] middle of the sole
    yaw: float  # [rad]
    region: ContactRegion  # that it lands on


def step_schedule(plan: FrbPlan, footsteps: FootstepPlan, swing_limb: str) -> StepSchedule:
    """The current step as the plan has it."""
    phases = [phase for phase in plan.phases if phase.limb == swing_limb]
    leaving = [phase.t_end for phase in phases if phase.fixed]
    landing = next(phase for phase in phases if not phase.fixed)
    pushing = [phase.t_end for phase in plan.phases if phase.limb != swing_limb and phase.fixed]
    flies = footsteps.leap is not None and footsteps.leap.step == 1 and pushing[0] < landing.t_start
    return StepSchedule(
        lift_off=leaving[0] if leaving else float(footsteps.t_start[0] + footsteps.double_support[0]),
        touch_down=landing.t_start,
        take_off=pushing[0] if flies else math.inf,
        foothold_W=landing.center_W,
        yaw=landing.yaw,
        region=landing.region,
    )
