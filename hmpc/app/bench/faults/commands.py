"""Faults of what is asked for: 10 000 commands a second, words that mean nothing, messages beyond all bounds."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator

import numpy as np

from hmpc.app.bench.faults.fault import Fault, replaced
from hmpc.app.commands.messages import MAX_BYTES, read_question
from hmpc.app.session import Session
from hmpc.errors import InputError

_RATE = 10_000.0  # [1/s] of simulated time
_WHILE = (0.05, 0.2)  # [s]
_OVERSIZE = 100 * MAX_BYTES


@contextlib.contextmanager
def _arriving(session: Session, message: Callable[[], bytes]) -> Iterator[None]:
    """Messages come in at the rate of a flood, by the way that those of the network take."""
    before, observe = session.hub.effective, session.simulator.observe
    each_tick = round(_RATE * session.simulator.control_period)

    def flooded() -> object:
        for _ in range(each_tick):
            with contextlib.suppress(InputError):
                question = read_question(message())
                if isinstance(question, tuple):  # a request, and how long it holds
                    session.hub.put("network", *question)
        return observe()

    with replaced(session.simulator, "observe", flooded):
        yield
    session.hub.restore(before)


@contextlib.contextmanager
def _flood(session: Session, rng: np.random.Generator) -> Iterator[None]:
    def message() -> bytes:
        vx, vy, yaw_rate = rng.uniform((-1.0, -0.4, -0.8), (1.5, 0.4, 0.8))
        return json.dumps({"type": "command", "vx": vx, "vy": vy, "yaw_rate": yaw_rate}).encode()

    with _arriving(session, message):
        yield


@contextlib.contextmanager
def _garbage(session: Session, rng: np.random.Generator) -> Iterator[None]:
    texts = (b"", b"[" * 4000, b'{"type":"command","vx":NaN}', b'{"type":"command","vx":1e999}', b'{"type":"command"')

    def message() -> bytes:
        return texts[rng.integers(len(texts))] if rng.random() < 0.5 else rng.bytes(int(rng.integers(1, 200)))

    with _arriving(session, message):
        yield


@contextlib.contextmanager
def _oversize(session: Session, rng: np.random.Generator) -> Iterator[None]:
    message = b'{"type":"command","arms":"' + b"x" * _OVERSIZE + b'"}'
    with _arriving(session, lambda: message):
        yield


FAULTS = (
    Fault("10 kHz of random commands", _flood, _WHILE),
    Fault("10 kHz of garbage", _garbage, _WHILE),
    Fault("10 kHz of oversize messages", _oversize, (0.01, 0.02)),
)
