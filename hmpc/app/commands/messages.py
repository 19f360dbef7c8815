"""The messages of the command interface: JSON objects whose fields and types are checked before anything is done.

`Request` names the fields once; the schema of a command message is made from it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta, Struct

from hmpc.app.commands.hub import HOLD
from hmpc.app.commands.request import NAMES, Request
from hmpc.errors import InputError

MAX_BYTES = 4096  # of a message: a command with every field needs a tenth of it
MAX_HOLD = 60.0  # [s] a client that means longer says so again

_types = get_type_hints(Request)
_CommandMessage: Any = msgspec.defstruct(
    "CommandMessage",
    [
        *((item.name, _types[item.name], item.default) for item in fields(Request)),
        ("hold", Annotated[float, Meta(gt=0.0, le=MAX_HOLD, description="seconds of simulated time")], HOLD),
    ],
    tag="command",
    forbid_unknown_fields=True,
)


class StateQuestion(Struct, tag="state", forbid_unknown_fields=True):
    """How is the character?"""


class State(Struct, tag="state", kw_only=True):
    """The answer to it, in SI units; the frame is the world's unless it says otherwise."""

    env: str
    t: float  # [s] simulated time
    position: tuple[float, float, float]  # [m] of the COM
    heading: float  # [rad] counter-clockwise from x
    velocity: tuple[float, float]  # [m/s] of the COM, forward and left
    yaw_rate: float  # [rad/s] of the body
    fallen: bool
    source: str  # who asked for the command
    command: dict[str, float | str]  # the effective one: every field of a command
    clipped: str  # what the robot's limits cut off, in a sentence
    timed_out: bool  # the source went silent: the velocities are zero


class Problem(Struct, tag="error"):
    """The answer to what could not be understood or done."""

    message: str  # one sentence


_question: Any = msgspec.json.Decoder(_CommandMessage | StateQuestion)
_answer: Any = msgspec.json.Decoder(State | Problem)


def read_question(text: str | bytes) -> tuple[Request, float] | StateQuestion:
    """What a client sent: a request and how long to hold it [s], or a question."""
    message = _decoded(_question, text)
    if isinstance(message, StateQuestion):
        return message
    return Request(**{name: getattr(message, name) for name in NAMES}), message.hold


def read_answer(text: str | bytes) -> State:
    """What the server sent; a problem is raised as an `InputError`."""
    message = _decoded(_answer, text)
    if isinstance(message, Problem):
        raise InputError(message.message)
    assert isinstance(message, State)
    return message


def command_message(request: Request, hold: float) -> bytes:
    """The message that asks for `request`, for `hold` seconds."""
    given = {name: value for name in NAMES if (value := getattr(request, name)) is not None}
    return msgspec.json.encode({"type": "command", **given, "hold": hold})


def schema() -> dict[str, Any]:
    """The JSON schema of everything that a client may send."""
    return msgspec.json.schema(_CommandMessage | StateQuestion)


def _decoded(decoder: Any, text: str | bytes) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise InputError(f"The message was not understood: {error}.") from None
