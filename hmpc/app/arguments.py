"""What the command line says, as things that a session is made of."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from hmpc.app.commands.request import Request
from hmpc.app.config import read_config, with_overrides
from hmpc.errors import InputError, UnknownNameError, code_of
from hmpc.params import Params
from hmpc.registry import make_environment

if TYPE_CHECKING:
    from hmpc.app.cli import Demo, Run
    from hmpc.sim.environment import Environment
    from hmpc.sim.simulator import Push


def duration(arguments: Run, environment: Environment) -> float:
    """[s] that a run lasts: as told, or as long as the environment needs."""
    with code_of(f"Environment {environment.name!r}"):
        seconds = environment.start().seconds if arguments.seconds is None else arguments.seconds
    if not (math.isfinite(seconds) and seconds > 0.0):
        raise InputError(f"--seconds must be a positive number, got {seconds}.")
    return seconds


def resolve(arguments: Run | Demo, dotted: dict[str, str]) -> tuple[Environment, Params]:
    """The environment and the parameters that the command line describes."""
    if arguments.env is None:
        raise InputError("ENV is missing: give the name of an environment (`hmpc list envs`), or --tape DIR.")
    settings = {field.name for field in fields(Params)}
    parameters, overrides = {}, {}
    for path, value in dotted.items():
        head, _, tail = path.partition(".")
        if head == "env":
            parameters[tail] = value
        elif head in settings:
            overrides[path] = value
        else:
            raise UnknownNameError("group of parameters", head, {"env", *settings})
    Request(vx=arguments.vx, vy=arguments.vy, yaw_rate=arguments.yaw_rate, body_height=arguments.body_height)  # finite
    config = read_config(arguments.config) if arguments.config else {}
    params = with_overrides(Params(), {**config, **overrides})
    return make_environment(arguments.env, parameters), params


def controller_options(arguments: Run | Demo) -> dict[str, Any]:
    """What the command line says about the controller, as arguments of a `Session` in any environment."""
    names = ("control_rate", "qp", "pd", "plan", "clock", "height_error")
    return {name: getattr(arguments, name) for name in names}


def parse_push(text: str) -> Push:
    """T,IMPULSE,DIRECTION[,DURATION] in s, N s, degrees and s."""
    from hmpc.sim.simulator import Push  # brings numba; a demo shows its address before that

    try:
        start, impulse, direction, *duration = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(
            f"--push needs T,IMPULSE,DIRECTION[,DURATION] in s, N s, degrees and s, got {text!r}."
        ) from None
    if len(duration) > 1:
        raise InputError(f"--push takes at most four numbers, got {text!r}.")
    return Push(start, impulse, math.radians(direction), *duration)
