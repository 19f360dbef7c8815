"""A campaign in jobs for several processes; those of a long one are kept in the folder `faults/`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hmpc.app.bench.faults.campaign import Campaign, Injection, Life
from hmpc.app.bench.faults.families import BESIDE, FAMILIES
from hmpc.app.bench.resumable import finished

FOLDER = Path("faults")  # of where the command is given
_JOB = 100  # injections that one process does in a row
Outcome = tuple[list[Injection], list[Life]]


@dataclass(frozen=True)
class Job:
    """Some injections, described so that another process can do them."""

    families: tuple[str, ...]
    seed: int
    count: int

    @property
    def key(self) -> str:
        """What distinguishes it from other jobs, as a name of a file."""
        return f"{'-'.join(self.families)}-{self.seed}-{self.count}"


def jobs_of(families: tuple[str, ...], count: int) -> list[Job]:
    """`count` injections of these families in pieces, a seed for each."""
    return [Job(families, seed, min(_JOB, count - done)) for seed, done in enumerate(range(0, count, _JOB))]


def campaign(job: Job) -> Outcome:
    """Do a job."""
    faults = [fault for name in job.families for fault in FAMILIES[name]]
    run = Campaign(faults, job.seed, clock="realtime" if BESIDE in job.families else "lockstep")
    run.run(job.count)
    return run.injections, run.lives


def outcomes(jobs: Sequence[Job], folder: Path = FOLDER) -> list[Outcome]:
    """Those of all jobs that have been finished."""
    return [_outcome(record) for record in finished(jobs, _record, folder, f"{_JOB} injections each")]


def _record(job: Job) -> dict[str, Any]:
    injections, lives = campaign(job)
    return {"injections": [asdict(one) for one in injections], "lives": [asdict(life) for life in lives]}


def _outcome(record: dict[str, Any]) -> Outcome:
    return [Injection(**one) for one in record["injections"]], [Life(**life) for life in record["lives"]]
