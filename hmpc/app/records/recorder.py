"""The folder of a run: what is needed to do it again, the summary, and if wanted every tick and every plan."""

from __future__ import annotations

import contextlib
import json
import logging
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from hmpc.app.commands.tape import TAPE, TapeWriter
from hmpc.app.config import resolved
from hmpc.app.records.columns import Observer, description
from hmpc.app.records.log import LogWriter
from hmpc.app.records.origin import class_of
from hmpc.app.records.plans import PlanPicture, PlanWriter
from hmpc.errors import InputError
from hmpc.sim.parameters import parameters_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hmpc.app.metrics import Summary
    from hmpc.app.session import Session

_LIBRARIES = ("hmpc", "mujoco", "numpy", "numba", "cma")  # whose versions a run can depend on

_log = logging.getLogger(__name__)


def writable_folder(path: Path) -> Path:
    """`path` as a folder that can be written to, made if need be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InputError(f"Folder {str(path)!r} cannot be written to: {error.strerror}.") from None
    return path


class TapeRecorder:
    """Writes what is needed to do a run again while it goes on; called after every tick.

    config.yaml is there from the start, commands.csv up to the last tick, summary.json at the end. A full disk ends the
    recording, not the run. `seconds` is how long the run is meant to last, if anybody knows.
    """

    def __init__(self, folder: Path, session: Session, argv: list[str], seconds: float | None):
        self.folder = folder
        self.ended = False  # it broke off
        (folder / "summary.json").unlink(missing_ok=True)
        (folder / "config.yaml").write_text(yaml.safe_dump(configuration(session, argv, seconds), sort_keys=False))
        self._tape = TapeWriter(folder / TAPE)

    def __call__(self, session: Session) -> None:
        if not self.ended:
            try:  # at every tick: a context manager would cost as much as a kernel
                self._record(session)
            except OSError as error:
                self._break_off(error)

    def _record(self, session: Session) -> None:
        self._tape.add(session)

    def flush(self) -> None:
        """Let the files have everything up to now."""

    def close(self) -> None:
        """Complete the files."""
        with self._contained():
            self._tape.close()

    def save(self, summary: Summary) -> None:
        """The last word."""
        with self._contained():
            (self.folder / "summary.json").write_text(json.dumps(asdict(summary), indent=2) + "\n", encoding="utf-8")

    @contextlib.contextmanager
    def _contained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._break_off(error)

    def _break_off(self, error: OSError) -> None:
        if not self.ended:
            _log.error("The recording in %s ends here: %s.", self.folder, error.strerror)
        self.ended = True


class Recorder(TapeRecorder):
    """... and every tick and every plan: the log up to the last second, its columns explained in columns.json."""

    def __init__(self, folder: Path, session: Session, argv: list[str], seconds: float | None):
        super().__init__(folder, session, argv, seconds)
        (folder / "columns.json").write_text(json.dumps(description(session), indent=1) + "\n")
        robot = session.simulator.robot
        constants = {"limb": list(robot.limbs), "joint": robot.joint_names, "torque_limit": robot.torque_limit}
        self._observer = Observer()
        self._log = LogWriter(folder, constants)
        self._plans = PlanWriter(folder)

    def _record(self, session: Session) -> None:
        row = self._observer.row(session)
        if row is None:
            return
        super()._record(session)  # first: it is what the rest can be made again from
        self._log.add(row)
        if row["planned"]:
            self._plans.add(PlanPicture.of(session))

    def flush(self) -> None:
        with self._contained():
            self._log.flush()

    def close(self) -> None:
        with self._contained():
            self._log.close()
        super().close()


def configuration(session: Session, argv: list[str], seconds: float | None) -> dict[str, Any]:
    """Everything that is needed to do the run again, as plain values."""
    environment = session.environment
    return {
        "command_line": ["hmpc", *argv],
        "versions": {name: version(name) for name in _LIBRARIES},
        "environment": {
            "name": environment.name,
            "class": class_of(environment),
            **{p.name: getattr(environment, p.name) for p in parameters_of(environment)},
        },
        "robot": session.robot.name,
        "seed": session.seed,
        "seconds": seconds,
        "control_rate": round(1.0 / session.simulator.control_period, 9),
        "controller": session.controller,
        "height_error": session.height_error,
        "params": resolved(session.params),
    }
