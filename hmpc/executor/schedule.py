"""A step as a plan has it: when a foot leaves, when and where it lands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hmpc.types import Array, ContactRegion, FootstepPlan, FrbPlan


@dataclass(frozen=True, eq=False)
class StepSchedule:
    """When the trailing foot leaves, when and where it lands."""

    lift_off: float  # [s]
    touch_down: float  # [s]
    foothold_W: Array  # (3,) [m] middle of the sole
    yaw: float  # [rad]
    region: ContactRegion  # that it lands on


def step_schedule(plan: FrbPlan, footsteps: FootstepPlan, swing_limb: str) -> StepSchedule:
    """The current step as the plan has it."""
    phases = [phase for phase in plan.phases if phase.limb == swing_limb]
    leaving = [phase.t_end for phase in phases if phase.fixed]
    landing = next(phase for phase in phases if not phase.fixed)
    return StepSchedule(
        lift_off=leaving[0] if leaving else float(footsteps.t_start[0] + footsteps.double_support[0]),
        touch_down=landing.t_start,
        foothold_W=landing.center_W,
        yaw=landing.yaw,
        region=landing.region,
    )
