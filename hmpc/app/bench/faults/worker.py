"""Faults of the planner's process, with a real process: killed, hung, answering with garbage, timed by a mad clock."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import time
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from hmpc.app.bench.faults.fault import A_STEP, Fault, replaced
from hmpc.app.session import Session
from hmpc.frb.worker import PlanWorker

_JUMP = 3600.0  # [s]
_ATTEMPTS = 4  # to hear from a worker, or from the one that replaced it
_GARBAGE: tuple[Any, ...] = (None, 7, "plan", (), {"t": [0.0]}, np.zeros(3))


def _worker(session: Session) -> PlanWorker:
    """The worker, ready for work: who stands has not asked it for anything yet, nor noticed that it died."""
    worker = cast(PlanWorker, session.stack._searcher)
    if not worker.alive:
        worker.restart()
    worker.start()
    for _ in range(_ATTEMPTS):
        if worker._ready:
            return worker
        worker._connection.poll(worker.params.worker_startup)
        worker.poll()
    raise RuntimeError("The planner's process does not come up.")


@contextlib.contextmanager
def _killed(session: Session, rng: np.random.Generator) -> Iterator[None]:
    _worker(session)._process.kill()
    yield


@contextlib.contextmanager
def _hung(session: Session, rng: np.random.Generator) -> Iterator[None]:
    process = _worker(session)._process.pid
    assert process is not None
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):  # it was replaced meanwhile
            os.kill(process, signal.SIGCONT)


@contextlib.contextmanager
def _garbage(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """Its answers are no plans."""
    worker, answer = _worker(session), _GARBAGE[int(rng.integers(len(_GARBAGE)))]
    take = worker._take
    with replaced(worker, "_take", lambda job, _: take(job, answer)):
        yield


@contextlib.contextmanager
def _noise(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """Bytes come that mean nothing."""

    def receive() -> Any:
        raise pickle.UnpicklingError("injected")

    with replaced(_worker(session)._connection, "recv", receive):
        yield


@contextlib.contextmanager
def _mad_clock(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """The clock that its deadlines are measured with jumps."""
    jump = rng.uniform(-_JUMP, _JUMP)
    with replaced(_worker(session), "_clock", lambda: time.monotonic() + jump):
        yield


FAULTS = (
    Fault("worker killed", _killed, A_STEP),
    Fault("worker hung", _hung, A_STEP),
    Fault("worker answers with garbage", _garbage, A_STEP),
    Fault("worker sends noise", _noise, A_STEP),
    Fault("worker's clock jumps", _mad_clock, A_STEP),
)
