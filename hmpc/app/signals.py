"""SIGTERM ends a command as Ctrl-C does: records are closed and workers ended on the way out."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator

TERMINATED = 128 + signal.SIGTERM  # the exit code that shells expect


@contextlib.contextmanager
def orderly_end() -> Iterator[None]:
    """In this context SIGTERM unwinds the stack instead of cutting it off; only for the main thread of a program."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
