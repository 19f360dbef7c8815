"""The stage in a web browser: a picture, and panels around it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hmpc.app.bench.stopwatch import Stopwatch
from hmpc.app.viewers.light import Shadows
from hmpc.app.viewers.notices import Notices
from hmpc.app.viewers.server import set_theme
from hmpc.app.viewers.status import as_html
from hmpc.app.viewers.wishes import Wishes

if TYPE_CHECKING:
    from hmpc.app.viewers.picture import Picture
    from hmpc.app.viewers.stage import Stage

_LAYERS_EVERY = 2  # frames between two updates of the layers: 15 Hz
_TEXT_EVERY = 3  # frames between two updates of texts and plots: 10 Hz


class BrowserWindow:
    """A picture and a panel that any number of browsers can look at."""

    def __init__(self, stage: Stage, picture: Picture):
        """The picture shows the world of the session on stage already."""
        self._picture, self._server = picture, picture.server
        self._server.gui.reset()
        self._notices = Notices()
        self._watch = Stopwatch()
        self._closing = contextlib.ExitStack()
        self._frame = 0
        self._build_panel(stage)
        self._show_world(stage)

    def _build_panel(self, stage: Stage) -> None:
        from hmpc.app.viewers.budget import PARTS, Budget
        from hmpc.app.viewers.charts import Charts
        from hmpc.app.viewers.drive import DrivePanel, PlaybackPanel, PushPanel, add_keys
        from hmpc.app.viewers.layers import LayerSwitches
        from hmpc.app.viewers.task_buttons import TaskButtons
        from hmpc.app.viewers.tuning import TuningPanel
        from hmpc.app.viewers.world import WorldPanel

        gui, wishes = self._server.gui, Wishes()
        self._wishes = wishes
        self._status = gui.add_html(as_html(stage))
        tabs = gui.add_tab_group()
        with tabs.add_tab("Drive"):
            self._playback = PlaybackPanel(gui, wishes)
            self._tasks = TaskButtons(gui, wishes, stage.session)
            self._drive = DrivePanel(gui, wishes, stage.session)
            self._push = PushPanel(gui, wishes)
        with tabs.add_tab("World"):
            self._world = WorldPanel(gui, stage)
        with tabs.add_tab("View"):
            self._follow = gui.add_checkbox("camera follows", True)
            self._shadows = Shadows(gui)
            dark = gui.add_checkbox("dark panels", False)
            dark.on_update(lambda _: set_theme(gui, dark.value))
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

    def _show_world(self, stage: Stage) -> None:
        """The layers belong to the world of the session that is on stage now."""
        self._shown = stage.session
        self._layers.attach(self._server.scene)

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
                self._picture.build(stage.session.simulator)
                self._show_world(stage)
            browsers = self._server.get_clients()
            self._notices.show(stage, browsers.values())
            self._shadows.show(browsers)
            if browsers or self._frame == 0:
                self._draw(stage)
            else:
                self._budget.measure(stage)

    def _draw(self, stage: Stage) -> None:
        with self._server.atomic():
            self._picture.draw(stage.session.simulator, follow=self._follow.value)
            if self._frame % _LAYERS_EVERY == 0:
                self._layers.show(stage)
        if self._frame % _TEXT_EVERY == 0:
            self._status.content = as_html(stage)
            self._charts.show(stage)
            self._budget.show(stage)
            self._playback.show(stage)
            self._push.show(stage)
            self._tasks.show(stage)
        self._drive.show(stage)
        self._frame += 1

    def close(self) -> None:
        self._closing.close()
