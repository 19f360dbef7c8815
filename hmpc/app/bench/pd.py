"""Lowest control rate at which implicit and explicit posture control are stable with the same gains (Sec. 4, Eq. 7)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Literal

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.app.session import Session
from hmpc.types import Command, Posture

RATES = (100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 4000)  # [Hz]
_SETTLE = 1.0  # [s] before the accelerations count
_CHATTER = 2.0  # times the acceleration of the reference (implicit at the highest rate) ...
_STILL = 2.0  # [rad/s^2] ... or this much, which nobody sees

PdKind = Literal["implicit", "explicit"]
Motion = Callable[[float], Command]


def measure(quick: bool) -> Result:
    seconds = 2.0 if quick else 5.0
    return {"lowest stable control rate": [lowest_rates(name, seconds) for name in MOTIONS]}


def standing(t: float) -> Command:
    """Still, with the arms at rest."""
    return Command()


def moving(t: float) -> Command:
    """Arms from pose to pose, trunk turning and bending, knees bending."""
    arms = ("rest", "forward", "sideways", "bent")[int(t / 0.5) % 4]
    posture = Posture(
        trunk_yaw=math.radians(15.0) * math.sin(4.0 * t), trunk_pitch=math.radians(8.0) * math.sin(3.0 * t), arms=arms
    )
    return Command(body_height=0.93 + 0.05 * math.cos(3.5 * t), posture=posture)


def one_leg(t: float) -> Command:
    """The weight over one foot, the other one lifted."""
    return Command(posture=Posture(lifted_foot="left_foot"))


MOTIONS: Mapping[str, Motion] = {"standing": standing, "moving": moving, "on one leg": one_leg}


def lowest_rates(name: str, seconds: float) -> Mapping[str, Cell]:
    """Both kinds of PD in one motion."""
    reference = joint_acceleration(MOTIONS[name], "implicit", RATES[-1], seconds)
    if reference is None:
        raise RuntimeError(f"The reference of {name!r} fell.")
    limit = max(_CHATTER * reference, _STILL)
    implicit = lowest_stable(MOTIONS[name], "implicit", seconds, limit)
    explicit = lowest_stable(MOTIONS[name], "explicit", seconds, limit)
    return {
        "motion": name,
        "implicit_hz": implicit,
        "explicit_hz": explicit,
        "times_lower": explicit / implicit if implicit and explicit else None,
        "rms_joint_acceleration": reference,
    }


def lowest_stable(motion: Motion, kind: PdKind, seconds: float, limit: float) -> int | None:
    """Lowest rate [Hz] that is stable; bisection, as higher rates are no less stable."""
    low, high = 0, len(RATES)
    while low < high:
        middle = (low + high) // 2
        acceleration = joint_acceleration(motion, kind, RATES[middle], seconds)
        if acceleration is not None and acceleration <= limit:
            high = middle
        else:
            low = middle + 1
    return RATES[low] if low < len(RATES) else None


def joint_acceleration(motion: Motion, kind: PdKind, rate: float, seconds: float) -> float | None:
    """Root mean square over joints and time [rad/s^2]; None after a fall, or with motors at their limits."""
    session = Session("stand", control_rate=rate, pd=kind, fault_folder=Path(gettempdir()))
    dof = session.simulator.robot.dof
    samples: list[float] = []

    def follow(running: Session) -> None:
        running.command = replace(motion(running.time), velocity_H=np.zeros(2))
        if running.time > _SETTLE:
            acceleration = running.simulator.data.qacc[dof]
            samples.append(float(acceleration @ acceleration) / len(dof))

    summary = session.run(_SETTLE + seconds, follow)
    if summary.fell or session.fault is not None or summary.torque_saturation > 0.0 or not samples:
        return None
    return math.sqrt(sum(samples) / len(samples))
