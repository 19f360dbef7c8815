"""From the threads of the web server to that of the simulation: clicks, and values that have come to rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from hmpc.app.viewers.stage import Stage

Action = Callable[["Stage"], None]
T = TypeVar("T")
REST = 0.4  # [s] for which a control must not move before something expensive is done about it


class Wishes:
    """What was clicked, in order; every wish is granted once, between two ticks."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Action] = SimpleQueue()

    def put(self, action: Action) -> None:
        self._queue.put(action)

    def on_click(self, button: Any, action: Action) -> None:
        """Let a button ask for `action`."""
        button.on_click(lambda _: self.put(action))

    def grant(self, stage: Stage) -> None:
        """Do what was asked for since the last time."""
        while True:
            try:
                self._queue.get_nowait()(stage)
            except Empty:
                return


class AtRest(Generic[T]):
    """Tells when a value has stopped changing, so that nothing is built anew at every pixel of a slider's way."""

    def __init__(self, value: T, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self.forget(value)

    def forget(self, value: T) -> None:
        """Start over with `value`, which nothing has to be done about."""
        self._value, self._since, self._told = value, self._clock(), True

    def see(self, value: T) -> bool:
        """True once for every new value, when it has been the same for `REST` seconds."""
        if value != self._value:
            self._value, self._since, self._told = value, self._clock(), False
        if self._told or self._clock() - self._since < REST:
            return False
        self._told = True
        return True
