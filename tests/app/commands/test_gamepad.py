"""A gamepad: sticks become velocities, a resting stick stays out of the way, a pulled plug stops the character."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from hmpc.app.commands.gamepad import Gamepad, SdlPad, Sticks, as_request, open_gamepad
from hmpc.app.commands.hub import HOLD, LATCHED
from hmpc.app.commands.request import Request
from hmpc.app.session import Session
from hmpc.errors import InputError
from hmpc.robot.humanoid import HUMANOID

LIMITS = HUMANOID.limits


class FakePad:
    """Replays what was pressed, then stays as it is."""

    def __init__(self, *states: Sticks | None):
        self._states: Iterator[Sticks | None] = iter(states)
        self._now: Sticks | None = None
        self.read_all, self.closed = Event(), False

    def read(self) -> Sticks | None:
        try:
            self._now = next(self._states)
        except StopIteration:
            self.read_all.set()
        return self._now

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def shared() -> Session:
    return Session("stand")


@pytest.fixture
def session(shared: Session) -> Session:
    shared.reset()
    return shared


def test_a_stick_at_its_end_asks_for_what_the_robot_can_do() -> None:
    assert as_request(Sticks(left_y=1.0), LIMITS) == Request(vx=LIMITS.forward[1])
    assert as_request(Sticks(left_y=-1.0), LIMITS) == Request(vx=LIMITS.forward[0])
    assert as_request(Sticks(left_x=1.0), LIMITS).vy == -LIMITS.sideways, "right is negative"
    assert as_request(Sticks(right_x=-1.0), LIMITS).yaw_rate == LIMITS.yaw_rate, "left is counter-clockwise"


def test_a_stick_near_its_middle_asks_for_nothing_and_grows_from_there() -> None:
    assert as_request(Sticks(0.14, -0.14, 0.1), LIMITS) == Request()
    assert 0.0 < as_request(Sticks(left_y=0.16), LIMITS).vx < 0.05


def test_moving_commands_and_letting_go_stops(session: Session) -> None:
    pad = FakePad(None, Sticks(), Sticks(left_y=1.0), Sticks(), Sticks())
    gamepad = Gamepad(lambda: session, lambda: pad)
    gamepad.poll(pad)
    gamepad.poll(pad)
    assert session.hub.effective.source == "nobody", "not plugged in, then at rest"
    gamepad.poll(pad)
    assert session.command.velocity_H[0] == LIMITS.forward[1] and session.hub.effective.hold == HOLD
    gamepad.poll(pad)
    assert session.command.velocity_H[0] == 0.0 and session.hub.effective.source == "gamepad"
    assert session.hub.effective.hold == LATCHED, "who lets go has said what to do, and does not time out"
    session.ask("slider", Request(vx=0.3))
    gamepad.poll(pad)
    assert session.hub.effective.source == "slider", "a stick at rest does not take over"


def test_a_pulled_plug_is_a_silent_source(session: Session) -> None:
    pad = FakePad(Sticks(left_y=1.0), None)
    gamepad = Gamepad(lambda: session, lambda: pad)
    gamepad.poll(pad)
    session.hub.take(0.0)
    gamepad.poll(pad)
    assert session.hub.take(HOLD).velocity_H[0] == 0.0


def test_the_pad_is_read_beside_the_simulation_and_let_go_at_the_end(session: Session) -> None:
    pad = FakePad(Sticks(left_y=0.5))
    with Gamepad(lambda: session, lambda: pad):
        assert pad.read_all.wait(timeout=30)
    assert pad.closed and session.hub.effective.source == "gamepad"


def test_sdl_starts_without_a_display_and_without_a_gamepad(session: Session) -> None:
    open_gamepad(lambda: session)  # sets SDL up
    pad = SdlPad()
    assert pad.read() is None
    pad.close()


class VirtualPad(SdlPad):
    """The driver as it is, and a pad that SDL makes up."""

    def __init__(self) -> None:
        super().__init__()
        loaded = Path("/proc/self/maps").read_text().splitlines()
        self._sdl = ctypes.CDLL(next(line.split()[-1] for line in loaded if "libSDL2-2" in line))
        self._sdl.SDL_JoystickOpen.restype = ctypes.c_void_p

    def plug_in(self) -> None:
        kind, axes, buttons, hats = 1, 6, 15, 0  # SDL_JOYSTICK_TYPE_GAMECONTROLLER
        self._number = self._sdl.SDL_JoystickAttachVirtual(kind, axes, buttons, hats)
        self._stick = ctypes.c_void_p(self._sdl.SDL_JoystickOpen(self._number))

    def move(self, axis: int, way: int) -> None:
        assert self._sdl.SDL_JoystickSetVirtualAxis(self._stick, axis, ctypes.c_int16(way)) == 0

    def pull_out(self) -> None:
        self._sdl.SDL_JoystickDetachVirtual(self._number)


@pytest.mark.skipif(sys.platform != "linux", reason="finds SDL in /proc")
def test_sticks_come_through_sdl(session: Session) -> None:
    open_gamepad(lambda: session)  # sets SDL up
    pad = VirtualPad()
    gamepad = Gamepad(lambda: session, lambda: pad)
    pad.plug_in()
    gamepad.poll(pad)
    assert session.hub.effective.source == "nobody", "it rests"
    pad.move(axis=1, way=-32768)  # SDL's left stick, up
    gamepad.poll(pad)
    assert session.command.velocity_H[0] == LIMITS.forward[1]
    pad.move(axis=1, way=0)
    pad.move(axis=2, way=32767)  # its right stick, to the right
    gamepad.poll(pad)
    assert session.command.velocity_H[0] == 0.0 and session.command.yaw_rate == -LIMITS.yaw_rate
    pad.pull_out()
    assert pad.read() is None
    pad.plug_in()
    assert pad.read() == Sticks(), "plugged in again"
    pad.close()


def test_without_pygame_it_is_said_what_to_install(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(InputError, match=r"pip install 'hmpc\[gamepad\]'"):
        open_gamepad(lambda: session)
