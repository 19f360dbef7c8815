"""Long benches in pieces for several processes, whose records are kept when they are finished.

Stop one with Ctrl-C whenever you like: the report tells how far it got, and the same command goes on with what is
missing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from hmpc.app.bench.trials import PROCESSES
from hmpc.app.experiments.results import Results, Row
from hmpc.app.progress import progress_bar


class Job(Protocol):
    """A piece of a bench, described so that another process can do it."""

    @property
    def key(self) -> str:
        """What distinguishes it from the others, as a name of a file."""


_Job = TypeVar("_Job", bound=Job)


def finished(jobs: Sequence[_Job], perform: Callable[[_Job], Row], folder: Path, words: str) -> list[Row]:
    """Do what is missing until all of it is done or Ctrl-C; the records of all that have been finished, in order."""
    results = Results(folder)
    there = results.read(job.key for job in jobs)
    missing = [job for job in jobs if job.key not in there]
    with progress_bar(len(jobs), words, initial=len(there)) as bar, contextlib.suppress(KeyboardInterrupt):
        for key, record in _performed(missing, perform):
            results.add(key, record)
            bar.update()
    return list(results.read(job.key for job in jobs).values())


def _performed(jobs: Sequence[_Job], perform: Callable[[_Job], Row]) -> Iterator[tuple[str, Row]]:
    """Key and record of every job as it is finished, in any order."""
    import joblib

    parallel = joblib.Parallel(PROCESSES, return_as="generator_unordered")
    yield from parallel(joblib.delayed(_recorded)(job, perform) for job in jobs)


def _recorded(job: _Job, perform: Callable[[_Job], Row]) -> tuple[str, Row]:
    return job.key, perform(job)
