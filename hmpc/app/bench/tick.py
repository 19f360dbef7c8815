"""Time that each part of a tick takes, standing and walking, and what the solver of the contact forces changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import mujoco
import numpy as np

import hmpc.stack
from hmpc.app.bench.qp import solver_timings
from hmpc.app.bench.stopwatch import Part, Stopwatch
from hmpc.app.bench.table import Cell, Result
from hmpc.app.session import Session

_SPEEDS = {"standing": 0.0, "walking": 0.6}  # [m/s]
_SOLVERS = ("newton", "daqp", "osqp")
_WARM_UP = 2.0  # [s] until the character walks
_CONTACTS = (8, 16, 24)


def measure(quick: bool) -> Result:
    seconds = 2.0 if quick else 10.0
    result: dict[str, Sequence[Mapping[str, Cell]]] = {}
    for motion, speed in _SPEEDS.items():
        result[f"one tick, {motion}"] = part_timings(speed, seconds)
    result["the whole tick with each solver, standing"] = [tick_timing(solver, seconds) for solver in _SOLVERS]
    result["the solver alone"] = solver_timings(_CONTACTS, _SOLVERS, repeats=100 if quick else 1000, seed=0)
    return result


def part_timings(speed: float, seconds: float) -> Sequence[Mapping[str, Cell]]:
    """A row for each part, in the order of the data; each without the parts inside it."""
    session = moving_session(speed)
    watch = Stopwatch()
    with watch.watching(parts_of(session)):
        summary = session.run(seconds)
    if not summary.success:
        raise RuntimeError(f"The bench needs a character that does not fall: {summary.reason}")
    ticks = len(watch.seconds["observe"])
    total = sum(sum(samples) for samples in watch.seconds.values())
    rows: list[Mapping[str, Cell]] = [
        {
            "part": label,
            "median_us": 1e6 * float(np.median(samples)) if samples else None,
            "p99_us": 1e6 * float(np.quantile(samples, 0.99)) if samples else None,
            "mean_us_per_tick": 1e6 * sum(samples) / ticks,
            "share": sum(samples) / total,
        }
        for label, samples in watch.seconds.items()
    ]
    whole: Mapping[str, Cell] = {
        "part": "all",
        "median_us": summary.tick_us["p50"],
        "p99_us": summary.tick_us["p99"],
        "mean_us_per_tick": 1e6 * total / ticks,
        "share": 1.0,
    }
    return [*rows, whole]


def parts_of(session: Session) -> Mapping[str, Part]:
    """Everything that a tick consists of."""
    sim, stack = session.simulator, session.stack
    return {
        "mj_step1 (kinematics, contacts)": (mujoco, "mj_step1"),
        "observe": (sim, "observe"),
        "plan a step": (stack, "_plan_step"),
        "targets": (stack._executor, "update"),
        "inverse kinematics": (stack._whole_body, "joint_motion"),
        "limb inertia, gravity": (stack._whole_body, "feedforward"),
        "wrench": (hmpc.stack, "desired_wrench"),
        "contact points": (hmpc.stack, "contact_points"),
        "contact forces": (stack._short_term, "distribute"),
        "torques": (stack._whole_body, "torques"),
        "rest of the stack": (stack, "step"),
        "mj_step2 (constraints, integration)": (mujoco, "mj_step2"),
        "apply": (sim, "apply"),
    }


def tick_timing(solver: str, seconds: float) -> Mapping[str, Cell]:
    """A whole tick, with its physics, as it is when nobody takes its parts' time."""
    session = moving_session(0.0, solver)
    before = session.cpu_seconds
    summary = session.run(seconds)
    return {
        "solver": solver,
        "median_us": summary.tick_us["p50"],
        "p99_us": summary.tick_us["p99"],
        "times_real_time": seconds / (session.cpu_seconds - before),
    }


def moving_session(speed: float, solver: str = "newton", settle: float = _WARM_UP) -> Session:
    """A character that has walked for a while at `speed` (or stands)."""
    session = Session("flat", qp=solver, plan="lip")
    session.warm_up()
    session.command = replace(session.command, velocity_H=np.array([speed, 0.0]))
    session.run(settle)
    return session
