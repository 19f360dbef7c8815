"""A session in real time: simulate as much as the clock allows, show, listen, again and again."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hmpc.errors import SimulationError

if TYPE_CHECKING:
    from hmpc.app.session import Session

FRAME = 1.0 / 30.0  # [s] between two pictures
_SMOOTHING = 0.1  # of the real-time factor, per frame


@dataclass
class Playback:
    """How the session is played, and how well that works."""

    paused: bool = False
    speed: float = 1.0  # simulated seconds per second
    real_time_factor: float = 1.0  # simulated seconds per second of this machine's time, at most `speed`


class Window(Protocol):
    """Something that shows a session and takes wishes."""

    def listen(self, session: Session, playback: Playback) -> bool:
        """Do what the user asked for since the last frame; False: the window is closed."""

    def show(self, session: Session, playback: Playback) -> None:
        """Draw the session as it is now."""


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


def play(session: Session, window: Window, seconds: float, interrupt: Interrupt) -> None:
    """The main loop, until the window is closed, the user interrupts, or `seconds` have passed on the clock."""
    playback = Playback()
    end = time.monotonic() + seconds
    while not interrupt.wanted and time.monotonic() < end and window.listen(session, playback):
        began = time.monotonic()
        if not playback.paused:
            simulated = simulate(session, playback.speed * FRAME, began + FRAME)
            took = max(time.monotonic() - began, FRAME)
            playback.real_time_factor += _SMOOTHING * (simulated / took - playback.real_time_factor)
        window.show(session, playback)
        time.sleep(max(0.0, began + FRAME - time.monotonic()))


def simulate(session: Session, seconds: float, deadline: float) -> float:
    """Up to `seconds` of simulation, but not past the deadline on the clock; returns the seconds simulated."""
    start = session.time
    try:
        while session.fault is None and session.time - start < seconds and time.monotonic() < deadline:
            session.tick()
    except SimulationError:
        pass  # session.fault says what happened, and the window shows it
    return session.time - start
