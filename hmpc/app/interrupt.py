"""Ctrl-C while something is shown."""

from __future__ import annotations

import signal


class Interrupt:
    """Ctrl-C as a wish instead of an exception.

    An exception that is raised while a kernel compiles or a callback runs can get lost there; a flag cannot.
    """

    def __init__(self) -> None:
        self.wanted = False

    def __enter__(self) -> Interrupt:
        self._before = signal.signal(signal.SIGINT, self._want)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _want(self, *_: object) -> None:
        self.wanted = True
