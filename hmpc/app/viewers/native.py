"""The session in a desktop window, with MuJoCo's own viewer and the keyboard."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from hmpc.app.viewers.keys import HELP, press
from hmpc.app.viewers.status import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hmpc.app.viewers.stage import Stage


def has_display() -> bool:
    """Whether a window can be opened here; asked first, because MuJoCo's viewer dies with a bare error of GLFW."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    import glfw

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(glfw.init())


class NativeWindow:
    """MuJoCo's passive viewer with the keys of every window."""

    def __init__(self, viewer: Any, keys: SimpleQueue[int]):
        self._viewer, self._keys = viewer, keys
        self._notice = ""

    def listen(self, stage: Stage) -> bool:
        while True:
            try:
                press(chr(self._keys.get_nowait()), stage)
            except Empty:
                return bool(self._viewer.is_running())

    def show(self, stage: Stage) -> None:
        while stage.notices:
            self._notice = stage.notices.popleft()
        self._viewer.set_texts([(None, None, HELP.replace(", ", "\n"), f"{as_text(stage)}\n{self._notice}")])
        self._viewer.sync()


@contextlib.contextmanager
def native_window(stage: Stage) -> Iterator[NativeWindow]:
    """A window that is closed at the end."""
    import mujoco.viewer

    simulator = stage.session.simulator
    keys: SimpleQueue[int] = SimpleQueue()
    with mujoco.viewer.launch_passive(
        simulator.model,
        simulator.data,
        key_callback=keys.put,
        show_left_ui=False,
        show_right_ui=False,
    ) as viewer:
        viewer.cam.type = mujoco.mjtCamera.mjCAMERA_TRACKING
        viewer.cam.trackbodyid = simulator.robot.root
        viewer.cam.distance = 3.5
        yield NativeWindow(viewer, keys)
