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
MAX_IMPULSE = 1000.0  # [N s] many times what throws anybody over
MAX_PUSH = 10.0  # [s] that a push may last

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


class TaskMessage(Struct, tag="task", forbid_unknown_fields=True):
    """Begin a task of the place."""

    name: Annotated[str, Meta(max_length=100)]


class PushMessage(Struct, tag="push", forbid_unknown_fields=True):
    """Push the torso now; direction in the heading frame, pi/2 to the left."""

    impulse: Annotated[float, Meta(ge=0.0, le=MAX_IMPULSE, description="N s")]
    direction: Annotated[float, Meta(description="rad")] = 0.0
    duration: Annotated[float, Meta(gt=0.0, le=MAX_PUSH, description="s")] = 0.1


class StateQuestion(Struct, tag="state", forbid_unknown_fields=True):
    """How is the character?"""


class TaskState(Struct, kw_only=True):
    """How the last task goes."""

    name: str
    number: int  # of tasks that were begun since the start; the one that the place begins with does not count
    progress: str  # a `hmpc.tasks.runner.Progress`
    over: bool
    words: str  # what happened last, in a sentence


class State(Struct, tag="state", kw_only=True):
    """The answer to it, in SI units; the frame is the world's unless it says otherwise."""

    env: str
    t: float  # [s] simulated time
    position: tuple[float, float, float]  # [m] of the COM
    heading: float  # [rad] counter-clockwise from x
    velocity: tuple[float, float]  # [m/s] of the COM, forward and left
    yaw_rate: float  # [rad/s] of the body
    fallen: bool  # and not asked to get up
    source: str  # who asked for the command
    command: dict[str, float | str]  # the effective one: every field of a command
    clipped: str  # what the robot's limits cut off, in a sentence
    timed_out: bool  # the source went silent: the velocities are zero
    doing: str  # "walking", "sit down: moving", "fallen", ...
    task: TaskState | None


class Problem(Struct, tag="error"):
    """The answer to what could not be understood or done."""

    message: str  # one sentence


_Question: Any = _CommandMessage | TaskMessage | PushMessage | StateQuestion
_question: Any = msgspec.json.Decoder(_Question)
_answer: Any = msgspec.json.Decoder(State | Problem)


def read_question(text: str | bytes) -> tuple[Request, float] | TaskMessage | PushMessage | StateQuestion:
    """What a client sent: a request and how long to hold it [s], a deed, or a question."""
    if len(text) > MAX_BYTES:  # whoever let it come this far: names in it would be searched for similar ones
        raise InputError(f"A message has at most {MAX_BYTES} bytes, this one {len(text)}.")
    message = _decoded(_question, text)
    if isinstance(message, TaskMessage | PushMessage | StateQuestion):
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


def deed_message(deed: TaskMessage | PushMessage) -> bytes:
    """The message that asks for it."""
    return msgspec.json.encode(deed)


def schema() -> dict[str, Any]:
    """The JSON schema of everything that a client may send."""
    return msgspec.json.schema(_Question)


def _decoded(decoder: Any, text: str | bytes) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise InputError(f"The message was not understood: {error}.") from None
