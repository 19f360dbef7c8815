"""A robot is asked only for what it can do; what is cut off is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.errors import UnknownNameError

if TYPE_CHECKING:
    from hmpc.robot.spec import RobotSpec
    from hmpc.types import Command


def clip_command(command: Command, robot: RobotSpec) -> tuple[Command, str]:
    """The command within the robot's limits, and a sentence about what was cut off ("" if nothing was)."""
    limits = robot.limits
    asked = {
        "forward velocity": (command.velocity_H[0], *limits.forward, "m/s"),
        "sideways velocity": (command.velocity_H[1], -limits.sideways, limits.sideways, "m/s"),
        "yaw rate": (command.yaw_rate, -limits.yaw_rate, limits.yaw_rate, "rad/s"),
        "body height": (command.body_height, *limits.body_height, "of standing height"),
    }
    given = {name: min(max(value, low), high) for name, (value, low, high, _) in asked.items()}
    words = [
        f"{name} {value:g} to {given[name]:g} {unit}"
        for name, (value, _, _, unit) in asked.items()
        if value != given[name]
    ]
    if not words:
        return command, ""
    forward, sideways, yaw_rate, height = given.values()
    clipped = replace(command, velocity_H=np.array([forward, sideways]), yaw_rate=yaw_rate, body_height=height)
    return clipped, f"Robot {robot.name!r} clips {', '.join(words)}."


def check_posture(command: Command, robot: RobotSpec) -> None:
    """Raise `InputError` unless the robot has the arm pose and the foot that the posture names."""
    posture = command.posture
    feet = [limb.name for limb in robot.limbs if limb.is_foot]
    if posture.arms not in robot.arm_poses:
        raise UnknownNameError("arm pose", posture.arms, robot.arm_poses)
    if posture.lifted_foot is not None and posture.lifted_foot not in feet:
        raise UnknownNameError("foot", posture.lifted_foot, feet)
