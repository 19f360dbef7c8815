"""The vocabulary of commands: one flat set of names for Python, JSON, CSV and YAML alike."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.errors import InputError, UnknownNameError
from hmpc.types import Command, Posture

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_FOOT = "none"  # as `lifted_foot`: both feet on the ground
AUTOMATIC = 0.0  # as `step_duration` or `step_width`: chosen from the speed, the robot's own
_POSTURE = tuple(item.name for item in fields(Posture))
WORDS = ("arms", "lifted_foot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a source asks for, in the heading frame (REP-103: x forward, y left, yaw counter-clockwise).

    A request says the whole velocity: what it leaves out is zero. Of the style it says only what it names; the rest
    stays as it is. Numbers have to be finite.
    """

    vx: float = 0.0  # [m/s] forward
    vy: float = 0.0  # [m/s] to the left
    yaw_rate: float = 0.0  # [rad/s] counter-clockwise
    body_height: float | None = None  # of the COM, as a fraction of its standing height
    step_duration: float | None = None  # [s]; 0: chosen from the speed
    step_width: float | None = None  # [m] between the feet; 0: the robot's
    trunk_yaw: float | None = None  # [rad] left positive
    trunk_pitch: float | None = None  # [rad] forward positive
    head_yaw: float | None = None  # [rad] left positive
    head_pitch: float | None = None  # [rad] down positive
    arms: str | None = None  # a named arm pose of the robot
    lifted_foot: str | None = None  # a foot of the robot, or "none"
    lift_height: float | None = None  # [m]

    def __post_init__(self) -> None:
        for name in NAMES:
            value = getattr(self, name)
            if name in WORDS:
                good = value is None or isinstance(value, str)
            else:
                good = (value is None and name not in VELOCITY) or is_finite(value)
            if not good:
                kind = "a word" if name in WORDS else "a finite number"
                raise InputError(f"{name} of a command must be {kind}, got {value!r}.")

    def onto(self, command: Command) -> Command:
        """`command` with what this request says."""
        style = {name: getattr(self, name) for name in NAMES if name not in VELOCITY}
        given = {name: value for name, value in style.items() if value is not None}
        if "lifted_foot" in given and given["lifted_foot"] == NO_FOOT:
            given["lifted_foot"] = None
        for name in ("step_duration", "step_width"):
            if given.get(name) == AUTOMATIC:
                given[name] = None
        posture = {name: given.pop(name) for name in _POSTURE if name in given}
        return replace(
            command,
            velocity_H=np.array([self.vx, self.vy]),
            yaw_rate=self.yaw_rate,
            posture=replace(command.posture, **posture) if posture else command.posture,
            **given,
        )


NAMES = tuple(item.name for item in fields(Request))
VELOCITY = ("vx", "vy", "yaw_rate")


def request_from(values: Mapping[str, Any]) -> Request:
    """The request with these values; an unknown name is refused together with the valid ones."""
    for name in values:
        if name not in NAMES:
            raise UnknownNameError("field of a command", str(name), NAMES)
    return Request(**values)


def as_request(command: Command) -> Request:
    """The request that says all of `command`, whatever was asked for before."""
    posture = {name: getattr(command.posture, name) for name in _POSTURE}
    return Request(
        vx=float(command.velocity_H[0]),
        vy=float(command.velocity_H[1]),
        yaw_rate=command.yaw_rate,
        body_height=command.body_height,
        step_duration=command.step_duration or AUTOMATIC,
        step_width=command.step_width or AUTOMATIC,
        **{**posture, "lifted_foot": command.posture.lifted_foot or NO_FOOT},
    )


def is_finite(value: object) -> bool:
    """Whether this is a number (true and false are not) that is finite."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond any float
        return False
