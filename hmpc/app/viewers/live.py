"""The main loop of a demo: listen, simulate as much as the clock allows, show, again and again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from hmpc.app.viewers.stage import FRAME

if TYPE_CHECKING:
    from hmpc.app.interrupt import Interrupt
    from hmpc.app.viewers.stage import Stage


class Window(Protocol):
    """Something that shows a stage and takes wishes."""

    def listen(self, stage: Stage) -> bool:
        """Do what the user asked for since the last frame; False: the window is closed."""

    def show(self, stage: Stage) -> None:
        """Draw the stage as it is now."""

    def close(self) -> None:
        """Take it down."""


def play(stage: Stage, window: Window, seconds: float, interrupt: Interrupt) -> None:
    """Until the window is closed, the user interrupts, or `seconds` have passed on the clock.

    Where drawing is slow (OpenGL in software), pictures get at most half of the time: the character comes first.
    """
    end = time.monotonic() + seconds
    next_picture = 0.0
    while not interrupt.wanted and time.monotonic() < end and window.listen(stage):
        began = time.monotonic()
        stage.play_frame()
        if (drawing := time.monotonic()) >= next_picture:
            window.show(stage)
            next_picture = 2.0 * time.monotonic() - drawing
        time.sleep(max(0.0, began + FRAME - time.monotonic()))
