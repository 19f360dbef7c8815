"""A gamepad as a source of commands, with pygame (SDL), also without a display.

Left stick: forward, back and sideways. Right stick: turn. A stick that rests says nothing, so it does not get in the
way of other sources; letting go stops the character, and so does pulling the plug.
"""

from __future__ import annotations

import os
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hmpc.app.commands.hub import HOLD, LATCHED
from hmpc.app.commands.request import Request
from hmpc.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.app.session import Session
    from hmpc.robot.spec import CommandLimits

SOURCE = "gamepad"
_PERIOD = 1.0 / 30.0  # [s] between two looks at the sticks
_DEAD_ZONE = 0.15  # of a stick's way, around its middle
_FULL = 32767.0  # what SDL calls the end of a stick's way


class Sticks(NamedTuple):
    """Where the sticks are: -1 to 1, right and forward positive."""

    left_x: float = 0.0
    left_y: float = 0.0
    right_x: float = 0.0


class Pad(Protocol):
    """The driver of a gamepad."""

    def read(self) -> Sticks | None:
        """The sticks now; None as long as no gamepad is plugged in."""

    def close(self) -> None:
        """Let go of it."""


class Gamepad:
    """Reads a pad in a thread of its own and commands the session that `current` returns; a context manager."""

    def __init__(self, current: Callable[[], Session], make_pad: Callable[[], Pad]):
        self._current, self._make_pad = current, make_pad
        self._stop, self._moved = Event(), False
        self._thread = Thread(target=self._loop, name="hmpc gamepad", daemon=True)

    def __enter__(self) -> Gamepad:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _loop(self) -> None:
        pad = self._make_pad()  # here: SDL wants to be used by the thread that started it
        while not self._stop.wait(_PERIOD):
            self.poll(pad)
        pad.close()

    def poll(self, pad: Pad) -> None:
        """Look at the sticks once."""
        sticks = pad.read()
        if sticks is None:
            return
        session = self._current()
        request = as_request(sticks, session.robot.limits)
        moved = request != Request()
        if moved or self._moved:
            session.hub.put(SOURCE, request, HOLD if moved else LATCHED)
        self._moved = moved


def as_request(sticks: Sticks, limits: CommandLimits) -> Request:
    """The velocities that the sticks ask for: at the end of their way what the robot can do at most."""
    x, y, turn = (_beyond_dead_zone(way) for way in sticks)
    back, forth = limits.forward
    return Request(vx=y * (forth if y > 0.0 else -back), vy=-x * limits.sideways, yaw_rate=-turn * limits.yaw_rate)


def _beyond_dead_zone(way: float) -> float:
    """Zero in the dead zone, growing from there to one."""
    size = min(max(abs(way) - _DEAD_ZONE, 0.0) / (1.0 - _DEAD_ZONE), 1.0)
    return size if way > 0.0 else -size


class SdlPad:
    """The first gamepad that SDL knows the layout of; it may be plugged in and out at any time."""

    def __init__(self) -> None:
        import pygame
        from pygame._sdl2 import controller

        pygame.display.init()  # SDL's events come with it
        controller.init()
        self._pygame, self._controller = pygame, controller
        self._pad: controller.Controller | None = None

    def read(self) -> Sticks | None:
        pygame = self._pygame
        pygame.event.pump()
        if self._pad is None or not self._pad.attached():
            known = [k for k in range(self._controller.get_count()) if self._controller.is_controller(k)]
            self._pad = self._controller.Controller(known[0]) if known else None
        if self._pad is None:
            return None
        axes = (pygame.CONTROLLER_AXIS_LEFTX, pygame.CONTROLLER_AXIS_LEFTY, pygame.CONTROLLER_AXIS_RIGHTX)
        x, y, turn = (self._pad.get_axis(axis) / _FULL for axis in axes)
        return Sticks(x, -y, turn)  # SDL counts downwards

    def close(self) -> None:
        self._controller.quit()
        self._pygame.display.quit()


def open_gamepad(current: Callable[[], Session]) -> Gamepad:
    """A gamepad that commands the session; says what to install if pygame is missing."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # no window is opened
    os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")  # Ctrl-C is ours
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # stdout is not the place for it
    try:
        import pygame  # noqa: F401
    except ImportError:
        raise InputError("A gamepad needs pygame-ce: pip install 'hmpc[gamepad]'.") from None
    return Gamepad(current, SdlPad)
