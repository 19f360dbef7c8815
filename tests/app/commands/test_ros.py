"""Twists through a rosbridge: tried against a server that speaks as much of its protocol as is needed."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from hmpc.app.cli import main
from hmpc.app.commands.hub import HOLD, CommandHub, Effective
from hmpc.app.commands.ros import TYPE, RosBridge, as_request, host_and_port
from hmpc.app.session import Session
from hmpc.errors import InputError

TOPIC = "/cmd_vel"
WALK = {"linear": {"x": 0.5, "y": -0.1, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": 0.2}}
NONSENSE = {"linear": {"x": None, "y": 0.0}, "angular": {"z": 0.0}}


@pytest.fixture
def rosbridge() -> Iterator[tuple[int, Queue[dict[str, Any]]]]:
    """The port of a rosbridge that publishes two twists to whoever subscribes, and what it was sent."""
    received: Queue[dict[str, Any]] = Queue()

    def converse(connection: ServerConnection) -> None:
        for text in connection:
            message = json.loads(text)
            received.put(message)
            if message["op"] == "subscribe":
                for twist in (NONSENSE, WALK):
                    connection.send(json.dumps({"op": "publish", "topic": TOPIC, "msg": twist}))
            if message["op"] == "publish":
                connection.close()

    with serve(converse, "127.0.0.1", 0) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.socket.getsockname()[1], received
        server.shutdown()
        thread.join()


def test_a_twist_on_the_topic_commands_the_character(
    rosbridge: tuple[int, Queue[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    port, received = rosbridge
    session, asked, put = Session("stand"), Queue[Effective](), CommandHub.put
    monkeypatch.setattr(session.hub, "put", lambda *wish: asked.put(put(session.hub, *wish)))
    with caplog.at_level(logging.WARNING), RosBridge(lambda: session, f"127.0.0.1:{port}", TOPIC):
        subscribed = received.get(timeout=30)
        effective = asked.get(timeout=30)
    assert (subscribed["op"], subscribed["topic"], subscribed["type"]) == ("subscribe", TOPIC, TYPE)
    assert effective.source == "ROS" and effective.hold == HOLD
    assert [*effective.command.velocity_H, effective.command.yaw_rate] == [0.5, -0.1, 0.2]
    assert "vx of a command must be a finite number" in caplog.text, "nonsense is reported and ignored"


def test_a_bridge_that_went_away_is_listened_to_again_when_it_is_back(
    rosbridge: tuple[int, Queue[dict[str, Any]]],
) -> None:
    port, received = rosbridge
    session = Session("stand")
    with RosBridge(lambda: session, f"127.0.0.1:{port}", TOPIC) as bridge:
        assert received.get(timeout=30)["op"] == "subscribe"
        bridge._ros.send_on_ready({"op": "publish"})  # what makes this server hang up
        assert received.get(timeout=30)["op"] == "publish"
        assert received.get(timeout=30)["op"] == "subscribe"


@pytest.mark.parametrize("twist", [{}, {"linear": {}}, {"linear": 3, "angular": 4}, {"linear": None, "angular": None}])
def test_what_is_no_twist_is_refused(twist: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Twist"):
        as_request(twist)


def test_an_address_has_a_host_and_a_port() -> None:
    assert host_and_port("localhost:9090") == ("localhost", 9090)
    for wrong in ("localhost", ":9090", "a:b", "a:0", "a:99999", "a:²"):
        with pytest.raises(InputError, match="HOST:PORT"):
            host_and_port(wrong)


def test_a_missing_library_and_a_bad_address_are_said_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["demo", "stand", "--port", "28580", "--listen", "0", "--seconds", "0.01"]
    assert main([*options, "--ros", "localhost"]) == 2
    assert "HOST:PORT" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "roslibpy", None)
    assert main([*options, "--ros", "localhost:9090"]) == 2
    assert "pip install 'hmpc[ros]'" in capsys.readouterr().err
