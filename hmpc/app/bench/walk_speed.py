"""How fast walking is computed: real-time factor, planning times, punctuality and memory."""

from __future__ import annotations

import resource
import time
from collections.abc import Mapping, Sequence

import numpy as np

from hmpc.app.bench.stopwatch import Stopwatch
from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import Trial, make_session

_SPEEDS = (0.6, 1.2)  # [m/s]
_WORKER_START = 8.0  # [s] until the planner beside the simulation has loaded its kernels


def measure_speed(quick: bool) -> Result:
    seconds, minutes = (10.0, 1) if quick else (60.0, 10)
    return {
        "lock-step": [_lock_step(speed, plan, seconds) for plan in ("lip", "frb") for speed in _SPEEDS],
        "real time, the planner beside the simulation": [_real_time(speed, seconds) for speed in _SPEEDS],
        "memory of a walk": _memory(minutes),
    }


def _lock_step(speed: float, plan: str, seconds: float) -> Mapping[str, Cell]:
    """On one core, planning included."""
    session = make_session(Trial(velocity=(speed, 0.0, 0.0), options={"plan": plan}))
    session.warm_up()
    watch, stack = Stopwatch(), session.stack
    with watch.watching({"footsteps": (stack._long_term, "plan"), "plan": (stack._medium_term, "plan")}):
        summary = session.run(seconds)
    first, *replans = watch.seconds["plan"]
    return {
        "plan": plan,
        "vx": speed,
        "fell": summary.fell,
        "times_real_time": summary.real_time_factor,
        "tick_us": summary.tick_us["p50"],
        "footsteps_ms": 1e3 * float(np.median(watch.seconds["footsteps"])),
        "first_plan_ms": 1e3 * first,
        "replan_ms": 1e3 * float(np.median(replans)),
        "replan_p99_ms": 1e3 * float(np.quantile(replans, 0.99)),
    }


def _real_time(speed: float, seconds: float) -> Mapping[str, Cell]:
    session = make_session(Trial(velocity=(speed, 0.0, 0.0), options={"clock": "realtime"}))
    session.warm_up()
    time.sleep(_WORKER_START)
    began = time.perf_counter()
    summary = session.run(seconds)
    took = time.perf_counter() - began
    session.close()
    return {
        "vx": speed,
        "fell": summary.fell,
        "mean_vx": summary.mean_velocity[0],
        "steps": summary.steps,
        "late_plans": summary.late_plans,
        "faults": summary.faults,
        "behind_the_clock_s": took - summary.seconds,
    }


def _memory(minutes: int) -> Sequence[Mapping[str, Cell]]:
    """Peak of the memory in use, minute by minute (first, middle, last)."""
    session = make_session(Trial(velocity=(1.0, 0.0, 0.0)))
    rows: list[Mapping[str, Cell]] = []
    for part in range(4):
        summary = session.run(60.0 * minutes / 4)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
        rows.append({"minute": (part + 1) * minutes / 4, "peak_MB": peak, "fell": summary.fell})
    return rows
