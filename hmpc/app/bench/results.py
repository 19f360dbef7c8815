"""Results that are kept: a JSON file for every bench or part of one, with where and when it was measured."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from hmpc.app.bench.table import Result
from hmpc.errors import InputError

FOLDER = Path("docs/benchmarks")  # of a checkout


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A result and what a reader has to know to judge it."""

    command: str  # that measured it
    quick: bool  # the short version
    measured: str  # day, UTC
    machine: str
    versions: Mapping[str, str]
    result: Result


def keep(folder: Path, name: str, part: str | None, quick: bool, result: Result) -> Path:
    """Write a result; an older one of the same bench and part is replaced."""
    kept = Kept(
        command=command_line(name, part, quick),
        quick=quick,
        measured=datetime.now(UTC).date().isoformat(),
        machine=f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        versions={library: version(library) for library in ("hmpc", "mujoco", "numpy", "numba")},
        result=result,
    )
    path = _path(folder, name, part)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(kept), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"The result cannot be written to {str(path)!r}: {error.strerror}.") from None
    return path


def kept_result(folder: Path, name: str, part: str | None) -> Kept | None:
    """The result of a bench or part; None if there is none."""
    path = _path(folder, name, part)
    if not path.exists():
        return None
    try:
        return Kept(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{str(path)!r} is no result of `hmpc bench`: {error}.") from None


def command_line(name: str, part: str | None, quick: bool = False) -> str:
    """What to type to measure it."""
    return f"hmpc bench {name}" + (f" --part {part}" if part else "") + (" --quick" if quick else "")


def _path(folder: Path, name: str, part: str | None) -> Path:
    return folder / f"{name}{f'-{part}' if part else ''}.json"
