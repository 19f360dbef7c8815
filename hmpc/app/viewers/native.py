"""The session in a desktop window, with MuJoCo's own viewer and the keyboard."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.app.viewers.panel import status
from hmpc.sim.simulator import Push

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hmpc.app.session import Session
    from hmpc.app.viewers.live import Playback

KEYS = "I/K faster/slower, J/L turn, U/O sideways, H stop, G push, R reset, Space pause"
_STEPS = {  # forward, left [m/s], counter-clockwise [rad/s]
    "I": (0.1, 0.0, 0.0),
    "K": (-0.1, 0.0, 0.0),
    "U": (0.0, 0.05, 0.0),
    "O": (0.0, -0.05, 0.0),
    "J": (0.0, 0.0, 0.1),
    "L": (0.0, 0.0, -0.1),
}
_PUSH = 15.0  # [N s]


def has_display() -> bool:
    """Whether a window can be opened here."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class NativeWindow:
    """MuJoCo's passive viewer; keys change the command in small steps."""

    def __init__(self, viewer: Any, keys: SimpleQueue[int]):
        self._viewer, self._keys = viewer, keys

    def listen(self, session: Session, playback: Playback) -> bool:
        while True:
            try:
                self._press(chr(self._keys.get_nowait()), session, playback)
            except Empty:
                return bool(self._viewer.is_running())

    def show(self, session: Session, playback: Playback) -> None:
        text = status(session, playback).replace("**", "").replace("*", "")
        self._viewer.set_texts([(None, None, KEYS, text)])
        self._viewer.sync()

    def _press(self, key: str, session: Session, playback: Playback) -> None:
        command = session.command
        if key in _STEPS:
            forward, left, turn = _STEPS[key]
            velocity_H = command.velocity_H + np.array([forward, left])
            session.command = replace(command, velocity_H=velocity_H, yaw_rate=command.yaw_rate + turn)
        elif key == "H":
            session.command = replace(command, velocity_H=np.zeros(2), yaw_rate=0.0)
        elif key == "G":
            session.push(Push(session.time, _PUSH, 0.0))
        elif key == "R":
            session.reset()
        elif key == " ":
            playback.paused = not playback.paused


@contextlib.contextmanager
def native_window(session: Session) -> Iterator[NativeWindow]:
    """A window that is closed at the end."""
    import mujoco.viewer

    keys: SimpleQueue[int] = SimpleQueue()
    with mujoco.viewer.launch_passive(
        session.simulator.model,
        session.simulator.data,
        key_callback=keys.put,
        show_left_ui=False,
        show_right_ui=False,
    ) as viewer:
        viewer.cam.type = mujoco.mjtCamera.mjCAMERA_TRACKING
        viewer.cam.trackbodyid = session.simulator.robot.root
        viewer.cam.distance = 3.5
        yield NativeWindow(viewer, keys)
