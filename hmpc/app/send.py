"""`hmpc send`: a command, a task or a push for a running demo, over the command interface."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from websockets.exceptions import ConnectionClosed

from hmpc.app.commands.messages import (
    MAX_BYTES,
    MAX_HOLD,
    PushMessage,
    State,
    TaskMessage,
    command_message,
    deed_message,
    read_answer,
)
from hmpc.app.commands.request import Request
from hmpc.errors import InputError

if TYPE_CHECKING:
    from websockets.sync.connection import Connection

    from hmpc.app.cli import Send

_TIMEOUT = 10.0  # [s] for a connection or an answer: the simulation may be busy compiling
_POLL = 0.1  # [s] between two looks at whether the command is over


def send(arguments: Send) -> int:
    """Ask for something, and stay until it is over, so that commands can follow each other in a script."""
    if arguments.task and arguments.push:
        raise InputError("A task or a push: one at a time.")
    request = Request(
        vx=arguments.vx,
        vy=arguments.vy,
        yaw_rate=arguments.yaw_rate,
        body_height=arguments.body_height,
        step_duration=arguments.step_duration,
    )
    push = _parsed(arguments.push) if arguments.push else None
    if not 0.0 < arguments.hold <= MAX_HOLD:
        raise InputError(f"--for must be a number of seconds up to {MAX_HOLD:g}, got {arguments.hold:g}.")
    with _connected(arguments.host, arguments.port, arguments.token) as connection:
        try:
            if arguments.task:
                return _begin(connection, arguments.task)
            return _push(connection, push) if push else _steer(connection, request, arguments.hold)
        except KeyboardInterrupt:
            connection.send(command_message(Request(), arguments.hold).decode())
            print("Stopped.")
            return 1
        except (OSError, TimeoutError, ConnectionClosed) as error:
            raise InputError(f"The demo does not answer any more: {error}.") from None


def _begin(connection: Connection, name: str) -> int:
    before = _ask(connection)
    connection.send(deed_message(TaskMessage(name)).decode())
    number, state = before.task.number if before.task else 0, _ask(connection)
    while not _is_over(state, number, before):
        if state.t < before.t:
            print("The character was put back to the start.")
            return 1
        time.sleep(_POLL)
        state = _ask(connection)
    if state.fallen or state.task is None:
        print("The character has fallen.")
        return 1
    print(f"{name}: {state.task.progress} at {state.t:.1f} s. {state.task.words}".rstrip())
    return 0 if state.task.progress == "done" else 1


def _is_over(state: State, number: int, before: State) -> bool:
    """Whether there is no more to come of a task: of one after number `number`, which may begin from a fall."""
    begun = state.task is not None and state.task.number > number
    if state.fallen:
        return begun or not before.fallen
    return begun and state.task is not None and state.task.over


def _push(connection: Connection, push: PushMessage) -> int:
    connection.send(deed_message(push).decode())
    state = _ask(connection)
    print(f"Pushed with {push.impulse:g} N s at {state.t:.1f} s.")
    return 0


def _parsed(text: str) -> PushMessage:
    """IMPULSE,DIRECTION[,DURATION] in N s, degrees and s."""
    try:
        impulse, direction, *duration = (float(part) for part in text.split(","))
        return PushMessage(impulse, math.radians(direction), *duration)
    except (TypeError, ValueError):
        raise InputError(f"--push needs IMPULSE,DIRECTION[,DURATION] in N s, degrees and s, got {text!r}.") from None


def _steer(connection: Connection, request: Request, hold: float) -> int:
    connection.send(command_message(request, hold).decode())
    state = _ask(connection)
    print(_asked(state), flush=True)
    while not (state.fallen or state.timed_out or state.source != "network"):
        time.sleep(_POLL)
        state = _ask(connection)
    x, y, _ = state.position
    print(f"At {state.t:.1f} s: x {x:.2f} m, y {y:.2f} m, heading {math.degrees(state.heading):.0f} degrees.")
    if state.fallen:
        print("The character has fallen.")
    elif state.source != "network":
        print(f"Another source ({state.source}) took over.")
    return 1 if state.fallen else 0


def _ask(connection: Connection) -> State:
    connection.send('{"type": "state"}')
    return read_answer(connection.recv(timeout=_TIMEOUT))


def _asked(state: State) -> str:
    command = state.command
    words = f"Asked for {command['vx']:g} {command['vy']:g} m/s, {command['yaw_rate']:g} rad/s."
    return f"{words} {state.clipped}".rstrip()


def _connected(host: str, port: int, token: str | None) -> Connection:
    from websockets.exceptions import InvalidStatus, WebSocketException
    from websockets.sync.client import connect

    address = f"ws://{host}:{port}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        return connect(address, additional_headers=headers, open_timeout=_TIMEOUT, max_size=MAX_BYTES, compression=None)
    except InvalidStatus as error:
        reason = (error.response.body or b"").decode(errors="replace").strip()
        raise InputError(f"{address} refuses: {reason or error} `hmpc demo --host` prints its token.") from None
    except (OSError, WebSocketException, ValueError) as error:
        raise InputError(
            f"Nothing answers at {address} ({error}): is `hmpc demo` running? It prints its port for commands."
        ) from None
