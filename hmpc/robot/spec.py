"""RobotSpec: the names that tie an MJCF file to the controller.

Nothing outside hmpc/robot knows the name of a joint or a body; the rest of the house
speaks of limbs, poses and arrays in actuator order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

LimbKind = Literal["foot", "hand", "knee", "seat"]


@dataclass(frozen=True, kw_only=True)
class LimbSpec:
    """A chain of bodies that can touch the world with a pad at its end."""

    name: str
    root_body: str  # first body of the limb (the thigh, the upper arm)
    tip_body: str  # last body of the limb (the foot, the hand)
    site: str  # middle of the contact pad: x along it, z into the limb
    geoms: tuple[str, ...]  # collision geoms whose contacts belong to the limb
    half_extent: tuple[float, float]  # [m] of the pad along the site's x and y
    reach: float  # [m] largest usable distance from the limb's root joint to its pad
    kind: LimbKind  # a seat is part of the trunk: no motor moves it against the body, what it rests on just holds it

    @property
    def is_foot(self) -> bool:
        return self.kind == "foot"


@dataclass(frozen=True, kw_only=True)
class Gains:
    """PD gains of one joint."""

    kp: float  # [N m/rad]
    kd: float  # [N m s/rad]


@dataclass(frozen=True, kw_only=True)
class CommandLimits:
    """What the robot can be asked for; commands beyond are clipped. The defaults suit a body like a human's."""

    forward: tuple[float, float]  # [m/s] backwards, forwards
    sideways: float  # [m/s] to either side
    yaw_rate: float  # [rad/s] to either side
    body_height: tuple[float, float]  # fraction of the standing height
    turn_acceleration: float = 1.2  # [m/s^2] inwards, of a quick walk that turns: velocity times yaw rate
    step_duration: tuple[float, float] = (0.42, 0.8)  # [s]
    step_width: tuple[float, float] = (0.12, 0.35)  # [m] between the feet
    trunk_yaw: float = math.radians(40.0)  # [rad] to either side
    trunk_pitch: tuple[float, float] = (math.radians(-15.0), math.radians(40.0))  # [rad] backwards, forwards
    head_yaw: float = math.radians(70.0)  # [rad] to either side
    head_pitch: tuple[float, float] = (math.radians(-45.0), math.radians(45.0))  # [rad] up, down
    lift_height: tuple[float, float] = (0.02, 0.4)  # [m] of a lifted foot


@dataclass(frozen=True, kw_only=True)
class RobotSpec:
    """Everything the controller must be told about a robot beyond its MJCF."""

    name: str
    description: str
    mjcf: Path
    body_frame: tuple[str, ...]  # bodies whose mean orientation is the body's (Sec. 3.2.2)
    limbs: tuple[LimbSpec, ...]
    gains: Mapping[str, Gains]  # by joint-name ending; the longest ending that fits wins
    stand: Mapping[str, float]  # [rad] joint angles of the standing pose; others are 0
    arm_poses: Mapping[str, Mapping[str, float]]  # named poses of the upper limbs
    poses: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # further named poses of the whole body
    head: Mapping[str, str]  # "yaw" and "pitch" -> joint
    spine_bend: Mapping[str, float] = field(default_factory=dict)  # joint -> rad of bend per rad that the body leans
    arm_hang: Mapping[str, float] = field(default_factory=dict)  # the same of free arms, which hang down
    arm_swing: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    # limb -> joint -> rad of swing per rad of the opposite leg's flexion
    limits: CommandLimits
