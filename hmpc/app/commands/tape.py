"""A command tape: what was asked for when. With the seed and the parameters it reproduces a run exactly."""

from __future__ import annotations

import csv
import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from hmpc.errors import InputError, UnknownNameError
from hmpc.types import Command

COLUMNS = ("time", "vx", "vy", "yaw_rate", "body_height")


@dataclass(frozen=True, eq=False)
class CommandTape:
    """Commands and the times [s] from which on they hold; before the first, the first one holds."""

    times: tuple[float, ...]
    commands: tuple[Command, ...]

    def at(self, t: float) -> Command:
        """The command that holds at time `t`."""
        return self.commands[max(bisect_right(self.times, t + 1e-9) - 1, 0)]


def read_tape(path: Path, base: Command) -> CommandTape:
    """A tape from a CSV file; columns that it does not have come from `base`."""
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"Commands file {str(path)!r} cannot be read: {error}.") from None
    header = [name.strip() for name in rows[0]] if rows else []
    for name in header:
        if name not in COLUMNS:
            raise UnknownNameError(f"column of commands file {str(path)!r}:", name, COLUMNS)
    if "time" not in header or len(set(header)) != len(header):
        raise InputError(f"Commands file {str(path)!r} needs a header row out of {','.join(COLUMNS)}, with time in it.")
    entries = [_numbers(row, header, path, line) for line, row in enumerate(rows[1:], start=2) if any(row)]
    times = tuple(entry["time"] for entry in entries)
    if not times or any(b <= a for a, b in pairwise(times)):
        raise InputError(f"Commands file {str(path)!r} needs rows with increasing times.")
    return CommandTape(times, tuple(_command(entry, base) for entry in entries))


def _numbers(row: list[str], header: list[str], path: Path, line: int) -> dict[str, float]:
    try:
        entry = {name: float(text) for name, text in zip(header, row, strict=True)}
    except ValueError:
        entry = {}
    if not entry or not all(math.isfinite(value) for value in entry.values()):
        raise InputError(f"Commands file {str(path)!r}, line {line}: expected {len(header)} finite numbers, got {row}.")
    return entry


def _command(entry: dict[str, float], base: Command) -> Command:
    return replace(
        base,
        velocity_H=np.array([entry.get("vx", base.velocity_H[0]), entry.get("vy", base.velocity_H[1])]),
        yaw_rate=entry.get("yaw_rate", base.yaw_rate),
        body_height=entry.get("body_height", base.body_height),
    )
