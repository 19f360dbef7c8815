"""A browser's view of a run that is shown, not simulated."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import viser

from hmpc.app.records.overlays import OVERLAYS
from hmpc.app.viewers.geoms import WORLD, Geoms
from hmpc.app.viewers.light import light
from hmpc.app.viewers.server import free_port, web_server

if TYPE_CHECKING:
    import mujoco

    from hmpc.app.records.frames import Frame, Puppet
    from hmpc.app.records.overlays import Color
    from hmpc.types import Array

HOST = "127.0.0.1"  # only this machine
_CAMERA = (3.0, -2.2, 0.9)  # [m] from the character, which stays at the origin
_SHAFT, _HEAD, _LINE = 0.012, 0.024, 0.012  # [m] radii of an arrow, thickness of a line
_NOTHING = np.empty((0, 2, 3))


class Stage:
    """A viser server with the character on it; overlays move with the ground."""

    def __init__(self, server: viser.ViserServer, model: mujoco.MjModel):
        self.server = server
        server.initial_camera.position = _CAMERA
        server.initial_camera.look_at = (0.0, 0.0, 0.0)
        self._geoms = Geoms(server.scene, model)
        self._root = int(model.jnt_bodyid[0])  # whoever can move comes first
        light(server.scene)
        self._handles: dict[str, Any] = {}

    @staticmethod
    @contextlib.contextmanager
    def open(model: mujoco.MjModel, port: int | None = None) -> Iterator[Stage]:
        """A stage that is taken down at the end; without a port on any that is free."""
        with web_server(HOST, port or free_port(HOST, 8090)) as server:
            server.gui.reset()
            yield Stage(server, model)

    def show(self, puppet: Puppet, frame: Frame, overlays: Sequence[str]) -> None:
        """Draw a frame."""
        with self.server.atomic():
            self._geoms.show(puppet.data, puppet.data.xpos[self._root])
            for name, draw in OVERLAYS.items():
                drawing = draw(frame)
                for kind, points in (("arrows", drawing.arrows), ("lines", drawing.lines)):
                    self._update(f"{name}_{kind}", points if name in overlays else _NOTHING, drawing.color)

    def _update(self, name: str, points: Array, color: Color) -> None:
        """Move what is there: to make it anew would let it flicker."""
        handle = self._handles.get(name)
        if handle is not None:
            handle.visible = len(points) > 0
            if len(points):
                handle.points = points.astype(np.float32)
        elif len(points):
            path, scene = f"{WORLD}/{name}", self.server.scene
            self._handles[name] = (
                scene.add_arrows(
                    path, points, color, shaft_radius=_SHAFT, head_radius=2 * _SHAFT, head_length=5 * _SHAFT
                )
                if name.endswith("arrows")
                else scene.add_line_segments(path, points, color, thickness=_LINE)
            )
