"""The session in a desktop window, with MuJoCo's own viewer and the keyboard."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from hmpc.app.records.frames import live_frame
from hmpc.app.records.overlays import OVERLAYS
from hmpc.app.records.scene import add_drawing
from hmpc.app.viewers.keys import HELP, press
from hmpc.app.viewers.status import as_text
from hmpc.registry import ENVIRONMENTS, names

if TYPE_CHECKING:
    from hmpc.app.viewers.stage import Stage

_LAYER_KEYS = {str(number): name for number, name in enumerate(OVERLAYS, 1)}
_NEXT_PLACE = "E"  # this window has no list to choose from
_HELP = "\n".join((*HELP.split(", "), f"1-{len(_LAYER_KEYS)} layers", f"{_NEXT_PLACE} next environment"))
_LAST_PICTURE = 10.0  # [s] that it may take to be drawn
_DISTANCE, _ELEVATION = 3.5, -15.0  # [m], [deg] of the camera at the start


def has_display() -> bool:
    """Whether a window can be opened here; asked first, because MuJoCo's viewer dies with a bare error of GLFW."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    import glfw

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(glfw.init())


class NativeWindow:
    """MuJoCo's passive viewer with the keys of every window, layers by number, and the next place by a key."""

    def __init__(self, stage: Stage) -> None:
        self._keys: SimpleQueue[int] = SimpleQueue()
        self._layers = {"footsteps", "trajectory"}
        self._notice = ""
        self._open(stage)

    def _open(self, stage: Stage) -> None:
        import mujoco.viewer

        sim = stage.session.simulator
        self._shown = stage.session
        others = set(threading.enumerate())
        self._viewer: Any = mujoco.viewer.launch_passive(
            sim.model, sim.data, key_callback=self._keys.put, show_left_ui=False, show_right_ui=False
        )
        self._drawing = set(threading.enumerate()) - others
        self._viewer.cam.type = mujoco.mjtCamera.mjCAMERA_TRACKING
        self._viewer.cam.trackbodyid = sim.robot.root
        self._viewer.cam.distance, self._viewer.cam.elevation = _DISTANCE, _ELEVATION
        self._flags = self._viewer.opt.flags.copy()
        self._groups = self._viewer.opt.geomgroup.copy()
        self._rendering = self._viewer.user_scn.flags.copy()

    def listen(self, stage: Stage) -> bool:
        while True:
            try:
                key = chr(self._keys.get_nowait())
            except Empty:
                return bool(self._viewer.is_running())
            if key in _LAYER_KEYS:
                self._layers ^= {_LAYER_KEYS[key]}
            elif key == _NEXT_PLACE:
                next_place(stage)
            else:
                press(key, stage)

    def show(self, stage: Stage) -> None:
        if stage.session is not self._shown:  # another model needs another viewer
            self.close()
            self._open(stage)
        while stage.notices:
            self._notice = stage.notices.popleft()
        with self._viewer.lock():
            # Letters and digits switch MuJoCo's own drawing as well (I: inertia, L: additive light, ...): undone.
            self._viewer.opt.flags[:] = self._flags
            self._viewer.opt.geomgroup[:] = self._groups
            self._viewer.user_scn.flags[:] = self._rendering
            self._draw_layers(stage)
        self._viewer.set_texts([(None, None, _HELP, f"{as_text(stage)}\n{self._notice}")])
        self._viewer.sync()

    def _draw_layers(self, stage: Stage) -> None:
        scene = self._viewer.user_scn
        scene.ngeom = 0
        if (frame := live_frame(stage.session)) is not None:
            for name in self._layers:
                add_drawing(scene, OVERLAYS[name](frame))

    def close(self) -> None:
        """Close the window, and wait for the threads that draw it: a program that ends before them ends in a crash."""
        self._viewer.close()
        for thread in self._drawing:
            thread.join(_LAST_PICTURE)


def next_place(stage: Stage) -> None:
    """Swap to the environment that comes after this one in the list."""
    places = names(ENVIRONMENTS)
    here = places.index(stage.setting.environment) if stage.setting.environment in places else -1
    stage.swap(replace(stage.setting, environment=places[(here + 1) % len(places)], parameters={}))
