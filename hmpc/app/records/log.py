"""The log of a run: arrays with a row for every tick, written in parts so that a killed run keeps them.

While a run goes on, every second or so of it becomes a part `log-000000.npz` of its own, which appears whole or not at
all. At the end the parts become one `log.npz`. `read_log` reads either.
"""

from __future__ import annotations

import contextlib
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hmpc.app.records.columns import COLUMNS
from hmpc.errors import InputError

FLUSH_TICKS = 500  # a part's length: a second at the usual rate is what a kill can cost
_WHOLE, _PARTS = "log.npz", "log-*.npz"
_COMPRESSION = 1  # of zlib: half the size for a tenth of the time that its default takes
_BROKEN = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile)  # what numpy says of a file that is no log

Columns = Mapping[str, np.ndarray[Any, Any]]


class LogWriter:
    """Collects rows and writes them to `folder`, with `constants` that hold for all of them."""

    def __init__(self, folder: Path, constants: Mapping[str, Any]):
        self._folder, self._constants = folder, constants
        self._rows: list[Mapping[str, Any]] = []
        self._parts: list[Path] = []
        for old in (folder / _WHOLE, *folder.glob(_PARTS)):
            old.unlink(missing_ok=True)

    def add(self, row: Mapping[str, Any]) -> None:
        """One more tick."""
        self._rows.append(row)
        if len(self._rows) >= FLUSH_TICKS:
            self.flush()

    def flush(self) -> None:
        """Write what has been collected as a part; what cannot be written is kept for the next time."""
        rows = self._rows
        if not rows:
            return
        content: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        path = self._folder / f"log-{len(self._parts):06d}.npz"
        write_whole(path, lambda file: np.savez(file, **self._constants, **content))
        self._parts.append(path)
        self._rows = []

    def close(self) -> None:
        """Make one file out of the parts."""
        self.flush()
        if not self._parts:
            return
        write_whole(self._folder / _WHOLE, lambda file: _join(self._parts, file))
        for part in self._parts:
            part.unlink()


def write_whole(path: Path, write: Any) -> None:
    """A file that appears complete or not at all: `write` gets a file object beside `path`, which is then renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            write(file)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _join(parts: list[Path], file: Any) -> None:
    """Write the parts as one archive, column by column, so that only a part of one column is in memory."""
    with contextlib.ExitStack() as stack:
        logs = [stack.enter_context(np.load(part, allow_pickle=False)) for part in parts]
        archive = stack.enter_context(zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION))
        rows = sum(len(log["t"]) for log in logs)
        for name in logs[0].files:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                first = logs[0][name]
                header = np.lib.format.header_data_from_array_1_0(first)
                pieces = logs if name in COLUMNS else logs[:1]
                header["shape"] = (rows, *first.shape[1:]) if name in COLUMNS else first.shape
                np.lib.format.write_array_header_1_0(member, header)
                for log in pieces:
                    member.write(np.ascontiguousarray(log[name]).tobytes())


def read_log(folder: Path) -> Columns:
    """The columns of a run, up to its end or, if it was killed, up to the last part that it wrote."""
    if not folder.is_dir():
        raise InputError(f"There is no folder {str(folder)!r}; `hmpc run ... --log {folder}` makes one.")
    whole = folder / _WHOLE
    files = [whole] if whole.exists() else sorted(folder.glob(_PARTS))
    if not files:
        raise InputError(f"Folder {str(folder)!r} has no log; `hmpc run ... --log {folder}` makes one.")
    try:
        parts = [_read(file) for file in files]
        return {
            name: np.concatenate([part[name] for part in parts]) if name in COLUMNS else first
            for name, first in parts[0].items()
        }
    except _BROKEN as error:
        raise InputError(f"The log in {str(folder)!r} cannot be read: {error}.") from None


def _read(file: Path) -> dict[str, Any]:
    if not zipfile.is_zipfile(file):  # of which numpy would say how to load it unsafely
        raise zipfile.BadZipFile(f"{file.name} is no archive of arrays")
    with np.load(file, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
