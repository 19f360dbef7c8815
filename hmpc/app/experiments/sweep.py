"""`hmpc sweep`: many runs on the cores of this machine or on a dask cluster, and their results as one table."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hmpc.app.bench.table import as_text
from hmpc.app.experiments.design import Job, read_design
from hmpc.app.experiments.results import Results, plot_rates, summary, table, write_csv
from hmpc.app.progress import progress_bar
from hmpc.app.records.recorder import writable_folder
from hmpc.errors import InputError

if TYPE_CHECKING:
    from hmpc.app.experiments.options import Sweep

_DEFAULT_FOLDER = Path("sweeps")


def sweep(arguments: Sweep) -> int:
    """Do what is missing, then write the tables; 1 if something is missing still."""
    jobs = read_design(arguments.file)
    folder = writable_folder(arguments.out or _DEFAULT_FOLDER / arguments.file.stem)
    if arguments.workers < 0:
        raise InputError(f"--workers must not be negative, got {arguments.workers}.")
    results = Results(folder)
    shutil.copyfile(arguments.file, folder / "sweep.yaml")
    found = results.read(job.key for job in jobs)
    missing = list({job.key: job for job in jobs if job.key not in found}.values())
    failures: dict[str, str] = {}
    with progress_bar(len(jobs), "runs", quiet=arguments.json, initial=len(jobs) - len(missing)) as bar:
        for key, record in performed(missing, arguments.workers or os.cpu_count() or 1, arguments.dask):
            bar.update()
            if isinstance(record, str):
                failures[key] = record
            else:
                results.add(key, record)
    return report(jobs, results, failures, folder, as_json=arguments.json)


def report(jobs: Sequence[Job], results: Results, failures: dict[str, str], folder: Path, *, as_json: bool) -> int:
    """Write results.csv, summary.csv and success.png, and print the summary."""
    records = results.read(job.key for job in jobs)
    rows = summary(jobs, records)
    write_csv(folder / "results.csv", table(jobs, records))
    write_csv(folder / "summary.csv", rows)
    if rows:
        plot_rates(folder / "success.png", rows)
    if as_json:
        print(json.dumps({"runs": len(jobs), "finished": len(records), "failures": failures, "summary": rows}))
    else:
        print(as_text({f"{len(records)} of {len(jobs)} runs, in {folder}": rows}))
        for text in failures.values():
            print(f"failed: {text}")
    return 1 if failures else 0


def performed(jobs: Sequence[Job], workers: int, dask: str | None) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """Key and report of every job as it is finished, in any order; a text instead of a report says what went wrong."""
    import joblib

    if not jobs:
        return
    with dask_cluster(dask, workers) if dask else joblib.parallel_config(backend="loky"):
        parallel = joblib.Parallel(workers, return_as="generator_unordered")
        yield from parallel(joblib.delayed(perform)(job.key, job.argv) for job in jobs)


@contextlib.contextmanager
def dask_cluster(address: str, workers: int) -> Iterator[None]:
    """Have joblib use the cluster of the scheduler at `address`; "local": one on this machine, for the occasion."""
    import joblib

    try:
        import dask.config

        dask.config.set({"logging": {"distributed": "critical"}})  # it is chatty when it goes down, and nothing is lost
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError("--dask needs the dask cluster: pip install 'hmpc[dask]'.") from None
    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with contextlib.ExitStack() as stack:
        found = stack.enter_context(LocalCluster(**options)) if address == "local" else address
        try:
            stack.enter_context(Client(found, timeout="10s"))
        except (OSError, ValueError) as error:
            raise InputError(f"No dask scheduler answers at {address!r}: {error}.") from None
        stack.enter_context(joblib.parallel_config(backend="dask"))
        yield


def perform(key: str, argv: Sequence[str]) -> tuple[str, dict[str, Any] | str]:
    """One run, in a worker process: what `hmpc` with these arguments would report."""
    from hmpc.app.arguments import duration
    from hmpc.app.cli import Run, parse, split_dotted
    from hmpc.app.run import new_session

    try:
        plain, dotted = split_dotted(list(argv))
        arguments = parse(plain)
        assert isinstance(arguments, Run)
        session = new_session(arguments, dotted, Path(tempfile.gettempdir()))
        try:
            return key, asdict(session.run(duration(arguments, session.environment)))
        finally:
            session.close()
    except Exception as error:  # one broken run must not take the others with it
        return key, f"{' '.join(['hmpc', *argv])}: {error!r}"
