"""A recorded run done again, bit for bit: its folder has the seed, the configuration and the stamped commands."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hmpc.app.cli import SessionOptions
from hmpc.app.commands.request import is_finite
from hmpc.app.commands.tape import TAPE, read_tape
from hmpc.app.config import flattened, with_overrides
from hmpc.app.session import Session
from hmpc.app.yaml_file import read_yaml
from hmpc.errors import InputError, UnknownNameError
from hmpc.params import Params
from hmpc.sim.simulator import Push

if TYPE_CHECKING:
    from hmpc.app.cli import Run
    from hmpc.app.metrics import Summary

_NEEDED = ("environment", "robot", "seed", "seconds", "control_rate", "controller", "height_error", "pushes", "params")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class RecordedRun:
    """What the folder of a run tells."""

    folder: Path
    seconds: float  # [s] that it was meant to last
    config: dict[str, Any]

    def session(self, fault_folder: Path) -> Session:
        """A session that will go through the same states, if it runs on the same versions."""
        try:
            return self._session(fault_folder)
        except (KeyError, TypeError, ValueError, AttributeError) as error:  # somebody wrote into config.yaml
            raise InputError(f"The run in {str(self.folder)!r} cannot be done again: {error!r}.") from None

    def _session(self, fault_folder: Path) -> Session:
        config = self.config
        if config["controller"]["clock"] != "lockstep":
            raise InputError(f"The run in {str(self.folder)!r} was not made in lock-step: it cannot be done again.")
        environment = dict(config["environment"])
        name, home = environment.pop("name"), environment.pop("class")
        options = {
            "parameters": environment,
            "seed": config["seed"],
            "control_rate": config["control_rate"],
            "params": with_overrides(Params(), dict(flattened(config["params"]))),
            "height_error": config["height_error"],
            "fault_folder": fault_folder,
            **config["controller"],
        }
        try:
            session = Session(name, config["robot"], **options)
        except UnknownNameError:  # it came as package.module:Name
            session = Session(home, config["robot"], **options)
        for push in config["pushes"]:
            session.push(Push(**push))
        session.tape = read_tape(self.folder / TAPE, session.command)
        return session

    def compare(self, summary: Summary) -> None:
        """Say it if the run went another way than the recorded one."""
        path = self.folder / "summary.json"
        if not path.exists():  # it was killed: there is nothing to compare with
            return
        recorded = json.loads(path.read_text(encoding="utf-8"))
        if recorded["seconds"] == summary.seconds and recorded["state_hash"] != summary.state_hash:
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
    if not is_finite(content["seconds"]):
        raise InputError(f"{str(path)!r}: seconds must be a finite number, got {content['seconds']!r}.")
    return RecordedRun(folder, float(content["seconds"]), content)


def refuse_other_options(arguments: Run, dotted: dict[str, str]) -> None:
    """With a tape everything comes from it; an option that would be ignored is an error."""
    names = [*(item.name for item in fields(SessionOptions)), "commands", "push", "seconds"]
    defaults = {item.name: item.default for item in fields(arguments)}
    given = ["ENV"] * (arguments.env is not None) + [n for n in names if getattr(arguments, n) != defaults[n]]
    if given or dotted:
        words = ", ".join([*given, *dotted]).replace("_", "-")
        raise InputError(f"With --tape the whole run comes from its folder: leave out {words}.")


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {then}" for name, then in versions.items())
