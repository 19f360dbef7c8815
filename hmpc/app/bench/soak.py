"""Hours of random commands: falls per hour on flat ground and on the course.

The runs are a sweep in the folder `soak/` of where the command is given: stop it with Ctrl-C whenever you like, the
report tells how much has been run, and the same command goes on with what is missing. `--quick` is a soak of its own,
of minutes.
"""

from __future__ import annotations

import contextlib
import csv
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import yaml
from scipy.stats import chi2

from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import Velocity
from hmpc.app.bench.walk import random_commands
from hmpc.app.experiments.design import read_design
from hmpc.app.experiments.results import Results

FOLDER = Path("soak")
_TAPES = {"flat": 100, "course": 20}
_QUICK_TAPES = {"flat": 2, "course": 1}
_SECONDS, _QUICK_SECONDS = 600.0, 30.0
_COURSE_SPEEDS = (0.3, 0.8)  # [m/s] forward only: the course is a path
_LAPS = 15  # of the course: more than the longest tape walks
_HOUR = 3600.0  # [s]


def measure(quick: bool) -> Result:
    """The sweep, as far as it has been run, and what is missing of it."""
    tapes, seconds = (_QUICK_TAPES, _QUICK_SECONDS) if quick else (_TAPES, _SECONDS)
    folder = FOLDER / ("quick" if quick else "long")
    files = {env: described(folder, env, count, seconds) for env, count in tapes.items()}
    with contextlib.suppress(KeyboardInterrupt):
        for env, file in files.items():
            run_what_is_missing(file, folder / env)
    rows = [summed_up(env, file, folder / env, tapes[env]) for env, file in files.items()]
    return {f"random commands for {seconds / 60.0:g} min a tape": rows}


def run_what_is_missing(file: Path, out: Path) -> None:
    """A sweep, as a person would start it."""
    command = [sys.executable, "-m", "hmpc", "sweep", str(file), "--out", str(out), "--json"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def summed_up(env: str, file: Path, out: Path, count: int) -> Mapping[str, Cell]:
    """How far a sweep of `count` tapes has got, and what came of it."""
    finished = Results(out).read(job.key for job in read_design(file))
    hours = sum(record["seconds"] for record in finished.values()) / _HOUR
    falls = sum(record["fell"] for record in finished.values())
    return {"env": env, "tapes": count, "finished": len(finished), "hours": hours, **fall_rate(falls, hours)}


def described(folder: Path, env: str, count: int, seconds: float) -> Path:
    """The sweep and its tapes as files, the same every time."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for seed in range(count):
        tape = folder / f"{env}-{seed}.csv"
        with tape.open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["time", "vx", "vy", "yaw_rate"])
            writer.writerows((t, *velocity) for t, velocity in _commands(env, seed, seconds))
        files.append(tape.name)
    path = folder / f"{env}.yaml"
    environment = {env: {"laps": _LAPS}} if env == "course" else env
    design = {"seconds": seconds, "environments": [environment], "commands": [{"file": name} for name in files]}
    path.write_text(yaml.safe_dump(design))
    return path


def _commands(env: str, seed: int, seconds: float) -> tuple[tuple[float, Velocity], ...]:
    if env == "flat":
        return random_commands(seed, seconds)
    rng = np.random.default_rng(seed)
    return tuple((t, (float(rng.uniform(*_COURSE_SPEEDS)), 0.0, 0.0)) for t in np.arange(0.0, seconds, 5.0).tolist())


def fall_rate(falls: int, hours: float) -> dict[str, Cell]:
    """Falls per hour with the exact 95 % interval of a Poisson rate."""
    if hours == 0.0:
        return {"falls": falls, "falls_per_hour": None, "low": None, "high": None}
    low = float(chi2.ppf(0.025, 2 * falls)) / 2.0 if falls else 0.0
    high = float(chi2.ppf(0.975, 2 * falls + 2)) / 2.0
    return {"falls": falls, "falls_per_hour": falls / hours, "low": low / hours, "high": high / hours}
