"""The tapes that are kept of everything that runs, so that what nobody thought of recording can be done again.

A tape is small (config.yaml, commands.csv, summary.json); the newest `KEPT` of them stay, in the user's state folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hmpc.app.records.recorder import Recorder, TapeRecorder, writable_folder

if TYPE_CHECKING:
    from hmpc.app.session import Session

KEPT = 100  # tapes: about a megabyte


def tapes_folder() -> Path:
    """Where they are, by the convention of the XDG base directories."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "hmpc" / "tapes"


def new_tape_folder(name: str) -> Path | None:
    """A new folder for the tape of a run; None where none can be made: a run does not depend on it."""
    home = tapes_folder()
    try:
        home.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f"{time.strftime('%Y%m%d-%H%M%S')}-{name}-", dir=home))
    except OSError:
        return None
    older = sorted(set(home.iterdir()) - {made})  # by name, that is by time; within a second in any order
    for old in older[: max(len(older) + 1 - KEPT, 0)]:
        shutil.rmtree(old, ignore_errors=True)
    return made


class Takes:
    """Records a demo. As in a film, from a start to the next cut (a reset, another world) is one take, and each is a
    run with a folder of its own: below `log` with every tick, or else among the tapes that are kept. A fall is no cut:
    the character may get up again. What led to it is complete on the disk at once."""

    def __init__(self, argv: list[str], log: Path | None):
        self._argv, self._log = argv, log
        self._recorder: TapeRecorder | None = None
        self._count = self._falls = 0
        self.last: Path | None = None  # the newest folder

    def __call__(self, session: Session) -> None:
        """After every tick."""
        if self._recorder is None and not session.over:
            self._recorder = self._begin(session)
        if self._recorder is not None:
            self._recorder(session)
            if session.fault is not None and session.over:
                self.cut(session)
            elif len(session.falls.all) > self._falls:
                self._recorder.flush()
            self._falls = len(session.falls.all)

    def cut(self, session: Session) -> None:
        """The take is over."""
        if self._recorder is not None:
            self._recorder.close()
            self._recorder.save(session.summary())
        self._recorder = None

    def _begin(self, session: Session) -> TapeRecorder | None:
        self._count += 1
        name = session.environment.name
        if self._log:
            self.last = writable_folder(self._log / f"{self._count:03d}-{name}")
            return Recorder(self.last, session, self._argv, None)
        self.last = new_tape_folder(name)
        with contextlib.suppress(OSError):
            return TapeRecorder(self.last, session, self._argv, None) if self.last else None
        return None
