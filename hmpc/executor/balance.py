"""Where the body is going: the capture point and the feet under it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, BodyModel, Command, RobotState


def capture_point(state: RobotState, height: float, gravity: float) -> Array:
    """(2,) [m] where the COM would come to rest over a constant COP: c + v / omega."""
    omega = math.sqrt(gravity / height)
    return state.body.com_W[:2] + state.body.vel_W[:2] / omega


def within_support(robot: RobotModel, state: RobotState, feet: Iterable[str], point: Array, margin: float) -> bool:
    """Whether a ground point (2,) lies between the soles, at least about `margin` from their edges.

    A point is inside a convex hull when the hull's corners surround it without a gap of half a turn.
    """
    corners = np.concatenate([robot.corners_W(foot, state.limbs[foot], margin)[:, :2] for foot in feet])
    angles = np.sort(np.arctan2(corners[:, 1] - point[1], corners[:, 0] - point[0]))
    gaps = np.diff(angles, append=angles[0] + 2.0 * math.pi)
    return bool(gaps.max() < math.pi)


def walking_height(command: Command, state: RobotState, body: BodyModel, slack: float) -> float:
    """COM height of a gait, as a fraction of standing: low enough to put a foot down half a step away.

    The hip is then half a step from either foot; `slack` [m] is by how much a leg reaches further than its length.
    """
    foot = next(limb for limb in body.limbs if limb.is_foot)
    speed = max(math.hypot(*command.velocity_H), math.hypot(*state.body.vel_W[:2]))
    assert command.step_duration is not None
    half_step = 0.5 * command.step_duration * speed
    hip = math.sqrt(max((foot.reach + slack) ** 2 - half_step**2, 0.0))
    return min(command.body_height, (hip - foot.root_B[2]) / body.com_height)
