"""A robot is asked only for what it can do; what is cut off is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.errors import UnknownNameError

if TYPE_CHECKING:
    from hmpc.robot.spec import RobotSpec
    from hmpc.types import Command

_ROUNDING = 1e-9  # share of a limit by which a product may be above it: nobody would know what was clipped


def clip_command(command: Command, robot: RobotSpec) -> tuple[Command, str]:
    """The command within the robot's limits, and a sentence about what was cut off ("" if nothing was)."""
    asked = _asked(command, robot)
    given = {name: min(max(value, low), high) for name, (value, (low, high), _) in asked.items()}
    words = [
        f"{name} {value:g} to {given[name]:.3g} {unit}"
        for name, (value, _, unit) in asked.items()
        if value != given[name]
    ]
    if not words:
        return command, ""
    clipped = replace(
        command,
        velocity_H=np.array([given["forward velocity"], given["sideways velocity"]]),
        yaw_rate=given["yaw rate"],
        body_height=given["body height"],
        step_duration=given.get("step duration"),
        step_width=given.get("step width"),
        posture=replace(
            command.posture,
            trunk_yaw=given["trunk yaw"],
            trunk_pitch=given["trunk pitch"],
            head_yaw=given["head yaw"],
            head_pitch=given["head pitch"],
            lift_height=given["lift height"],
        ),
    )
    return clipped, f"Robot {robot.name!r} clips {', '.join(words)}."


def _asked(command: Command, robot: RobotSpec) -> dict[str, tuple[float, tuple[float, float], str]]:
    """Every number of a command with its range and unit; what is left to the robot is left out."""
    limits, posture = robot.limits, command.posture
    vx, vy = command.velocity_H.tolist()
    slowest, fastest = limits.forward
    speed = abs(min(max(vx, slowest), fastest))
    yaw_rate = limits.yaw_rate
    if speed * yaw_rate > (1.0 + _ROUNDING) * limits.turn_acceleration:
        yaw_rate = limits.turn_acceleration / speed
    asked = {
        "forward velocity": (vx, limits.forward, "m/s"),
        "sideways velocity": (vy, (-limits.sideways, limits.sideways), "m/s"),
        "yaw rate": (command.yaw_rate, (-yaw_rate, yaw_rate), "rad/s"),
        "body height": (command.body_height, limits.body_height, "of standing height"),
        "trunk yaw": (posture.trunk_yaw, (-limits.trunk_yaw, limits.trunk_yaw), "rad"),
        "trunk pitch": (posture.trunk_pitch, limits.trunk_pitch, "rad"),
        "head yaw": (posture.head_yaw, (-limits.head_yaw, limits.head_yaw), "rad"),
        "head pitch": (posture.head_pitch, limits.head_pitch, "rad"),
        "lift height": (posture.lift_height, limits.lift_height, "m"),
    }
    if command.step_duration is not None:
        asked["step duration"] = (command.step_duration, limits.step_duration, "s")
    if command.step_width is not None:
        asked["step width"] = (command.step_width, limits.step_width, "m")
    return asked


def check_posture(command: Command, robot: RobotSpec) -> None:
    """Raise `InputError` unless the robot has the arm pose and the foot that the posture names."""
    posture = command.posture
    feet = [limb.name for limb in robot.limbs if limb.is_foot]
    if posture.arms not in robot.arm_poses:
        raise UnknownNameError("arm pose", posture.arms, robot.arm_poses)
    if posture.lifted_foot is not None and posture.lifted_foot not in feet:
        raise UnknownNameError("foot", posture.lifted_foot, feet)
