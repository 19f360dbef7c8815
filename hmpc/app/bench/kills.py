"""Runs and sweeps, killed at random moments: can the log be read, does the sweep go on with nothing lost?"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.app.records.log import read_log
from hmpc.errors import InputError

_POLL = 0.02  # [s] between two looks
_LONGEST_LIFE = 2.0  # [s] that a run or a sweep lives after its first result
_SWEEP = "{environments: stand, seconds: 0.5, seeds: 40}"
_HMPC = [sys.executable, "-m", "hmpc"]


def measure(quick: bool) -> Result:
    rng = np.random.default_rng(0)
    kills = 5 if quick else 50
    with tempfile.TemporaryDirectory() as folder:
        logs = [killed_log(Path(folder) / f"run{k}", rng) for k in range(kills)]
        sweep = killed_sweep(Path(folder), 3 if quick else 20, rng)
    readable = [ticks for ticks in logs if ticks is not None]
    log: dict[str, Cell] = {
        "kills": kills,
        "readable": len(readable),
        "least_ticks": min(readable, default=0),
        "most_ticks": max(readable, default=0),
    }
    return {"logs of killed runs": [log], "a sweep of 40 runs, killed again and again": [sweep]}


def killed_log(folder: Path, rng: np.random.Generator) -> int | None:
    """Ticks in the log of a run that was killed at a random moment after its first part; None: it cannot be read."""
    process = subprocess.Popen([*_HMPC, "run", "stand", "--seconds", "1000", "--log", str(folder)])
    kill_when(process, lambda: any(folder.glob("log-*.npz")), rng.uniform(0.0, _LONGEST_LIFE))
    try:
        return len(read_log(folder)["t"])
    except InputError:
        return None


def killed_sweep(folder: Path, kills: int, rng: np.random.Generator) -> dict[str, Cell]:
    """What became of the runs of a sweep that was killed after random times, and at last left in peace."""
    file, out = folder / "sweep.yaml", folder / "sweep"
    file.write_text(_SWEEP)
    command = [*_HMPC, "sweep", str(file), "--out", str(out), "--json"]
    lost = doubled = happened = 0
    finished: dict[Path, int] = {}
    for _ in range(kills):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        some_more = partial(_more_than, len(finished), out)
        happened += kill_when(process, some_more, rng.uniform(0.0, _LONGEST_LIFE))
        now = _results(out)
        lost += len(finished.keys() - now.keys())
        doubled += sum(now.get(path, written) != written for path, written in finished.items())
        finished = now
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return {"kills": happened, "finished": len(_results(out)), "lost": lost, "done_twice": doubled}


def _more_than(count: int, out: Path) -> bool:
    return len(_results(out)) > count


def _results(out: Path) -> dict[Path, int]:
    """The results that are there, and when each was written [ns]."""
    return {path: path.stat().st_mtime_ns for path in out.glob("runs/*.json")}


def kill_when(process: subprocess.Popen[bytes], ready: Callable[[], bool], delay: float = 0.0) -> bool:
    """Kill a process `delay` seconds after it is `ready`; False if it came to its end before."""
    while not ready() and process.poll() is None:
        _wait(process, _POLL)
    end = time.monotonic() + delay
    while process.poll() is None and time.monotonic() < end:
        _wait(process, min(_POLL, delay))
    alive = process.poll() is None
    process.kill()
    process.wait()
    return alive


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
