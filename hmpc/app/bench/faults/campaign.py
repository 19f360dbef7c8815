"""Faults in a row: a character stands or walks, is recorded, and every moment something else goes wrong.

A life is one recorded run. It ends with a fall, a safe stop or a recording that broke off; then its log and its tape
are read, and the next life begins, at a pace that the campaign has settled to before its first fault.
"""

from __future__ import annotations

import itertools
import logging
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hmpc.app.bench.faults.fault import Fault, plant_of
from hmpc.app.bench.plant import Plant
from hmpc.app.commands.tape import TAPE, read_tape
from hmpc.app.config import with_overrides
from hmpc.app.records.log import read_log
from hmpc.app.records.recorder import Recorder
from hmpc.app.session import Session
from hmpc.app.snapshot import SessionSnapshot
from hmpc.errors import InputError, SimulationError
from hmpc.params import Params
from hmpc.planning import Clock
from hmpc.types import Command

_SPEEDS = (0.0, 0.6, 1.0)  # [m/s] forward, of which each life has one
_SETTLED = 2.0  # [s] after which the first fault comes: it walks by then
# A worker that hangs is replaced while somebody watches, and never given up: there are more faults to come.
_PARAMS = with_overrides(Params(), {"frb.worker_timeout": 1.0, "frb.worker_restarts": 10_000})
_LONGEST_LIFE = 60.0  # [s] of a record: what is checked at its end stays small
_AFTERMATH, _BRIEF_AFTERMATH = 0.5, 0.05  # [s] after a fault, in which its consequences show


@dataclass(frozen=True)
class Injection:
    """One fault and what came of it."""

    fault: str
    escaped: str  # what got out of its tick: an exception, a torque; "": nothing
    upright: bool  # the character goes on, neither fallen nor stopped
    said: str  # why it was stopped, if it was


@dataclass(frozen=True)
class Life:
    """The record of a run with faults."""

    ticks: int  # in which the controller was at work
    problem: str  # of its log or tape; "": every tick is there


class Campaign:
    """Seeded: the same faults at the same moments of the same runs. In a `brief` one they are as short as they may."""

    def __init__(self, faults: Sequence[Fault], seed: int, *, clock: Clock = "lockstep", brief: bool = False):
        self._faults, self._brief, self._rng = faults, brief, np.random.default_rng(seed)
        self._folder = tempfile.TemporaryDirectory(prefix="hmpc-faults-")
        session = self._session = Session(
            "flat", seed=seed, clock=clock, params=_PARAMS, fault_folder=Path(self._folder.name)
        )
        session.simulator = Plant(session.environment, session.robot, 1.0 / session.simulator.control_period)
        self._starts = [self._settled(speed) for speed in _SPEEDS]
        self.injections: list[Injection] = []
        self.lives: list[Life] = []

    def _settled(self, speed: float) -> SessionSnapshot:
        """A walk at `speed` [m/s] that has found its rhythm."""
        session = self._session
        session.reset()
        session.command = Command(velocity_H=np.array([speed, 0.0]))
        session.run(_SETTLED)
        return session.save()

    def run(self, count: int) -> None:
        """`count` injections: every fault as often as every other, in random order."""
        rounds = -(-count // len(self._faults))
        order = (self._faults[k] for _ in range(rounds) for k in self._rng.permutation(len(self._faults)))
        queue = itertools.islice(order, count)
        logging.disable(logging.ERROR)  # what is injected on purpose is not news
        try:
            while self._live(queue):
                pass
        finally:
            logging.disable(logging.NOTSET)
            self._session.close()
            self._folder.cleanup()

    def _live(self, queue: Iterator[Fault]) -> bool:
        """One life; whether there are faults left for another."""
        folder = Path(self._folder.name) / str(len(self.lives))
        folder.mkdir()
        self._session.restore(self._starts[int(self._rng.integers(len(self._starts)))])
        life = _RecordedLife(self._session, folder)
        fault: Fault | None = None
        while not life.over and (fault := next(queue, None)) is not None:
            self._inject(fault, life)
        self.lives.append(life.end())
        return fault is not None or life.over

    def _inject(self, fault: Fault, life: _RecordedLife) -> None:
        shortest, longest = fault.seconds
        with fault.inject(self._session, self._rng):
            escaped = life.live(shortest if self._brief else self._rng.uniform(shortest, longest))
        escaped = escaped or life.live(_BRIEF_AFTERMATH if self._brief else _AFTERMATH)
        session = self._session
        upright = session.fall is None and session.fault is None
        self.injections.append(Injection(fault.name, escaped, upright, session.fault or ""))


class _RecordedLife:
    """A session that is recorded, and watched for whatever gets out of a tick."""

    def __init__(self, session: Session, folder: Path):
        self._session, self._folder, self._ticks = session, folder, 0
        self._kept = 0  # ticks before the disk was full
        self._end = session.time + _LONGEST_LIFE
        self._recorder = Recorder(folder, session, ["bench", "faults"], _LONGEST_LIFE)

    @property
    def over(self) -> bool:
        """Nothing more to be learnt from it."""
        session = self._session
        failed = session.fall is not None or session.fault is not None
        return failed or self._recorder.ended or session.time > self._end

    def live(self, seconds: float) -> str:
        """Go on for so long, or to the end; what got out of a tick."""
        session = self._session
        for _ in range(max(1, round(seconds / session.simulator.control_period))):
            if session.fall is not None or session.ended:
                break
            if escaped := self._tick():
                return escaped
        return ""

    def _tick(self) -> str:
        session, simulator = self._session, self._session.simulator
        before = session.time
        try:
            session.tick()
        except SimulationError:
            return "" if session.ended else "SimulationError"  # how a tick says that the physics diverged
        except Exception as error:
            return repr(error)
        self._recorder(session)
        worked = session.latest is not None and session.latest.state is session.state
        on_record = worked or session.falls.down
        self._ticks += on_record
        self._kept += on_record and not self._recorder.ended
        if not (np.abs(plant_of(session).truth.data.ctrl) <= simulator.robot.torque_limit).all():  # NaN is not
            return "a torque beyond its limit"
        if abs(session.time - before - simulator.control_period) > 1e-9:
            return "time that does not pass"
        return ""

    def end(self) -> Life:
        """Close the record and read it."""
        self._recorder.close()
        if self._kept == 0:
            return Life(self._ticks, "")
        try:
            rows = len(read_log(self._folder)["t"])
            read_tape(self._folder / TAPE, Command())
        except InputError as error:
            return Life(self._ticks, str(error))
        broken_off = self._recorder.ended and self._kept <= rows <= self._ticks
        return Life(self._ticks, "" if rows == self._ticks or broken_off else f"{rows} of {self._ticks} ticks")
