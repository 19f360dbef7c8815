"""Command files: what is asked for when, as CSV or YAML. With the seed and the parameters one reproduces a run exactly.

time,vx,yaw_rate,task   - {time: 0, vx: 0.5}
0,0.5,0,                - {time: 2, vx: 0.8, yaw_rate: 0.3, body_height: 0.9}
2,0.8,0.3,              - {time: 4, vx: 0.8, push: 20, push_direction: 1.57}
5,0,0,sit_down
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hmpc.app.commands import deeds
from hmpc.app.commands.agenda import SAME_TIME
from hmpc.app.commands.deeds import Deed
from hmpc.app.commands.request import NAMES, WORDS, Request, as_request, is_finite, request_from
from hmpc.app.yaml_file import read_bytes, read_yaml
from hmpc.errors import InputError, UnknownNameError
from hmpc.types import Command

if TYPE_CHECKING:
    from hmpc.app.session import Session

COLUMNS = ("time", *NAMES, *deeds.COLUMNS)
TAPE = "commands.csv"  # in the folder of a run
_YAML = (".yaml", ".yml")


@dataclass(frozen=True, eq=False)
class CommandTape:
    """Commands and the times [s] from which on they hold; before the first, the first one holds."""

    times: tuple[float, ...]
    commands: tuple[Command, ...]
    deeds: tuple[tuple[float, Deed], ...] = ()  # pushes, tasks and new parameters, each with its time [s]

    def at(self, t: float) -> Command:
        """The command that holds at time `t`."""
        return self.commands[max(bisect_right(self.times, t + 1e-9) - 1, 0)]


def read_tape(path: Path, base: Command) -> CommandTape:
    """A tape from a file; what a row leaves out comes from `base`."""
    rows = _yaml_rows(path) if path.suffix.lower() in _YAML else _csv_rows(path)
    times: list[float] = []
    commands: list[Command] = []
    done: list[tuple[float, Deed]] = []
    before: Request | None = None
    for place, row in rows:
        t = _time(row.pop("time"), path, place)
        times.append(t)
        asked = {name: row.pop(name) for name in deeds.COLUMNS if name in row}
        try:
            done += [(t, deed) for deed in deeds.deeds_in(asked, t)]
            request = request_from({**_velocity(base), **row})
        except InputError as error:
            raise InputError(f"Commands file {str(path)!r}, {place}: {error}") from None
        commands.append(commands[-1] if request == before else request.onto(base))  # the same: nothing new is asked
        before = request
    if not times or any(b < a for a, b in pairwise(times)):
        raise InputError(f"Commands file {str(path)!r} needs rows with increasing times.")
    return CommandTape(tuple(times), tuple(commands), tuple(done))


def _csv_rows(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Where each row is, and what it says; an empty cell says nothing."""
    text = read_bytes(path, f"Commands file {str(path)!r}")
    try:
        lines = list(csv.reader(text.decode("utf-8").splitlines()))
    except UnicodeDecodeError as error:
        raise InputError(f"Commands file {str(path)!r} cannot be read: {error}.") from None
    except csv.Error as error:
        raise InputError(f"Commands file {str(path)!r} is not CSV: {error}.") from None
    header = [name.strip() for name in lines[0]] if lines else []
    for name in header:
        if name not in COLUMNS:
            raise UnknownNameError(f"column of commands file {str(path)!r}:", name, COLUMNS)
    if "time" not in header or len(set(header)) != len(header):
        raise InputError(f"Commands file {str(path)!r} needs a header row out of {','.join(COLUMNS)}, with time in it.")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if any(line):
            place = f"line {number}"
            if len(line) != len(header):
                raise InputError(f"Commands file {str(path)!r}, {place}: expected {len(header)} cells, got {line}.")
            cells = zip(header, (cell.strip() for cell in line), strict=True)
            rows.append((place, {name: _cell(name, cell) for name, cell in cells if cell or name == "time"}))
    return rows


def _cell(name: str, text: str) -> float | str:
    if name in (*WORDS, *deeds.WORDS):
        return text
    try:
        return float(text)
    except ValueError:
        return text  # which is refused later, by its name


def _yaml_rows(path: Path) -> list[tuple[str, dict[str, Any]]]:
    content = read_yaml(path, "Commands file")
    if not isinstance(content, list) or not all(isinstance(row, Mapping) and "time" in row for row in content):
        raise InputError(f"Commands file {str(path)!r} must be a list of rows such as {{time: 0, vx: 0.5}}.")
    return [
        (f"row {number}", {str(name): value for name, value in row.items()}) for number, row in enumerate(content, 1)
    ]


def _time(value: object, path: Path, place: str) -> float:
    if not is_finite(value):
        raise InputError(f"Commands file {str(path)!r}, {place}: time must be a finite number, got {value!r}.")
    return float(value)  # type: ignore[arg-type]


def _velocity(base: Command) -> dict[str, float]:
    vx, vy = base.velocity_H.tolist()
    return {"vx": vx, "vy": vy, "yaw_rate": base.yaw_rate}


class TapeWriter:
    """Writes a command file while a run goes on: a row whenever the command changes or something is done.

    Rows are complete and flushed, so a killed run keeps them; numbers are written with all their digits.
    """

    def __init__(self, path: Path):
        self._file = path.open("w", encoding="utf-8", newline="")
        self._csv = csv.DictWriter(self._file, COLUMNS, lineterminator="\n")
        self._csv.writeheader()
        self._last: Command | None = None
        self._seen = 0  # deeds of the session that were looked at
        self._coming: list[tuple[float, Deed]] = []  # pushes that are written when their time comes

    def add(self, session: Session) -> None:
        """The tick that was done last."""
        tick, done = session.latest, session.agenda.done
        if tick is None or (tick.command is self._last and self._seen == len(done) and not self._coming):
            return
        self._coming += done[self._seen :]
        self._seen = len(done)
        next_tick = tick.state.t + session.simulator.control_period - SAME_TIME
        due = [(t, deeds.columns_of(deed)) for t, deed in self._coming if t < next_tick]
        self._coming = [item for item in self._coming if item[0] >= next_tick]
        if tick.command is not self._last:
            due.insert(0, (tick.state.t, {}))
        for t, others in sorted(due, key=lambda item: item[0]):  # deeds may be older: nobody commands who has fallen
            self._write(t, tick.command, others)
        self._last = tick.command

    def _write(self, t: float, command: Command, others: Mapping[str, Any]) -> None:
        request = as_request(command)
        row = {"time": t, **{name: getattr(request, name) for name in NAMES}, **others}
        self._csv.writerow({name: _exactly(value) for name, value in row.items()})
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _exactly(value: float | str) -> str:
    return value if isinstance(value, str) else repr(float(value))
