"""Faults of the machine that it runs on: a disk that takes nothing more, a clock that jumps, physics that diverge."""

from __future__ import annotations

import contextlib
import resource
import time
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np

import hmpc.app.records.log
import hmpc.app.session
from hmpc.app.bench.faults.fault import Fault, replaced
from hmpc.app.session import Session

_JUMP = 3600.0  # [s] at most, in either direction


@contextlib.contextmanager
def _disk_full(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """The operating system refuses every write to a file of this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        with replaced(hmpc.app.records.log, "FLUSH_TICKS", 1):  # so that it is noticed at once
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextlib.contextmanager
def _clock_jump(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """The clock that a session times its ticks with is suddenly another."""
    jump = rng.uniform(-_JUMP, _JUMP)
    clock = SimpleNamespace(perf_counter=lambda: time.perf_counter() + jump, process_time=time.process_time)
    with replaced(hmpc.app.session, "time", clock):
        yield


@contextlib.contextmanager
def _diverged(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """The physics itself is not finite any more, which nobody can go on from."""
    qvel = session.simulator.data.qvel
    qvel[rng.integers(len(qvel))] = np.nan
    yield


FAULTS = (
    Fault("disk full while logging", _disk_full, (0.01, 0.1)),
    Fault("clock jumps by up to an hour", _clock_jump, (0.002, 0.1)),
    Fault("the physics diverges", _diverged, (0.002, 0.002)),
)
