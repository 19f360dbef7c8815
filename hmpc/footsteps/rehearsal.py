"""Walking without a body: the pendulum itself follows its plans (for benches and tests of the planner)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hmpc.footsteps.gait import LEFT
from hmpc.footsteps.planner import FootstepOptions, FootstepPlanner, FootstepStart
from hmpc.types import Command, FootstepPlan


def rehearse(planner: FootstepPlanner, command: Command) -> Iterator[FootstepOptions]:
    """Plans from touch-down to touch-down of a walk that starts in the steady gait."""
    start = steady_start(planner, command)
    while True:
        options = planner.plan(start, command)
        yield options
        start = touch_down(start, options.best, command.yaw_rate)


def steady_start(planner: FootstepPlanner, command: Command, side: float = LEFT) -> FootstepStart:
    """In the middle of walking as commanded: the foot on `side` stands at (0, ±width/2), the other is about to land."""
    gait = planner.gait(command)
    foot = 0.5j * side * gait.width
    com, vel = foot + gait.end_offset(side), gait.end_velocity(side)
    stance, swing = planner.feet if side == LEFT else planner.feet[::-1]
    return FootstepStart(
        t=0.0,
        com_W=np.array([com.real, com.imag, planner.body.com_height]),
        com_vel_W=np.array([vel.real, vel.imag, 0.0]),
        yaw=0.5 * command.yaw_rate * gait.timing.single_support,
        stance_limb=stance,
        stance_foot_W=np.array([foot.real, foot.imag, 0.0]),
        stance_yaw=0.0,
        swing_limb=swing,
        remaining=0.0,
    )


def touch_down(start: FootstepStart, plan: FootstepPlan, yaw_rate: float = 0.0) -> FootstepStart:
    """The situation when the next foot of a plan made at `start` has just landed."""
    return FootstepStart(
        t=float(plan.t_end[0]),
        com_W=plan.com_W[1],
        com_vel_W=plan.com_vel_W[1],
        yaw=start.yaw + yaw_rate * start.remaining,
        stance_limb=plan.limb[1],
        stance_foot_W=plan.foot_W[1],
        stance_yaw=float(plan.yaw[1]),
        swing_limb=plan.limb[0],
        remaining=float(plan.t_end[1] - plan.t_start[1]),
        double_support=float(plan.double_support[1]),
        cop_W=plan.cop_W[0],
    )
