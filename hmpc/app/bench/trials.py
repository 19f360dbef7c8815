"""Trials of walking for the benches: described by plain values, run by two processes, summed up with honest rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import Any, TypeVar

import numpy as np

from hmpc.app.bench.plant import Plant
from hmpc.app.bench.table import Cell
from hmpc.app.commands.tape import CommandTape
from hmpc.app.config import with_overrides
from hmpc.app.metrics import Summary
from hmpc.app.progress import progress_bar
from hmpc.app.session import Session
from hmpc.frb.worker import single_threaded_blas
from hmpc.params import Params
from hmpc.sim.simulator import Push

PROCESSES = 2
Velocity = tuple[float, float, float]  # forward, left [m/s], yaw rate [rad/s]
_In = TypeVar("_In")
_Out = TypeVar("_Out")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One walk: `hmpc run` with these arguments does the same."""

    velocity: Velocity = (0.0, 0.0, 0.0)
    seconds: float = 60.0
    seed: int = 0
    env: str = "flat"
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of the environment
    options: Mapping[str, Any] = field(default_factory=dict)  # of the session
    overrides: Mapping[str, Any] = field(default_factory=dict)  # of the parameters, by dotted path
    commands: tuple[tuple[float, Velocity], ...] = ()  # from when on [s] -> velocity
    push: Push | None = None
    mass_scale: float = 1.0  # of the body, which the controller does not know of


def make_session(trial: Trial) -> Session:
    """The session of a trial, before its first tick."""
    session = Session(
        trial.env,
        parameters=trial.parameters,
        seed=trial.seed,
        params=with_overrides(Params(), trial.overrides),
        **trial.options,
    )
    if trial.mass_scale != 1.0:
        rate = 1.0 / session.simulator.control_period
        plant = session.simulator = Plant(session.environment, session.robot, rate)
        plant.scale_mass(trial.mass_scale)
        session.reset()
    session.command = replace(session.command, velocity_H=np.array(trial.velocity[:2]), yaw_rate=trial.velocity[2])
    if trial.commands:
        times, velocities = zip(*trial.commands, strict=True)
        commands = [replace(session.command, velocity_H=np.array(v[:2]), yaw_rate=v[2]) for v in velocities]
        session.follow(CommandTape(times, tuple(commands)))
    if trial.push:
        session.push(trial.push)
    return session


def walk(trial: Trial) -> Summary:
    """The report of a trial."""
    session = make_session(trial)
    try:
        return session.run(trial.seconds)
    finally:
        session.close()


def in_parallel(function: Callable[[_In], _Out], jobs: Iterable[_In]) -> list[_Out]:
    """`function` of every job, in order, by two processes."""
    waiting, results = list(jobs), []
    with (
        single_threaded_blas(),
        ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool,
        progress_bar(len(waiting), "trials") as bar,
    ):
        for result in pool.map(function, waiting):
            results.append(result)
            bar.update()
    return results


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """95 % interval of a rate after so many trials (Wilson's score interval)."""
    z = 1.96
    p, n = successes / trials, trials
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def rate_cells(successes: int, trials: int) -> dict[str, Cell]:
    """Columns for a success rate."""
    low, high = wilson(successes, trials)
    return {"trials": trials, "successes": successes, "rate": successes / trials, "low": low, "high": high}


def steady_cells(velocity: Velocity, summaries: Sequence[Summary]) -> dict[str, Cell]:
    """Columns for repetitions of the same walk: how fast, how straight, how many fell."""
    mean = np.mean([s.mean_velocity for s in summaries], axis=0)
    error = np.abs(np.array([s.mean_velocity for s in summaries]) - velocity).max(axis=0)
    drift = [math.degrees(s.heading_drift) * 60.0 / s.seconds for s in summaries]
    return {
        "vx": velocity[0],
        "vy": velocity[1],
        "yaw_rate": velocity[2],
        "runs": len(summaries),
        "falls": sum(s.fell for s in summaries),
        "mean_vx": float(mean[0]),
        "mean_vy": float(mean[1]),
        "mean_yaw_rate": float(mean[2]),
        "worst_error": float(error[:2].max()),
        "within": bool((error <= np.maximum(0.05 * np.abs(velocity), 0.03)).all()),
        "drift_deg_per_min": max(drift, key=abs),
        "saturation": max(s.torque_saturation for s in summaries),
        "faults": sum(s.faults for s in summaries),
    }
