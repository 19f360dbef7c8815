"""Ten thousand messages of nonsense, crowds and deaf clients: the command interface goes on, and takes no memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest

from hmpc.app.bench import attacks
from hmpc.app.commands.network import MAX_CLIENTS, CommandServer
from hmpc.app.session import Session

BOUND = 2_000_000  # bytes: a tenth of what the messages themselves would take


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    session = Session("stand")
    with CommandServer(lambda: session, attacks.HOST, 0, None) as server:
        assert attacks.is_well(server.port)
        yield server.port


@pytest.fixture
def bounded_memory() -> Iterator[None]:
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    yield
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < BOUND


@pytest.mark.sim
def test_ten_thousand_messages_that_mean_nothing(port: int) -> None:
    assert attacks.websocket_nonsense(port, 10_000) == 10_000
    assert attacks.is_well(port)


def test_requests_that_no_browser_makes_leak_nothing(port: int) -> None:
    assert attacks.http_nonsense(port, 60)[1] == 0
    assert attacks.is_well(port)


def test_messages_beyond_all_bounds(port: int, bounded_memory: None) -> None:
    attacks.oversize(port, 2)
    assert attacks.is_well(port)


def test_clients_that_never_read_are_not_waited_for(port: int, bounded_memory: None) -> None:
    with attacks.deaf(port, 300, clients=2):
        assert attacks.is_well(port)


def test_fifty_connections_that_say_nothing(port: int) -> None:
    with attacks.half_open(port):
        assert attacks.is_well(port)


def test_of_fifty_clients_some_are_let_in_and_then_others_are(port: int, bounded_memory: None) -> None:
    with attacks.crowd(port) as admitted:
        assert 0 < admitted <= MAX_CLIENTS
    assert attacks.is_well(port)
