"""What strangers may do to a server on the loopback interface: nonsense, floods, half-open doors, deaf ears.

Every attack is seeded and bounded, and returns how many messages it got rid of. `is_well` asks afterwards.
"""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator

import numpy as np
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from hmpc.app.commands.messages import MAX_BYTES
from hmpc.app.commands.request import NAMES

HOST = "127.0.0.1"
CONNECTIONS = 50
_TIMEOUT = 20.0  # [s] for an answer: the simulation beside the server may be busy
_QUICK_TIMEOUT = 0.2  # [s] for an answer that need not come
_LOST = (OSError, WebSocketException, TimeoutError, EOFError)  # what a client may see of a server that defends itself
_STATE = '{"type": "state"}'
_VALUES: tuple[object, ...] = (
    0.3,
    -1e308,
    10**40,
    float("nan"),
    True,
    None,
    "",
    "x" * 300,
    [],
    {},
    "\ud800",
    "../../x",
)
_PATHS = (
    *("/", "/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd"),
    *("//etc/passwd", "/assets/../../../../../etc/passwd", "/\x00", "/" + "a" * 20_000, "/?token=" + "b" * 5000),
)


def _client(port: int) -> Connection:
    # What it does not read it may collect: otherwise it could not say goodbye either.
    return connect(f"ws://{HOST}:{port}", open_timeout=_TIMEOUT, close_timeout=_QUICK_TIMEOUT, max_queue=None)


def is_well(port: int) -> bool:
    """Whether the command interface answers a question, at the latest when it is through with what was sent before.

    While it still reads what strangers have left behind, their places are taken and others are turned away.
    """
    deadline = time.monotonic() + _TIMEOUT
    while time.monotonic() < deadline:
        with contextlib.suppress(*_LOST), _client(port) as client:
            client.send(_STATE)
            return bool(json.loads(client.recv(timeout=_TIMEOUT))["type"] == "state")
    return False


def nonsense(rng: np.random.Generator) -> str | bytes:
    """A message: sometimes bytes, sometimes almost a command."""
    kind = rng.integers(4)
    if kind == 0:
        return rng.bytes(int(rng.integers(0, 300)))
    if kind == 1:
        return "".join(chr(c) for c in rng.integers(1, 0xD7FF, size=int(rng.integers(0, 60))))
    fields = {str(name): _VALUES[rng.integers(len(_VALUES))] for name in rng.choice([*NAMES, "hold", "type", "x"], 3)}
    text = json.dumps({"type": str(rng.choice(["command", "state", "eval", "replay"])), **fields})
    return text if kind == 2 else text[: rng.integers(len(text))]


def websocket_nonsense(port: int, count: int, seed: int = 0) -> int:
    """Messages that mean nothing, over one connection after another."""
    rng, sent = np.random.default_rng(seed), 0
    while sent < count:
        with contextlib.suppress(*_LOST), _client(port) as client:
            for _ in range(min(500, count - sent)):
                sent += 1  # also of a message that the server hangs up on
                client.send(nonsense(rng))
    return sent


def http_nonsense(port: int, count: int, seed: int = 0) -> tuple[int, int]:
    """Requests that no browser makes, and how many of the answers leaked a file of this machine."""
    rng, leaks = np.random.default_rng(seed), 0
    for _ in range(count):
        if rng.random() < 0.5:
            request = f"GET {_PATHS[rng.integers(len(_PATHS))]} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
        else:
            request = rng.bytes(int(rng.integers(1, 400))) + b"\r\n\r\n"
        leaks += b"root:" in _answer(port, request)
    return count, leaks


def _answer(port: int, request: bytes) -> bytes:
    with contextlib.suppress(*_LOST), socket.create_connection((HOST, port), _TIMEOUT) as plug:
        plug.settimeout(_QUICK_TIMEOUT)
        plug.sendall(request)
        return plug.recv(4096)
    return b""


def oversize(port: int, count: int) -> int:
    """Messages a thousand times as long as they may be."""
    for _ in range(count):
        with contextlib.suppress(*_LOST), _client(port) as client:
            client.send("x" * (1000 * MAX_BYTES))
            client.recv(timeout=_QUICK_TIMEOUT)
    return count


@contextlib.contextmanager
def crowd(port: int, count: int = CONNECTIONS) -> Iterator[int]:
    """So many clients at once; how many of them were let in."""
    with contextlib.ExitStack() as stack:
        admitted = 0
        for _ in range(count):
            with contextlib.suppress(*_LOST):
                stack.enter_context(_client(port))
                admitted += 1
        yield admitted


@contextlib.contextmanager
def half_open(port: int, count: int = CONNECTIONS) -> Iterator[None]:
    """So many connections that never say what they want."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(socket.create_connection((HOST, port), _TIMEOUT))
        yield


@contextlib.contextmanager
def deaf(port: int, questions: int, clients: int = 4) -> Iterator[int]:
    """Clients that ask, and never read the answers, until nothing more goes into the pipe; how many questions went."""
    handshake = (
        f"GET / HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    # A client's frame: final text, masked with four zeros, which leave the text as it is.
    frame = bytes([0x81, 0x80 | len(_STATE), 0, 0, 0, 0]) + _STATE.encode()
    with contextlib.ExitStack() as stack:
        asked = 0
        for _ in range(clients):
            plug = stack.enter_context(socket.create_connection((HOST, port), _TIMEOUT))
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            plug.sendall(handshake)
            plug.settimeout(_QUICK_TIMEOUT)
            with contextlib.suppress(*_LOST):
                for _ in range(questions):
                    plug.sendall(frame)
                    asked += 1
        yield asked
