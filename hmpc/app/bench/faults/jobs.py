"""A campaign in jobs for several processes.

Those of a long one are kept when they are finished, in the folder `faults/` of where the command is given: stop it with
Ctrl-C whenever you like, the report tells how far it got, and the same command goes on with what is missing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hmpc.app.bench.faults.campaign import Campaign, Injection, Life
from hmpc.app.bench.faults.families import BESIDE, FAMILIES
from hmpc.app.bench.trials import PROCESSES
from hmpc.app.experiments.results import Results
from hmpc.app.progress import progress_bar

FOLDER = Path("faults")
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


def finished(jobs: Sequence[Job], folder: Path = FOLDER) -> list[Outcome]:
    """Do what is missing until all of it is done or Ctrl-C; the outcomes of all that have been finished."""
    results = Results(folder)
    there = results.read(job.key for job in jobs)
    missing = [job for job in jobs if job.key not in there]
    with (
        progress_bar(len(jobs), f"{_JOB} injections each", initial=len(there)) as bar,
        contextlib.suppress(KeyboardInterrupt),
    ):
        for key, record in _performed(missing):
            results.add(key, record)
            bar.update()
    return [_outcome(record) for record in results.read(job.key for job in jobs).values()]


def _performed(jobs: Sequence[Job]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Key and record of every job as it is finished, in any order."""
    import joblib

    parallel = joblib.Parallel(PROCESSES, return_as="generator_unordered")
    yield from parallel(joblib.delayed(_recorded)(job) for job in jobs)


def _recorded(job: Job) -> tuple[str, dict[str, Any]]:
    injections, lives = campaign(job)
    return job.key, {"injections": [asdict(one) for one in injections], "lives": [asdict(life) for life in lives]}


def _outcome(record: dict[str, Any]) -> Outcome:
    return [Injection(**one) for one in record["injections"]], [Life(**life) for life in record["lives"]]
