"""The windows: where they open, what they ask of a session, and how they end."""

from __future__ import annotations

import math
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hmpc.app.cli import main
from hmpc.app.falls import Fall
from hmpc.app.viewers.browser import BrowserWindow
from hmpc.app.viewers.notices import Notices
from hmpc.app.viewers.picture import Picture
from hmpc.app.viewers.server import free_port, web_server
from hmpc.app.viewers.stage import Setting, Stage
from hmpc.errors import InputError

ROOT = Path(__file__).parents[3]
HOST = "127.0.0.1"


@pytest.fixture
def window(stage: Stage) -> Iterator[BrowserWindow]:
    with web_server(HOST, free_port(HOST, 28080)) as server:
        opened = BrowserWindow(stage, Picture(server, stage.session.simulator))
        yield opened
        opened.close()


def test_sliders_become_the_command(stage: Stage, window: BrowserWindow) -> None:
    controls = window._drive._controls
    controls["vx"].handle.value, controls["yaw_rate"].handle.value = 0.3, -0.2
    controls["body_height"].handle.value = 0.9
    controls["trunk_yaw"].handle.value, controls["arms"].handle.value = 10.0, "forward"
    window._drive._automatic.value, window._drive._step.value = False, 0.6
    window.listen(stage)
    command = stage.session.command
    assert command.velocity_H.tolist() == [0.3, 0.0]
    assert (command.yaw_rate, command.body_height, command.step_duration) == (-0.2, 0.9, 0.6)
    assert command.posture.trunk_yaw == pytest.approx(math.radians(10.0), abs=1e-4)
    assert command.posture.arms == "forward"
    assert stage.session.hub.effective.source == "sliders"


def test_sliders_follow_the_commands_of_others(stage: Stage, window: BrowserWindow) -> None:
    window.listen(stage)
    stage.session.ask("network", _walking(stage, 0.4))
    window.listen(stage)
    window.show(stage)
    assert window._drive._controls["vx"].handle.value == 0.4
    assert stage.session.hub.effective.source == "network", "following is not asking"


def test_a_swap_shows_the_new_world_and_keeps_the_commanders(stage: Stage, window: BrowserWindow) -> None:
    hub = stage.session.hub
    window.show(stage)
    window._world._environment.value = "stairs"
    window._world._rest._clock = lambda: math.inf
    window.listen(stage)
    window.listen(stage)
    window.show(stage)
    assert stage.session.environment.name == "stairs" and stage.session.hub is hub
    assert window._picture._geoms.model is stage.session.simulator.model
    assert "riser" in window._world._controls


def test_controls_stay_in_their_tab(stage: Stage, window: BrowserWindow) -> None:
    def home(control: Any) -> str:
        return str(control._impl.parent_container_id)

    world, tuning = window._world, window._tuning
    before = home(world._controls["friction"]), home(next(iter(tuning._controls.values())))
    world._environment.value = "stairs"
    tuning._group.value = "frb"  # type: ignore[misc]
    window.listen(stage)
    assert {home(control) for control in world._controls.values()} == {before[0]}
    assert {home(control) for control in tuning._controls.values()} == {before[1]}


def test_buttons_for_tasks_come_and_go_with_the_place(stage: Stage, window: BrowserWindow) -> None:
    assert not window._tasks._folder.visible
    assert stage.swap(Setting("chair"))
    window.show(stage)
    assert window._tasks._folder.visible
    assert [button.label for button in window._tasks._buttons] == ["Sit down", "Stand up"]


def test_who_has_fallen_finds_a_button_to_get_up(stage: Stage, window: BrowserWindow) -> None:
    stage.session.falls.add(Fall(0.0, "pushed over"))
    window._tasks.show(stage)
    assert window._tasks._folder.visible and [button.label for button in window._tasks._buttons] == ["Get up"]
    stage.reset()
    window._tasks.show(stage)
    assert not window._tasks._folder.visible


def test_every_layer_can_be_drawn_and_taken_away(stage: Stage, window: BrowserWindow) -> None:
    stage.session.command = _walking(stage, 0.5)
    while stage.session.stack.plan is None:
        stage.session.tick()
    boxes = window._layers._boxes
    for box in boxes.values():
        box.value = True
    window._layers.show(stage)
    drawn = [window._layers._layers[label] for label in ("safe regions", "footsteps", "trajectory")]
    assert all(layer._handles for layer in drawn)  # type: ignore[union-attr]
    assert all(
        window._layers._layers[label]._arrows.visible  # type: ignore[union-attr]
        for label in ("planned forces", "distributed forces", "measured forces")
    )
    for box in boxes.values():
        box.value = False
    window._layers.show(stage)
    assert not any(layer._handles for layer in drawn)  # type: ignore[union-attr]


def test_what_is_said_while_nobody_looks_waits(stage: Stage, window: BrowserWindow) -> None:
    for number in range(9):
        stage.notices.append(f"Trouble {number}.")
    window.show(stage)
    assert stage.notices[-1] == "Trouble 8." and len(stage.notices) == 5, "the newest, not too many"


def test_notices_wait_until_those_before_them_have_been_read(stage: Stage) -> None:
    said, now = [], 0.0
    browser: Any = SimpleNamespace(add_notification=lambda title, words, **_: said.append(words))
    notices = Notices(clock=lambda: now)
    for number in range(99):  # a browser that sleeps has all of them in its queue when it wakes up
        stage.notices.append(f"Trouble {number}.")
        notices.show(stage, [browser])
    assert said == [f"Trouble {number}." for number in range(5)]
    now = 8.0
    notices.show(stage, [browser])
    assert said[5:] == [f"Trouble {number}." for number in range(94, 99)], "the newest"


def test_times_are_not_collected_for_nobody(stage: Stage, window: BrowserWindow) -> None:
    for _ in range(5):
        stage.session.tick()
        window.show(stage)
    assert all(len(times) <= 1 for times in window._watch.seconds.values())


def test_what_is_queued_for_browsers_stays_as_much_as_it_is(stage: Stage, window: BrowserWindow) -> None:
    """viser keeps the newest message about each thing, however slow a browser is: so things must keep their names."""
    stage.session.command = _walking(stage, 0.5)
    queued = []
    for _ in range(3):
        for _ in range(6):
            stage.session.run(0.1)
            stage.history.add(stage.session)
            window._draw(stage)
        queued.append(len(window._server._websock_server.get_message_buffer().message_from_id))
    assert queued[2] == queued[1]


def test_plans_that_are_over_are_not_drawn(stage: Stage, window: BrowserWindow) -> None:
    stage.session.command = _walking(stage, 0.5)
    while stage.session.stack.plan is None:
        stage.session.tick()
    layers = [window._layers._layers[label] for label in ("footsteps", "trajectory")]
    for later, drawn in ((0.0, True), (60.0, False)):
        stage.session.state = replace(stage.session.state, t=stage.session.state.t + later)
        window._layers.show(stage)
        assert all(bool(layer._handles) == drawn for layer in layers)  # type: ignore[union-attr]


def _walking(stage: Stage, vx: float) -> Any:
    return replace(stage.session.command, velocity_H=np.array([vx, 0.0]))


def test_a_port_that_is_taken_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port(HOST, port) > port


@pytest.mark.parametrize(("host", "port"), [(HOST, 0), (HOST, 70_000), ("256.1.1.1", 8080), ("8.8.8.8", 8080)])
def test_an_address_that_cannot_be_served_is_refused(host: str, port: int) -> None:
    with pytest.raises(InputError):
        free_port(host, port)


def test_the_demo_prints_one_address_and_ends_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "stand", "--port", "28180", "--listen", "0", "--seconds", "0.05"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if line.startswith("http")]) == 1


@pytest.mark.parametrize("display", ["", ":97"], ids=["none", "one that does not answer"])
def test_without_a_display_the_browser_is_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, display: str
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert main(["demo", "--viewer", "native", "--port", "28280", "--listen", "0", "--seconds", "0.05"]) == 0
    output = capsys.readouterr()
    assert "http://" in output.out and "no display" in output.err


def test_a_demo_for_all_the_world_comes_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--host", "0.0.0.0", "--port", "28290", "--listen", "0", "--seconds", "0.05"]) == 0
    output = capsys.readouterr()
    assert "can steer the character" in output.err
    assert "http://127.0.0.1:28290" in output.out.splitlines()


@pytest.mark.sim
def test_the_demo_serves_a_page_and_ends_cleanly_on_ctrl_c(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'envs'}"}
    command = [sys.executable, "-m", "hmpc", "demo", "stand", "--port", "28380", "--listen", "0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as demo:
        assert demo.stdout is not None
        url = next(line for line in demo.stdout if line.startswith("http")).strip()
        with urllib.request.urlopen(url, timeout=30) as page:
            assert page.status == 200
            assert b"<html" in page.read().lower()
        demo.send_signal(signal.SIGINT)
        try:
            _, errors = demo.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            demo.kill()
            raise
    assert demo.returncode == 0
    assert "Traceback" not in errors
