"""What the gait looks like beside a person's: step length, cadence, joint angles, ground force."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import Trial, make_session

_SPEEDS = (0.6, 1.0, 1.25, 1.5, 1.75, 2.0)  # [m/s]
_SETTLED = 5.0  # [s] until a walk is steady
_GRAVITY = 9.81  # [m/s^2]
# Healthy adults at 1.2 to 1.5 m/s, rounded: what textbooks of gait analysis agree on.
_HUMAN: Mapping[str, Cell] = {
    "vx": "a person, 1.2-1.5",
    "step_m": 0.70,
    "steps_per_min": 112.0,
    "double_support": 0.20,
    "hip_range_deg": 40.0,
    "knee_least_deg": 5.0,
    "knee_most_deg": 60.0,
    "force_peak_weights": 1.1,
    "com_rise_cm": 4.0,
}


def measure_gait(quick: bool) -> Result:
    seconds = 5.0 if quick else 20.0
    speeds = _SPEEDS[1:3] if quick else _SPEEDS
    return {"the gait beside a person's": [_HUMAN, *(_gait(speed, seconds) for speed in speeds)]}


def _gait(speed: float, seconds: float) -> Mapping[str, Cell]:
    session = make_session(Trial(velocity=(speed, 0.0, 0.0)))
    session.run(_SETTLED)
    robot, model = session.simulator.robot, session.simulator.model
    feet = [limb.spec.name for limb in robot.feet()]
    hip, knee = (int(model.joint(name).qposadr[0]) for name in ("left_hip_flexion", "left_knee"))
    rows: list[tuple[float, ...]] = []
    start, steps = session.state.body.com_W, session.stack.steps
    while session.time < _SETTLED + seconds and not session.over:
        session.tick()
        state = session.state
        loads = [float(state.limbs[foot].force_W[2]) for foot in feet]
        rows.append((state.qpos[hip], state.qpos[knee], float(state.body.com_W[2]), *loads))
    hips, knees, heights, left, right = np.array(rows).T
    taken, weight = session.stack.steps - steps, robot.mass * _GRAVITY
    knees = np.degrees(np.abs(knees))
    # Percentiles instead of extremes: one tick of a landing is not the gait.
    return {
        "vx": speed,
        "step_m": float(np.linalg.norm((session.state.body.com_W - start)[:2])) / max(taken, 1),
        "steps_per_min": 60.0 * taken / seconds,
        "double_support": float(((left > 1.0) & (right > 1.0)).mean()),
        "hip_range_deg": float(np.degrees(np.ptp(np.percentile(hips, (1, 99))))),
        "knee_least_deg": float(np.percentile(knees, 1)),
        "knee_most_deg": float(np.percentile(knees, 99)),
        "force_peak_weights": float(np.percentile(left, 99) / weight),
        "com_rise_cm": 100.0 * float(np.ptp(np.percentile(heights, (1, 99)))),
    }
