"""The windows on a session: what they ask of it, what they say about it, and how they end."""

from __future__ import annotations

import math
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hmpc.app.cli import main
from hmpc.app.session import Fall, Session
from hmpc.app.viewers.browser import BrowserWindow, browser_window, free_port
from hmpc.app.viewers.live import Playback, simulate
from hmpc.app.viewers.native import NativeWindow
from hmpc.app.viewers.panel import status
from hmpc.errors import InputError

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"


@pytest.fixture(scope="module")
def session() -> Session:
    return Session("stand")


@pytest.fixture(scope="module")
def window(session: Session) -> Iterator[BrowserWindow]:
    with browser_window(session, HOST, free_port(HOST, 28080)) as opened:
        yield opened


def test_sliders_become_the_command(session: Session, window: BrowserWindow) -> None:
    session.reset()
    panel: Any = window._panel
    panel._vx.value, panel._yaw_rate.value, panel._height.value = 0.3, -0.2, 0.9
    panel._trunk_yaw.value, panel._arms.value, panel._foot.value = 10.0, "forward", "left_foot"
    window.listen(session, Playback())
    command = session.command
    assert command.velocity_H.tolist() == [0.3, 0.0]
    assert (command.yaw_rate, command.body_height) == (-0.2, 0.9)
    assert command.posture.trunk_yaw == pytest.approx(math.radians(10.0))
    assert (command.posture.arms, command.posture.lifted_foot) == ("forward", "left_foot")
    panel._clicks.put(panel._stop)
    window.listen(session, Playback())
    assert not session.command.velocity_H.any()


def test_buttons_push_pause_and_reset(session: Session, window: BrowserWindow) -> None:
    panel: Any = window._panel
    playback = Playback()
    session.reset()
    session.tick()
    panel._impulse.value, panel._direction.value = 20.0, 0.0
    panel._clicks.put(panel._push)
    panel._clicks.put(panel._toggle_pause)
    window.listen(session, playback)
    session.tick()
    assert playback.paused
    assert session.simulator.data.xfrc_applied[session.simulator.robot.torso, 0] == pytest.approx(200.0, rel=0.01)
    panel._clicks.put(panel._reset)
    window.listen(session, playback)
    assert session.time == 0.0
    window.show(session, playback)
    assert "paused" in panel._status.content


def test_the_status_says_what_happened(session: Session) -> None:
    session.reset()
    assert "upright" in status(session, Playback())
    session.fall = Fall(1.25, "the body tilted by 61 degrees")
    assert "Fallen" in status(session, Playback()) and "Reset" in status(session, Playback())
    session.fault = "The torque was not finite."
    assert "Stopped" in status(session, Playback())
    session.reset()


def test_keys_steer_the_native_viewer(session: Session) -> None:
    session.reset()
    keys: SimpleQueue[int] = SimpleQueue()
    shown: list[Any] = []
    viewer = SimpleNamespace(is_running=lambda: True, sync=lambda: None, set_texts=shown.append)
    window, playback = NativeWindow(viewer, keys), Playback()
    for key in "IIUJ ":
        keys.put(ord(key))
    assert window.listen(session, playback)
    np.testing.assert_allclose([*session.command.velocity_H, session.command.yaw_rate], [0.2, 0.05, 0.1])
    assert playback.paused
    keys.put(ord("H"))
    window.listen(session, playback)
    assert not session.command.velocity_H.any()
    window.show(session, playback)
    assert shown


def test_simulation_stops_at_the_deadline_and_at_the_budget(session: Session) -> None:
    session.reset()
    assert simulate(session, 0.1, deadline=-math.inf) == 0.0
    assert simulate(session, 0.02, deadline=math.inf) == pytest.approx(0.02)


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
    assert main(["demo", "stand", "--port", "28180", "--seconds", "0.05"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if line.startswith("http")]) == 1


def test_without_a_display_the_browser_is_used(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert main(["demo", "--viewer", "native", "--port", "28280", "--seconds", "0.05"]) == 0
    output = capsys.readouterr()
    assert "http://" in output.out and "no display" in output.err


@pytest.mark.sim
def test_the_demo_serves_a_page_and_ends_cleanly_on_ctrl_c(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'envs'}"}
    command = [sys.executable, "-m", "hmpc", "demo", "stand", "--port", "28380"]
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
