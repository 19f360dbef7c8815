"""A recorded run done again, bit for bit: its folder has the seed, the configuration and the stamped commands."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hmpc.app.cli import SessionOptions
from hmpc.app.commands.request import is_finite
from hmpc.app.commands.tape import TAPE, read_tape
from hmpc.app.config import flattened, with_overrides
from hmpc.app.records.origin import recorded_environment, recorded_robot
from hmpc.app.session import Session
from hmpc.app.yaml_file import read_yaml
from hmpc.errors import InputError
from hmpc.params import Params
from hmpc.types import Command

if TYPE_CHECKING:
    from hmpc.app.cli import Run
    from hmpc.app.metrics import Summary

_NEEDED = ("environment", "robot", "seed", "seconds", "control_rate", "controller", "height_error", "params")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class RecordedRun:
    """What the folder of a run tells."""

    folder: Path
    seconds: float  # [s] that it was meant to last
    config: dict[str, Any]

    def session(self, environment: str | None, robot: str | None, fault_folder: Path) -> Session:
        """A session that will go through the same states, if it runs on the same versions; see `origin.py`."""
        try:
            return self._session(environment, robot, fault_folder)
        except (KeyError, TypeError, ValueError, AttributeError) as error:  # somebody wrote into config.yaml
            raise InputError(f"The run in {str(self.folder)!r} cannot be done again: {error!r}.") from None

    def _session(self, environment: str | None, robot: str | None, fault_folder: Path) -> Session:
        config = self.config
        if config["controller"]["clock"] != "lockstep":
            _log.warning("This run was made in real time: in lock-step its plans come at other moments.")
        session = Session(
            recorded_environment(config, self.folder, environment),
            recorded_robot(config, self.folder, robot),
            seed=config["seed"],
            control_rate=config["control_rate"],
            params=with_overrides(Params(), dict(flattened(config["params"]))),
            height_error=config["height_error"],
            fault_folder=fault_folder,
            **{**config["controller"], "clock": "lockstep"},
        )
        session.follow(read_tape(self.folder / TAPE, session.command))
        return session

    def compare(self, summary: Summary) -> None:
        """Say it if the run went another way than the recorded one."""
        recorded = _summary(self.folder)
        same = self.config["controller"]["clock"] == "lockstep" and recorded.get("seconds") == summary.seconds
        if same and recorded.get("state_hash") != summary.state_hash:
            others = {name: then for name, then in self.config["versions"].items() if version(name) != then}
            because = f" It was made with {_listed(others)}." if others else ""
            _log.warning("This is not the recorded run in %s: the final states differ.%s", self.folder, because)


def read_run(folder: Path) -> RecordedRun:
    """The run that `hmpc run --log` recorded in `folder`."""
    path = folder / "config.yaml"
    content = read_yaml(path, "Configuration of a run")
    missing = [name for name in _NEEDED if not isinstance(content, dict) or name not in content]
    if missing:
        raise InputError(f"{str(path)!r} does not tell {', '.join(missing)}: the run cannot be done again.")
    seconds = _duration(folder) if content["seconds"] is None else content["seconds"]
    if not is_finite(seconds):
        raise InputError(f"{str(path)!r}: seconds must be a finite number, got {seconds!r}.")
    return RecordedRun(folder, float(seconds), content)


def _duration(folder: Path) -> Any:
    """How long a demo went on: nobody knew when it began."""
    return _summary(folder).get("seconds") or read_tape(folder / TAPE, Command()).times[-1]


def _summary(folder: Path) -> Mapping[str, Any]:
    """How a recorded run ended; empty if it was killed."""
    path = folder / "summary.json"
    content = read_yaml(path, "Summary of a run") if path.exists() else {}  # JSON is YAML
    return content if isinstance(content, Mapping) else {}


def refuse_other_options(arguments: Run, dotted: dict[str, str]) -> None:
    """With a tape everything comes from it; an option that would be ignored is an error."""
    names = [*(item.name for item in fields(SessionOptions) if item.name != "robot"), "commands", "push", "seconds"]
    defaults = {item.name: item.default for item in fields(arguments)}
    given = [name for name in names if getattr(arguments, name) != defaults[name]]
    if given or dotted:
        words = ", ".join([*given, *dotted]).replace("_", "-")
        raise InputError(f"With --tape the whole run comes from its folder: leave out {words}.")


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {then}" for name, then in versions.items())
