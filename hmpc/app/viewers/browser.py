"""The stage in a web browser, with mjviser and viser."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from hmpc.app.bench.stopwatch import Stopwatch
from hmpc.app.viewers.status import as_html
from hmpc.app.viewers.wishes import Wishes

if TYPE_CHECKING:
    import viser
    from numpy.typing import NDArray

    from hmpc.app.viewers.stage import Stage
    from hmpc.types import Array

_CAMERA = (2.6, -2.4, 0.7)  # [m] from the character, which stays in the middle
_LAYERS_EVERY = 2  # frames between two updates of the layers: 15 Hz
_TEXT_EVERY = 3  # frames between two updates of texts and plots: 10 Hz
_FOLLOW = np.array([0.25, 0.25, 0.03])  # share of the way that the camera makes good in a frame; slow up and down
_NOTICE_SECONDS = 8.0


class BrowserWindow:
    """A picture and a panel that any number of browsers can look at."""

    def __init__(self, stage: Stage, server: viser.ViserServer):
        self._server = server
        self._server.gui.reset()
        self._server.initial_camera.position = _CAMERA
        self._server.initial_camera.look_at = (0.0, 0.0, 0.0)
        self._watch = Stopwatch()
        self._closing = contextlib.ExitStack()
        self._frame = 0
        self._build_panel(stage)
        self._build_scene(stage)

    def _build_panel(self, stage: Stage) -> None:
        from hmpc.app.viewers.budget import PARTS, Budget
        from hmpc.app.viewers.charts import Charts
        from hmpc.app.viewers.drive import DrivePanel, PlaybackPanel, PushPanel, add_keys
        from hmpc.app.viewers.layers import LayerSwitches
        from hmpc.app.viewers.task_buttons import TaskButtons
        from hmpc.app.viewers.tuning import TuningPanel
        from hmpc.app.viewers.world import WorldPanel

        gui, wishes = self._server.gui, Wishes()
        gui.configure_theme(control_width="medium", show_logo=False, show_share_button=False)
        self._wishes = wishes
        self._status = gui.add_html(as_html(stage))
        tabs = gui.add_tab_group()
        with tabs.add_tab("Drive"):
            self._playback = PlaybackPanel(gui, wishes)
            self._drive = DrivePanel(gui, wishes, stage.session)
            self._push = PushPanel(gui, wishes)
            self._tasks = TaskButtons(gui, wishes, stage.session)
        with tabs.add_tab("World"):
            self._world = WorldPanel(gui, stage)
        with tabs.add_tab("View"):
            self._follow = gui.add_checkbox("camera follows", True)
            with gui.add_folder("Layers"):
                self._layers = LayerSwitches(gui)
            with gui.add_folder("Time budget"):
                self._budget = Budget(gui, self._watch)
        with tabs.add_tab("Tune"):
            self._tuning = TuningPanel(gui, wishes, stage.session.params)
        plots = gui.add_panel()
        with plots.add_tab("Plots"):
            self._charts = Charts(gui, stage.session)
        plots.float(x=15, y=15, width=320)
        add_keys(gui, wishes)
        self._closing.enter_context(self._watch.watching(PARTS))

    def _build_scene(self, stage: Stage) -> None:
        """The picture of the session that is on stage now."""
        from mjviser import ViserMujocoScene

        self._server.scene.reset()
        self._scene = ViserMujocoScene(self._server, stage.session.simulator.model, num_envs=1)
        self._scene.camera_tracking_enabled = False  # it would shake the ground with every step
        self._server.scene.set_background_image(_sky())
        self._shown = stage.session
        self._center = self._root_W().copy()
        self._layers.attach(self._server.scene)

    def _root_W(self) -> Array:
        sim = self._shown.simulator
        return np.asarray(sim.data.xpos[sim.robot.root])

    # ----- once a frame, in the thread of the simulation

    def listen(self, stage: Stage) -> bool:
        self._wishes.grant(stage)
        self._playback.listen(stage)
        self._drive.listen(stage)
        self._tuning.listen(stage)
        self._world.listen(stage)
        return True

    def show(self, stage: Stage) -> None:
        with self._watch.lap("drawing"):
            if stage.session is not self._shown:
                self._build_scene(stage)
            self._notify(stage)
            if self._server.get_clients() or self._frame == 0:
                self._draw(stage)

    def _draw(self, stage: Stage) -> None:
        with self._server.atomic():
            self._draw_picture(stage)
        if self._frame % _TEXT_EVERY == 0:
            self._status.content = as_html(stage)
            self._charts.show(stage)
            self._budget.show(stage)
            self._playback.show(stage)
            self._push.show(stage)
            self._tasks.show(stage)
        self._drive.show(stage)
        self._frame += 1

    def _draw_picture(self, stage: Stage) -> None:
        """The world is moved so that the character stays in the middle; the camera belongs to the user."""
        data, root_W = stage.session.simulator.data, self._root_W()
        if self._follow.value:
            self._center += _FOLLOW * (root_W - self._center)
        offset = -self._center
        self._scene.update_from_arrays((data.xpos + offset)[None], data.xmat.reshape(1, -1, 3, 3))
        self._scene.fixed_bodies_frame.position = offset
        if self._frame % _LAYERS_EVERY == 0:
            self._layers.show(stage)

    def _notify(self, stage: Stage) -> None:
        while stage.notices:
            words = stage.notices.popleft()
            for client in self._server.get_clients().values():
                client.add_notification("hmpc", words, auto_close_seconds=_NOTICE_SECONDS, color="red")

    def close(self) -> None:
        self._closing.close()


def _sky() -> NDArray[np.uint8]:
    """A pale sky that meets the white ground at the horizon."""
    depth = np.linspace(0.0, 2.0, 256).clip(max=1.0)[:, None, None]
    colors = (1.0 - depth) * np.array([176.0, 204.0, 236.0]) + depth * np.array([250.0, 251.0, 253.0])
    return np.tile(colors, (1, 8, 1)).astype(np.uint8)
