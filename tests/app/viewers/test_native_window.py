"""The desktop window: the same keys as the page, layers, and how it ends."""

from __future__ import annotations

import contextlib
import threading
from types import SimpleNamespace
from typing import Any

import mujoco
import mujoco.viewer
import numpy as np
import pytest

from hmpc.app.viewers.native import NativeWindow
from hmpc.app.viewers.stage import Stage


class FakeViewer(SimpleNamespace):
    """As much of MuJoCo's passive viewer as the window uses; a scene of its own collects the layers."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, **_: Any) -> None:
        super().__init__(cam=mujoco.MjvCamera(), opt=mujoco.MjvOption(), user_scn=mujoco.MjvScene(model, 1000))
        self.model, self.texts, self.running = model, [], True

    def is_running(self) -> bool:
        return self.running

    def lock(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def set_texts(self, texts: list[Any]) -> None:
        self.texts = texts

    def sync(self) -> None: ...

    def close(self) -> None:
        self.running = False


@pytest.fixture
def desktop(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> NativeWindow:
    monkeypatch.setattr(mujoco.viewer, "launch_passive", FakeViewer)
    return NativeWindow(stage)


def strike(window: NativeWindow, keys: str, stage: Stage) -> bool:
    for key in keys:
        window._keys.put(ord(key))
    return window.listen(stage)


def test_keys_steer_the_native_viewer(stage: Stage, desktop: NativeWindow) -> None:
    assert strike(desktop, "IIUJ ", stage)
    command = stage.session.command
    np.testing.assert_allclose([*command.velocity_H, command.yaw_rate], [0.2, 0.05, 0.1])
    assert stage.paused
    strike(desktop, "H", stage)
    assert not stage.session.command.velocity_H.any()
    stage.notices.append("Something is wrong.")
    desktop._viewer.opt.flags[:] = 1 - desktop._flags  # MuJoCo listens to the same keys
    desktop.show(stage)
    assert "Something is wrong." in desktop._viewer.texts[0][3]
    assert (desktop._viewer.opt.flags == desktop._flags).all()


def test_numbers_switch_the_layers_of_the_native_viewer(stage: Stage, desktop: NativeWindow) -> None:
    stage.session.tick()
    desktop.show(stage)
    before = desktop._viewer.user_scn.ngeom
    strike(desktop, "6", stage)  # measured forces
    stage.session.tick()
    desktop.show(stage)
    assert desktop._viewer.user_scn.ngeom == before + 2, "one arrow a foot"
    strike(desktop, "6", stage)
    desktop.show(stage)
    assert desktop._viewer.user_scn.ngeom == before


def test_the_native_viewer_goes_from_place_to_place(stage: Stage, desktop: NativeWindow) -> None:
    first = desktop._viewer
    strike(desktop, "E", stage)
    desktop.show(stage)
    assert stage.session.environment.name == "gap" and not first.running
    assert desktop._viewer.model is stage.session.simulator.model and desktop.listen(stage)
    desktop.close()
    assert not desktop.listen(stage)


def test_the_native_window_is_closed_when_nobody_draws_it_any_more(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = threading.Event()
    drawing = threading.Thread(target=closed.wait)

    class DrawnViewer(FakeViewer):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            drawing.start()

        def close(self) -> None:
            closed.set()

    monkeypatch.setattr(mujoco.viewer, "launch_passive", DrawnViewer)
    window = NativeWindow(stage)
    assert drawing.is_alive()
    window.close()
    assert not drawing.is_alive()
