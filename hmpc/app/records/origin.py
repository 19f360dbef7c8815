"""Where a recorded run was made: its environment and robot, built anew from its config.yaml.

A folder may come from anybody, so it chooses among what is installed by name and never which code is imported; for
what has no name ("package.module:Name") the user has to name it as well.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hmpc.errors import InputError
from hmpc.registry import ENVIRONMENTS, ROBOTS, find_robot, make_environment, names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import Environment


def class_of(environment: Environment) -> str:
    """Where its class is, as package.module:Name."""
    return f"{type(environment).__module__}:{type(environment).__qualname__}"


def recorded_environment(config: Mapping[str, Any], folder: Path, named: str | None) -> Environment:
    """The environment that a config.yaml tells of; `named` is what the user says it is, if anything."""
    parameters = dict(config["environment"])
    name, home = str(parameters.pop("name")), str(parameters.pop("class"))
    if named not in (None, name, home):
        raise InputError(f"The run in {str(folder)!r} was made in {home}, not in {named}.")
    if named == home:
        return make_environment(home, parameters)
    if name in names(ENVIRONMENTS):
        found = make_environment(name, parameters)
        if class_of(found) == home:
            return found
    raise InputError(
        f"The run in {str(folder)!r} was made in {home}, which is not installed by name: if you trust it, name it, "
        f"as in `hmpc run {home} --tape {folder}` or `hmpc replay {folder} --env {home}`."
    )


def recorded_robot(config: Mapping[str, Any], folder: Path, named: str | None) -> RobotSpec:
    """The robot that a config.yaml tells of; `named` is what the user says it is, if anything."""
    name = str(config["robot"])
    if named is None and name not in names(ROBOTS):
        raise InputError(
            f"Robot {name!r} of the run in {str(folder)!r} is not installed by name: add --robot package.module:NAME."
        )
    found = find_robot(named or name)
    if found.name != name:
        raise InputError(f"The run in {str(folder)!r} was made with robot {name!r}, not with {found.name!r}.")
    return found
