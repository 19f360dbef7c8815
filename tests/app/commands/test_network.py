"""The command interface: what it takes, what it refuses, and that nothing a client sends can hurt."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from hmpc.app.cli import main
from hmpc.app.commands import network
from hmpc.app.commands.hub import MOST_POSTED
from hmpc.app.commands.messages import MAX_BYTES, read_question, schema
from hmpc.app.commands.network import CommandServer
from hmpc.app.commands.request import NAMES
from hmpc.app.falls import Fall
from hmpc.app.session import Session
from hmpc.app.viewers.server import is_loopback
from hmpc.errors import InputError
from hmpc.sim.simulator import Push

HOST = "127.0.0.1"
TOKEN = "let me in"
Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def shared() -> Session:
    return Session("stand")


@pytest.fixture
def session(shared: Session) -> Session:
    shared.reset()
    return shared


@pytest.fixture
def server(session: Session) -> Iterator[CommandServer]:
    with CommandServer(lambda: session, HOST, 0, None) as serving:
        yield serving


@pytest.fixture
def client(server: CommandServer) -> Iterator[ClientConnection]:
    with connect(f"ws://{HOST}:{server.port}") as connection:
        yield connection


def ask(client: ClientConnection, **message: Any) -> dict[str, Any]:
    """Send a message (if any), then ask for the state: answers come in the order of the questions."""
    if message:
        client.send(json.dumps(message))
    client.send('{"type": "state"}')
    return json.loads(client.recv(timeout=10))


def test_a_command_reaches_the_character_and_times_out(session: Session, client: ClientConnection) -> None:
    state = ask(client, type="command", vx=0.4, yaw_rate=-0.1, body_height=0.9)
    assert (state["type"], state["env"], state["source"]) == ("state", "stand", "network")
    assert state["command"]["vx"] == 0.4 and state["command"]["body_height"] == 0.9
    assert not (state["fallen"] or state["timed_out"])
    session.hub.take(1.0)
    session.hub.take(1.5)
    state = ask(client)
    assert state["timed_out"] and state["command"]["vx"] == 0.0 and state["command"]["body_height"] == 0.9


def test_a_command_can_be_held_for_longer(session: Session, client: ClientConnection) -> None:
    ask(client, type="command", vx=0.4, hold=3.0)
    session.hub.take(1.0)
    session.hub.take(3.9)
    assert session.command.velocity_H[0] == 0.4
    session.hub.take(4.0)
    assert session.command.velocity_H[0] == 0.0


def test_what_is_clipped_is_told(client: ClientConnection) -> None:
    state = ask(client, type="command", vx=100)
    assert state["command"]["vx"] == 2.0 and "clips forward velocity 100 to 2 m/s" in state["clipped"]


def test_a_push_and_a_task_are_done_at_the_next_tick(client: ClientConnection, session: Session) -> None:
    ask(client, type="push", impulse=5, direction=1.0)
    assert not session.agenda.done
    session.tick()
    assert session.agenda.done == [(0.0, Push(0.0, 5.0, 1.0))]


def test_a_task_is_begun_and_told_of() -> None:
    session = Session("chair")
    with CommandServer(lambda: session, HOST, 0, None) as serving, connect(f"ws://{HOST}:{serving.port}") as client:
        before = ask(client, type="task", name="sit_down")["task"]
        assert (before["name"], before["number"], before["over"]) == ("stand_up", 0, False)
        session.tick()
        after = ask(client)["task"]
        assert (after["name"], after["number"], after["progress"]) == ("sit_down", 1, "failed")
        assert after["words"]


def test_pushes_that_nobody_takes_do_not_pile_up(client: ClientConnection, session: Session) -> None:
    for _ in range(MOST_POSTED):
        ask(client, type="push", impulse=1)
    assert "waiting" in ask(client, type="push", impulse=1)["message"]


BAD = {
    "a task that does not exist": '{"type": "task", "name": "fly"}',
    "a task as a way to import something": '{"type": "task", "name": "os:system"}',
    "a push without end": '{"type": "push", "impulse": 1, "duration": 1e9}',
    "a push by nothing": '{"type": "push"}',
    "no JSON": "hello",
    "nothing": "",
    "a list": "[1, 2]",
    "no type": '{"vx": 1}',
    "an unknown type": '{"type": "eval", "code": "1"}',
    "an unknown field": '{"type": "command", "vz": 1}',
    "a word for a number": '{"type": "command", "vx": "fast"}',
    "true for a number": '{"type": "command", "vx": true}',
    "NaN": '{"type": "command", "vx": NaN}',
    "more than a float": '{"type": "command", "vx": 1e999}',
    "no hold": '{"type": "command", "hold": 0}',
    "a hold without end": '{"type": "command", "hold": 1e9}',
    "an unknown arm pose": '{"type": "command", "arms": "crossed"}',
    "a deep nest": '{"a": ' + "[" * (MAX_BYTES - 8),
    "a lonely surrogate": '{"type": "\\ud800"}',
}


@pytest.mark.parametrize("case", BAD)
def test_what_makes_no_sense_is_answered_and_changes_nothing(
    session: Session, client: ClientConnection, case: str
) -> None:
    client.send(BAD[case])
    answer = json.loads(client.recv(timeout=10))
    assert answer["type"] == "error" and answer["message"].endswith(".")
    assert ask(client)["source"] == "nobody", "the connection goes on"


def test_a_message_that_is_too_long_ends_the_connection(server: CommandServer) -> None:
    with connect(f"ws://{HOST}:{server.port}") as rude:
        rude.send(json.dumps({"type": "command", "arms": "a" * MAX_BYTES}))
        with pytest.raises(ConnectionClosed):
            rude.recv(timeout=10)
    with connect(f"ws://{HOST}:{server.port}") as polite:
        assert ask(polite)["type"] == "state"


def test_a_flood_of_commands_takes_no_memory_and_the_last_one_counts(
    session: Session, client: ClientConnection
) -> None:
    message = '{"type": "command", "vx": 0.1}'
    for _ in range(200):
        client.send(message)
    ask(client)
    tracemalloc.start()
    for _ in range(2000):
        client.send(message)
    state = ask(client, type="command", vx=0.3)
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert state["command"]["vx"] == 0.3
    assert grown < 200_000  # bytes: two thousand messages would be more than that


def test_only_so_many_can_be_connected(server: CommandServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "MAX_CLIENTS", 1)
    with connect(f"ws://{HOST}:{server.port}") as first:
        ask(first)
        with pytest.raises(InvalidStatus):
            connect(f"ws://{HOST}:{server.port}")


def test_a_web_page_from_elsewhere_is_refused(server: CommandServer) -> None:
    with pytest.raises(InvalidStatus):
        connect(f"ws://{HOST}:{server.port}", origin="https://example.org")  # type: ignore[arg-type]


def test_who_does_not_know_the_token_is_refused(session: Session) -> None:
    with CommandServer(lambda: session, HOST, 0, TOKEN) as server:
        address = f"ws://{HOST}:{server.port}"
        for wrong in ({}, {"Authorization": "Bearer let me out"}):
            with pytest.raises(InvalidStatus):
                connect(address, additional_headers=wrong)
        with connect(address, additional_headers={"Authorization": f"Bearer {TOKEN}"}) as known:
            assert ask(known)["type"] == "state"
        with connect(f"{address}/?token=let+me+in", origin="https://example.org") as page:  # type: ignore[arg-type]
            assert ask(page)["type"] == "state"


def test_a_port_that_is_taken_is_named(session: Session, server: CommandServer) -> None:
    with pytest.raises(InputError, match=str(server.port)), CommandServer(lambda: session, HOST, server.port, None):
        pass


def test_the_schema_has_every_field_of_a_command() -> None:
    command = schema()["$defs"]["CommandMessage"]
    assert set(command["properties"]) == {"type", "hold", *NAMES} and command["additionalProperties"] is False


def test_binary_frames_are_messages_too() -> None:
    request, hold = read_question(b'{"type": "command", "vx": 1}')  # type: ignore[misc]
    assert request.vx == 1.0 and hold == 0.5


def test_a_message_that_is_too_long_is_not_even_read() -> None:
    with pytest.raises(InputError, match=str(MAX_BYTES)):
        read_question(json.dumps({"type": "command", "arms": "a" * MAX_BYTES}))


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("x", False)]
)
def test_only_the_loopback_interface_needs_no_token(host: str, local: bool) -> None:
    assert is_loopback(host) is local


# ----- hmpc send


def test_send_says_what_came_of_it(session: Session, server: CommandServer, capsys: Output) -> None:
    session.falls.add(Fall(0.0, "pushed over"))  # so that it returns at once
    assert main(["send", "--port", str(server.port), "--vx", "7", "--for", "2"]) == 1
    output = capsys.readouterr().out
    assert "Asked for 2 0 m/s" in output and "clips forward velocity" in output and "fallen" in output
    assert session.hub.effective.hold == 2.0


def test_who_has_fallen_is_asked_to_get_up_and_to_nothing_else(client: ClientConnection, session: Session) -> None:
    session.falls.add(Fall(0.0, "pushed over"))
    assert (state := ask(client))["fallen"] and state["doing"] == "fallen" and state["task"] is None
    client.send('{"type": "task", "name": "climb"}')
    assert "Available: get_up" in json.loads(client.recv(timeout=10))["message"]
    ask(client, type="task", name="get_up")
    session.simulator.data.qvel[:] = 1.0  # not yet
    session.tick()
    state = ask(client)
    assert not state["fallen"] and state["task"]["progress"] == "waiting" and state["task"]["number"] == 1


def test_send_returns_when_somebody_else_takes_over(session: Session, server: CommandServer, capsys: Output) -> None:
    from hmpc.app.commands.request import Request

    put = session.hub.put
    session.hub.put = lambda *_: put("slider", Request(vx=0.2))  # type: ignore[method-assign,assignment]
    assert main(["send", "--port", str(server.port), "--vx", "0.4"]) == 0
    assert "slider" in capsys.readouterr().out
    del session.hub.put


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--vx", "nan"], "finite"),
        (["--for", "0"], "--for"),
        (["--for", "1e9"], "--for"),
        (["--host", "no such host"], "hmpc demo"),
        (["--port", "1"], "hmpc demo"),
        (["--port", "-7"], "hmpc demo"),
    ],
)
def test_send_refuses_in_one_sentence(capsys: Output, options: list[str], words: str) -> None:
    assert main(["send", *options]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and words in error


def test_send_without_the_token_is_told_so(session: Session, capsys: Output) -> None:
    with CommandServer(lambda: session, HOST, 0, TOKEN) as server:
        assert main(["send", "--port", str(server.port)]) == 2
        assert "token" in capsys.readouterr().err


def test_the_demo_says_how_to_send_commands(capsys: Output) -> None:
    assert main(["demo", "stand", "--port", "28480", "--listen", "28490", "--seconds", "0.05"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("hmpc send --port 28490" in line for line in lines)
    assert len([line for line in lines if line.startswith("http")]) == 1
