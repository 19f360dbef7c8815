"""Environments and robots by name: what ships and what plug-ins add comes in by the same door.

A reference is the name of an entry point (groups `hmpc.environments`, `hmpc.robots`), a
"package.module:Name" string, or the object itself. A broken plug-in is named in the log
and left out of the lists; only asking for it by name is an error.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from hmpc.errors import InputError, PluginError, UnknownNameError, code_of
from hmpc.robot.spec import RobotSpec
from hmpc.sim.environment import Environment
from hmpc.sim.parameters import Parameter, parameters_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ENVIRONMENTS = "hmpc.environments"
ROBOTS = "hmpc.robots"
TASKS = "hmpc.tasks"

# The entry points of pyproject.toml once more, for a checkout that is not installed; a test keeps them equal.
_SHIPPED = {
    ENVIRONMENTS: {
        "beam": "hmpc_envs.beam:Beam",
        "chair": "hmpc_envs.chair:Chair",
        "course": "hmpc_envs.course:Course",
        "flat": "hmpc_envs.flat:Flat",
        "gap": "hmpc_envs.gap:Gap",
        "ground": "hmpc_envs.ground:Ground",
        "platform": "hmpc_envs.platform:Platform",
        "rough": "hmpc_envs.rough:Rough",
        "slope": "hmpc_envs.slope:Slope",
        "stairs": "hmpc_envs.stairs:Stairs",
        "stand": "hmpc_envs.stand:Stand",
        "stones": "hmpc_envs.stones:Stones",
    },
    ROBOTS: {"humanoid": "hmpc.robot.humanoid:HUMANOID"},
    TASKS: {
        "climb": "hmpc.tasks.climb:CLIMB",
        "climb_stairs": "hmpc.tasks.climb_stairs:CLIMB_STAIRS",
        "get_up": "hmpc.tasks.get_up:GET_UP",
        "sit_down": "hmpc.tasks.sit_down:SIT_DOWN",
        "stand_up": "hmpc.tasks.stand_up:STAND_UP",
    },
}
_MEMBERS = [*Environment.__annotations__, *(member for member in vars(Environment) if not member.startswith("_"))]
_TASK_MEMBERS = ("name", "description", "stages", "refusal", "suits", "begins_lying", "ends_standing")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class EnvironmentInfo:
    """What a menu shows of an environment."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]


def names(group: str) -> tuple[str, ...]:
    """The names of a group's entry points; nothing is loaded."""
    return tuple(_entry_points(group))


def list_environments() -> tuple[EnvironmentInfo, ...]:
    """Every environment that can be loaded, by name."""
    return tuple(EnvironmentInfo(name, kind.description, parameters_of(kind)) for name, kind in _loadable(ENVIRONMENTS))


def list_robots() -> tuple[RobotSpec, ...]:
    """Every robot that can be loaded, by name."""
    return tuple(robot for _, robot in _loadable(ROBOTS))


def make_environment(
    reference: str | type[Environment] | Environment, parameters: Mapping[str, Any] | None = None
) -> Environment:
    """The environment that `reference` stands for, with `parameters` (values, or text for them) set."""
    found = _find(ENVIRONMENTS, reference) if isinstance(reference, str) else _checked(ENVIRONMENTS, reference)
    known = {item.name: item for item in parameters_of(found)}
    values = {}
    for name, value in (parameters or {}).items():
        if name not in known:
            raise UnknownNameError(f"parameter of environment {found.name!r}:", name, known)
        values[name] = known[name].parse(value) if isinstance(value, str) else value
    with code_of(f"Environment {found.name!r}"):
        if isinstance(found, type):
            return found(**values)
        return replace(found, **values) if values else found


def find_robot(reference: str | RobotSpec) -> RobotSpec:
    """The robot that `reference` stands for."""
    return _find(ROBOTS, reference) if isinstance(reference, str) else _checked(ROBOTS, reference)


def list_tasks() -> tuple[Any, ...]:
    """Every task that can be loaded, by name."""
    return tuple(task for _, task in _loadable(TASKS))


def find_task(reference: Any) -> Any:
    """The `hmpc.tasks.task.Task` that `reference` stands for: a name, a "package.module:NAME", or the task itself."""
    return _find(TASKS, reference) if isinstance(reference, str) else _checked(TASKS, reference)


def _entry_points(group: str) -> dict[str, EntryPoint]:
    """All entry points of `group` by name; a name that ships cannot be taken over."""
    found = {name: EntryPoint(name, value, group) for name, value in _SHIPPED[group].items()}
    for entry in entry_points(group=group):
        if found.setdefault(entry.name, entry).value != entry.value:
            _log.warning("Plug-in %s is left out: the name %r is taken.", entry.value, entry.name)
    return dict(sorted(found.items()))


def _find(group: str, reference: str) -> Any:
    """Load a reference; a string with a colon is an entry point that nobody registered."""
    known = _entry_points(group)
    if reference in known:
        return _load(known[reference])
    if re.fullmatch(r"[\w.]+:[\w.]+", reference):
        return _load(EntryPoint(reference, reference, group))
    raise UnknownNameError(group.removeprefix("hmpc.").removesuffix("s"), reference, known)


def _loadable(group: str) -> Iterator[tuple[str, Any]]:
    for name, entry in _entry_points(group).items():
        try:
            yield name, _load(entry)
        except PluginError as error:
            _log.warning("%s It is left out.", error)


def _load(entry: EntryPoint) -> Any:
    plugin = f"Plug-in {entry.name!r}" + (f" ({entry.value})" if entry.value != entry.name else "")
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:  # a plug-in may fail in any way while it is imported
        raise PluginError(f"{plugin} cannot be loaded: {error!r}.") from error
    try:
        return _checked(entry.group, found)
    except InputError as error:
        raise PluginError(f"{plugin} is not usable: {error}") from error


def _checked(group: str, found: Any) -> Any:
    """`found` itself if it is what the group is about."""
    if group == ROBOTS:
        if not isinstance(found, RobotSpec):
            raise InputError(f"A robot is a RobotSpec, not {found!r}.")
        return found
    what, members = ("an environment", _MEMBERS) if group == ENVIRONMENTS else ("a task", _TASK_MEMBERS)
    if missing := [member for member in members if not hasattr(found, member)]:
        raise InputError(f"{found!r} is not {what}: it lacks {', '.join(missing)}.")
    return found
