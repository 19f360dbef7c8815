"""Grounds to walk on, and walks on them."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from hmpc.footsteps.planner import FootstepOptions, FootstepPlanner
from hmpc.footsteps.rehearsal import rehearse
from hmpc.types import Command, ContactRegion, FootstepPlan


def level(x_min: float, x_max: float, *, z: float = 0.0, y_half: float = 2.0) -> ContactRegion:
    """A level rectangle across the x axis."""
    center, half = 0.5 * (x_min + x_max), 0.5 * (x_max - x_min)
    return ContactRegion(p_W=np.array([center, 0.0, z]), R_WR=np.eye(3), half_extent=np.array([half, y_half]))


FLAT = (level(-100.0, 100.0, y_half=100.0),)


def forward(vx: float, vy: float = 0.0, yaw_rate: float = 0.0, **posture: Any) -> Command:
    """A command of that velocity."""
    return Command(velocity_H=np.array([vx, vy]), yaw_rate=yaw_rate, **posture)


def walk(planner: FootstepPlanner, command: Command, steps: int) -> list[FootstepPlan]:
    """The best plan at every one of so many steps, each taken as planned."""
    return [options.best for options in islice(rehearse(planner, command), steps)]


def all_plans(options: FootstepOptions) -> tuple[FootstepPlan, ...]:
    """The best plan and the alternatives."""
    return options.best, *options.alternatives
