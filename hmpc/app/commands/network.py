"""The command interface: a WebSocket server beside the simulation that speaks small JSON messages.

It listens on the loopback interface unless told otherwise, and then asks for a token. Nothing that arrives is
evaluated, messages are bounded in size and checked against a schema, and however fast they come, only the newest
command is kept: a client that floods the connection is slowed down by TCP.
"""

from __future__ import annotations

import asyncio
import hmac
from http import HTTPStatus
from threading import Event, Thread
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import msgspec
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from hmpc.app.commands.deeds import Begin
from hmpc.app.commands.hub import Effective
from hmpc.app.commands.messages import (
    MAX_BYTES,
    Problem,
    PushMessage,
    State,
    StateQuestion,
    TaskMessage,
    TaskState,
    read_question,
)
from hmpc.app.commands.request import NAMES, as_request
from hmpc.errors import HmpcError, InputError, UnknownNameError
from hmpc.geometry import heading, rotation_z
from hmpc.registry import find_task
from hmpc.sim.simulator import Push

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.http11 import Request as HttpRequest
    from websockets.http11 import Response

    from hmpc.app.session import Session

SOURCE = "network"
MAX_CLIENTS = 16
_QUEUE = 8  # messages of a connection that may wait; then its socket is not read any more


class CommandServer:
    """Serves the session that `current` returns, in a thread of its own; a context manager."""

    def __init__(self, current: Callable[[], Session], host: str, port: int, token: str | None):
        self._current, self._host, self._token = current, host, token
        self.port = port
        self._clients = 0
        self._ready, self._failure = Event(), ""
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="hmpc commands", daemon=True)

    def __enter__(self) -> CommandServer:
        self._thread.start()
        self._ready.wait()
        if self._failure:
            raise InputError(f"The command interface cannot listen on {self._host}:{self.port}: {self._failure}.")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            server = serve(
                self._converse,
                self._host,
                self.port,
                process_request=self._admit,
                # A web page of somebody else's can reach the loopback interface, but cannot hide where it comes from.
                origins=None if self._token else [None],
                max_size=MAX_BYTES,
                max_queue=_QUEUE,
                compression=None,  # a small message could become a large one
            )
            async with server as listening:
                self.port = next(iter(listening.sockets)).getsockname()[1]
                self._ready.set()
                await self._stop.wait()
        except OSError as error:
            self._failure = error.strerror or str(error)
            self._ready.set()

    def _admit(self, connection: ServerConnection, request: HttpRequest) -> Response | None:
        """None to go on with the handshake; otherwise the refusal."""
        if self._clients >= MAX_CLIENTS:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections.\n")
        if self._token:
            asked = parse_qs(urlsplit(request.path).query).get("token", [""])[0]
            given = request.headers.get("Authorization", f"Bearer {asked}").removeprefix("Bearer ")
            if not hmac.compare_digest(given.encode(), self._token.encode()):
                return connection.respond(HTTPStatus.UNAUTHORIZED, "The token is missing or wrong.\n")
        return None

    async def _converse(self, connection: ServerConnection) -> None:
        self._clients += 1
        try:
            async for message in connection:
                if (answer := self._answer(message)) is not None:
                    await connection.send(msgspec.json.encode(answer).decode())
        except ConnectionClosed:
            pass  # also how a message that is too long ends
        finally:
            self._clients -= 1

    def _answer(self, message: str | bytes) -> State | Problem | None:
        session = self._current()
        try:
            question = read_question(message)
            if isinstance(question, StateQuestion):
                return state_of(session)
            if isinstance(question, TaskMessage):
                session.hub.post(_begin(question, session))
            elif isinstance(question, PushMessage):
                session.hub.post(Push(session.time, question.impulse, question.direction, question.duration))
            else:
                session.hub.put(SOURCE, *question)
        except HmpcError as error:
            return Problem(str(error))
        return None


def _begin(message: TaskMessage, session: Session) -> Begin:
    """Only tasks that the place offers: a name that comes from outside must not choose what is imported."""
    if message.name not in session.tasks():
        raise UnknownNameError(f"task in environment {session.environment.name!r}:", message.name, session.tasks())
    session.falls.check(find_task(message.name))
    return Begin(message.name)


def state_of(session: Session) -> State:
    """How the character is and what it is asked for; everything read here is replaced, never changed."""
    effective: Effective = session.hub.effective
    body = session.state.body
    yaw = heading(body.R_WB)
    velocity_H = rotation_z(yaw).T @ body.vel_W
    request = as_request(effective.command)
    return State(
        env=session.environment.name,
        t=session.state.t,
        position=tuple(body.com_W.tolist()),
        heading=float(yaw),
        velocity=tuple(velocity_H[:2].tolist()),
        yaw_rate=float(body.omega_W[2]),
        fallen=session.falls.over,
        source=effective.source,
        command={name: getattr(request, name) for name in NAMES},
        clipped=effective.clipped,
        timed_out=effective.timed_out,
        doing="fallen" if session.falls.down else session.stack.doing,
        task=_task_of(session),
    )


def _task_of(session: Session) -> TaskState | None:
    task, wanted = session.stack.task, session.falls.wanted
    number = sum(isinstance(deed, Begin) for _, deed in session.agenda.done)
    if wanted is not None:
        words = "It begins when the body lies still."
        return TaskState(name=wanted.name, number=number, progress="waiting", over=False, words=words)
    if task is None:
        return None
    return TaskState(
        name=task.task.name,
        number=number,
        progress=task.progress.value,
        over=task.over,
        words=task.words[-1] if task.words else "",
    )
