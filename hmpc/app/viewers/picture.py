"""The world and the character in the browser.

It needs the physics alone, so the character can be seen while the controller is still being imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.app.viewers.geoms import Geoms
from hmpc.app.viewers.light import light

if TYPE_CHECKING:
    import viser

    from hmpc.sim.simulator import Simulator

_CAMERA = (2.6, -2.4, 0.7)  # [m] from the character, which stays in the middle
_FOLLOW = np.array([0.25, 0.25, 0.03])  # share of the way that the camera makes good in a frame; slow up and down


class Picture:
    """What any number of browsers see. The world is moved so that the character stays in the middle; the camera
    belongs to the user."""

    def __init__(self, server: viser.ViserServer, simulator: Simulator):
        self.server = server
        server.initial_camera.position = _CAMERA
        server.initial_camera.look_at = (0.0, 0.0, 0.0)
        server.scene.configure_default_lights(cast_shadow=False)  # they come later: see `Shadows`
        self.build(simulator)
        self.draw(simulator)

    def build(self, simulator: Simulator) -> None:
        """Show the world of `simulator` instead of the last one."""
        with self.server.atomic():
            self.server.scene.reset()
            self._geoms = Geoms(self.server.scene, simulator.model)
            light(self.server.scene)
        self._center = simulator.data.xpos[simulator.robot.root].copy()

    def draw(self, simulator: Simulator, follow: bool = True) -> None:
        """Move everything to where it is now."""
        data = simulator.data
        if follow:
            self._center += _FOLLOW * (data.xpos[simulator.robot.root] - self._center)
        self._geoms.show(data, self._center)
