"""Hours of random commands: falls per hour on flat ground and on the course.

The records of the tapes are kept in the folder `soak/` of where the command is given: stop it with Ctrl-C whenever you
like, the report tells how much has been walked, and the same command goes on with what is missing. `--part` is one of
the two places; `--quick` is a soak of its own, of minutes.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from scipy.stats import chi2

from hmpc.app.bench.resumable import finished
from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import Trial, make_session
from hmpc.app.bench.walk import random_commands
from hmpc.app.experiments.results import Row
from hmpc.app.session import Session

FOLDER = Path("soak")
_TAPES = {"flat": 100, "course": 20}
_QUICK_TAPES = {"flat": 2, "course": 1}
_SECONDS, _QUICK_SECONDS = 600.0, 30.0
_LAPS = 15  # of the course: more than the longest tape walks
_HOUR = 3600.0  # [s]


@dataclass(frozen=True)
class Tape:
    """Some minutes of random commands."""

    env: str
    seed: int
    seconds: float

    @property
    def key(self) -> str:
        """What distinguishes it from other tapes, as a name of a file."""
        return f"{self.env}-{self.seed}-{self.seconds:g}"


def measure(quick: bool, places: Iterable[str] = tuple(_TAPES)) -> Result:
    """What has been walked by now, and what came of it."""
    count, seconds = (_QUICK_TAPES, _QUICK_SECONDS) if quick else (_TAPES, _SECONDS)
    tapes = [Tape(env, seed, seconds) for env in places for seed in range(count[env])]
    records = finished(tapes, walked, FOLDER, f"{seconds / 60.0:g} min each")
    groups = {env: [record for record in records if record["env"] == env] for env in places}
    falls: list[Mapping[str, Cell]] = [
        {"env": env, "tape": record["seed"], "fell_at": record["fell_at"], "again": record["again"]}
        for env, group in groups.items()
        for record in group
        if record["fell"]
    ]
    return {
        f"random commands for {seconds / 60.0:g} min a tape": [
            {"env": env, "tapes": count[env], **summed_up(group)} for env, group in groups.items()
        ],
        "falls": falls,
        "memory of the processes": memory(records),
    }


def walked(tape: Tape) -> Row:
    """The report of a tape, and the peak of the memory of the process until its end."""
    if tape.env == "flat":
        session = make_session(Trial(commands=random_commands(tape.seed, tape.seconds), seed=tape.seed))
        summary = session.run(tape.seconds)
    else:
        session = make_session(Trial(env="course", parameters={"laps": _LAPS, "seed": tape.seed}, seed=tape.seed))
        summary = session.run(tape.seconds, Steering(tape.seed))
    session.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    return {**asdict(summary), "process": os.getpid(), "peak_MB": peak, "again": f"walked({tape!r})"}


class Steering:
    """Somebody who leads along a path: another speed every few seconds, and back to its middle."""

    speeds = (0.3, 0.8)  # [m/s] forward
    hold = 5.0  # [s] until the next speed
    look = 0.5  # [s] between two looks at where it walks
    gain, sideways = 0.3, 0.15  # [1/s] of what it is beside the middle; [m/s] at most

    def __init__(self, seed: int):
        self._rng = np.random.default_rng(seed)
        self._next_speed = self._next_look = 0.0  # [s]
        self._speed = 0.0

    def __call__(self, session: Session) -> None:
        if session.time < self._next_look:
            return
        self._next_look = session.time + self.look
        if session.time >= self._next_speed:
            self._speed, self._next_speed = self._rng.uniform(*self.speeds), session.time + self.hold
        back = float(np.clip(-self.gain * session.state.body.com_W[1], -self.sideways, self.sideways))
        session.command = replace(session.command, velocity_H=np.array([self._speed, back]))


def summed_up(records: Sequence[Row]) -> dict[str, Cell]:
    """How much of it has been walked, and how often it fell."""
    hours = sum(record["seconds"] for record in records) / _HOUR
    falls = sum(record["fell"] for record in records)
    steps = sum(record["steps"] for record in records)
    return {"finished": len(records), "hours": hours, "steps": steps, **fall_rate(falls, hours)}


def memory(records: Sequence[Row]) -> list[Mapping[str, Cell]]:
    """Peak memory of every process after its first tape and after its last, and the hours in between."""
    rows: list[Mapping[str, Cell]] = []
    for process in dict.fromkeys(record["process"] for record in records):
        peaks = sorted(record["peak_MB"] for record in records if record["process"] == process)
        hours = sum(record["seconds"] for record in records if record["process"] == process) / _HOUR
        rows.append({"hours": hours, "tapes": len(peaks), "first_MB": peaks[0], "last_MB": peaks[-1]})
    return rows


def fall_rate(falls: int, hours: float) -> dict[str, Cell]:
    """Falls per hour with the exact 95 % interval of a Poisson rate."""
    if hours == 0.0:
        return {"falls": falls, "falls_per_hour": None, "low": None, "high": None}
    low = float(chi2.ppf(0.025, 2 * falls)) / 2.0 if falls else 0.0
    high = float(chi2.ppf(0.975, 2 * falls + 2)) / 2.0
    return {"falls": falls, "falls_per_hour": falls / hours, "low": low / hours, "high": high / hours}


PARTS = {env: partial(measure, places=(env,)) for env in _TAPES}
