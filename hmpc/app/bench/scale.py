"""How the cost grows: with contacts, phases, horizon, population, degrees of freedom, and sweeps with workers.

With `--results DIR` the curves are drawn as well, to DIR/scale.png. Times are of this machine; what a reader elsewhere
can compare are the slopes: `growth` is the exponent p of a power law, time ~ size^p, through the smallest and largest.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from hmpc.app.bench.qp import solver_timings
from hmpc.app.bench.table import Cell, Result
from hmpc.frb.planner import FrbProblem, PlanSearch
from hmpc.params import FrbParams
from hmpc.registry import find_robot, make_environment
from hmpc.sim.simulator import Simulator
from hmpc.types import BodyModel, ContactPhase, ContactRegion, FrbState
from hmpc.wholebody.implicit_pd import implicit_pd

Rows = Sequence[Mapping[str, Cell]]
_STEP = 0.5  # [s] of a phase
_SWEEP_RUNS = 8
_SWEEP = f"{{environments: stand, seconds: 2.0, seeds: {_SWEEP_RUNS}}}"


def contacts(quick: bool) -> Rows:
    """Tier 3: one contact-force QP."""
    repeats = 50 if quick else 1000
    rows = solver_timings((4, 8, 16, 32, 64), ("newton",), repeats, seed=0)
    return [{"size": row["contacts"], "us": row["median_us"]} for row in rows]


def phases(quick: bool) -> Rows:
    """Tier 2: an iteration of CMA, with more and more contact phases in two seconds."""
    return [_iteration(n, walk(n, 2.0 / n), FrbParams(), quick) for n in (2, 4, 6, 8)]


def horizon(quick: bool) -> Rows:
    """Tier 2: an iteration of CMA over more and more steps of half a second."""
    return [_iteration(n, walk(n, _STEP), FrbParams(), quick) for n in (1, 2, 4, 8, 16)]


def population(quick: bool) -> Rows:
    """Tier 2: an iteration of CMA with more and more candidates."""
    sizes = (12, 24, 48, 96, 192)
    return [_iteration(n, walk(2, _STEP), replace(FrbParams(), population=n), quick) for n in sizes]


def motors(quick: bool) -> Rows:
    """Whole body: implicit PD, with more and more hinges."""
    rng, repeats = np.random.default_rng(0), 100 if quick else 2000
    rows: list[Mapping[str, Cell]] = []
    for n in (10, 34, 100, 300):
        groups = np.array([[k, 0, k, 1, k] for k in range(n)])
        mobility = np.zeros((n, 3, 3))
        mobility[:, 0, 0] = rng.uniform(0.1, 10.0, n)
        kp, kd, error, velocity = rng.uniform(0.0, 1.0, (4, n))
        pd = lambda: implicit_pd(kp, kd, error, velocity, mobility, groups, 0.002)  # noqa: B023, E731
        rows.append({"size": n, "us": _median_us(pd, repeats)})
    return rows


def workers(quick: bool) -> Rows:
    """A sweep of eight short runs by more and more processes, each time from nothing; starting them included."""
    rows: list[Mapping[str, Cell]] = []
    most = min(os.cpu_count() or 1, 2 if quick else _SWEEP_RUNS)
    for count in (n for n in (1, 2, 4, 8) if n <= most):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "sweep.yaml"
            file.write_text(_SWEEP)
            command = [
                sys.executable,
                "-m",
                "hmpc",
                "sweep",
                str(file),
                "--out",
                f"{folder}/out",
                "--workers",
                str(count),
            ]
            before = perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            rows.append({"size": count, "us": 1e6 * (perf_counter() - before)})
    return rows


CURVES: Mapping[str, Callable[[bool], Rows]] = {
    "contacts": contacts,
    "phases": phases,
    "steps of horizon": horizon,
    "population": population,
    "motors": motors,
    "workers of a sweep": workers,
}


def measure(quick: bool) -> Result:
    curves = {name: curve(quick) for name, curve in CURVES.items()}
    growths = [{"cost against": name, "growth": growth(rows)} for name, rows in curves.items()]
    return {**curves, "growth": growths}


def growth(rows: Rows) -> float | None:
    """The exponent p of time ~ size^p between the first and the last row; None of a single one."""
    if len(rows) < 2:
        return None
    (s0, t0), (s1, t1) = ((float(row["size"] or 0), float(row["us"] or 0)) for row in (rows[0], rows[-1]))
    return math.log(t1 / t0) / math.log(s1 / s0)


def plot(result: Result, folder: Path) -> None:
    """The curves, each with its own axes, both logarithmic."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter

    figure = Figure(figsize=(10, 6), layout="constrained")
    for axes, name in zip(figure.subplots(2, 3).ravel(), CURVES, strict=True):
        sizes, times = ([float(row[column] or 0) for row in result[name]] for column in ("size", "us"))
        seconds = [1e-6 * time for time in times]
        axes.loglog(sizes, seconds, "o-")
        axes.set(xlabel=name, ylim=(0.5 * min(seconds), 2.0 * max(seconds)))
        axes.minorticks_off()  # labels between powers of ten overlap, and powers alone are too few to read from
        axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
        axes.set_yticks([seconds[0], seconds[-1]])
        axes.yaxis.set_major_formatter(EngFormatter("s", places=1))
        axes.grid(alpha=0.3)
    figure.savefig(folder / "scale.png", dpi=100)


def walk(count: int, seconds: float) -> FrbProblem:
    """The body on its left and right foot in turn, `count` times for so long."""
    ground = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.full(2, 100.0))
    body: BodyModel = Simulator(make_environment("flat"), find_robot("humanoid")).body_model
    feet = [limb for limb in body.limbs if limb.is_foot]
    stances = []
    for k in range(count):
        foot_W = np.array([0.3 * k, (0.5 - k % 2) * body.step_width, 0.0])
        stances.append(
            ContactPhase(
                limb=feet[k % 2].name,
                t_start=k * seconds,
                t_end=(k + 1) * seconds,
                cop_W=np.stack([foot_W, foot_W]),
                f_l=np.full(2, body.mass * FrbParams().gravity),
                f_r_W=np.zeros((2, 3)),
                region=ground,
                center_W=foot_W,
            )
        )
    start = FrbState(
        com_W=np.array([0.0, 0.0, body.com_height]), vel_W=np.zeros(3), R_WB=np.eye(3), omega_W=np.zeros(3)
    )
    return FrbProblem(state=start, t0=0.0, horizon=count * seconds, body=body, phases=tuple(stances))


def _iteration(size: int, problem: FrbProblem, params: FrbParams, quick: bool) -> Mapping[str, Cell]:
    search = PlanSearch(problem, params, seed=0, short=True)
    return {"size": size, "us": _median_us(lambda: search.iterate(1), 10 if quick else 100)}


def _median_us(function: Callable[[], object], repeats: int) -> float:
    """Of the processor's time, which other programs on the machine hardly change."""
    function()  # compiles, or loads what is compiled
    seconds = []
    for _ in range(repeats):
        before = process_time()
        function()
        seconds.append(process_time() - before)
    return 1e6 * float(np.median(seconds))
