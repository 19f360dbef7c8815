"""Tasks with hands and feet: standing up from chairs, sitting down, climbing platforms, getting up after falls."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import in_parallel, rate_cells
from hmpc.app.session import Session
from hmpc.sim.simulator import Push
from hmpc.tasks.runner import Progress

_LOWEST, _HIGHEST = 0.42, 0.50  # [m] of the seats
_STAND_UP, _SIT_DOWN = 11.0, 5.0  # [s]: 6 s to stand up and 5 s to stand; to sit down and sit
_RISEN = 4.0  # [s] after which a character is told to sit down again
_ON_FEET = 0.75  # body weights at most on the feet of a character that sits: the seat bears the rest
_STROLL, _SPEEDS, _YAW_RATES = 4.0, (0.3, 0.6), (-0.5, 0.5)  # [s], [m/s], [rad/s] of a walk before it sits down
_RETURN = 30.0  # [s] to walk back to the seat and sit down
_UPRIGHT = 0.9  # cosine of the tilt of one that sits upright
_HEIGHTS, _HEIGHT = (
    (0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
    0.5,
)  # [m] of the platforms, and of the one that a quick bench climbs
_WALK_ON, _WALK_SPEED, _WALKED = 4.0, 0.4, 0.3  # [s], [m/s] of a walk afterwards, and how far it leads at least [m]
_PUSH, _TURN, _FALLING = (
    80.0,
    45.0,
    3.0,
)  # [N s], [deg] between two falls, [s] until it is pushed again
_GET_UP = 45.0  # [s] to get up after a fall


class Trial(NamedTuple):
    """One chair: `hmpc run chair` with these parameters does the same."""

    seed: int
    holds: str
    height: float  # [m]


class Climb(NamedTuple):
    """One platform, reached from a walk: `hmpc run platform` with these parameters does the same."""

    seed: int
    height: float  # [m]
    plain: bool = False  # as the environment is by itself: straight ahead, with a friction of 0.8

    def parameters(self) -> dict[str, float]:
        """Of the environment: friction 0.6 to 0.9, start +-5 cm and +-5 degrees."""
        if self.plain:
            return {"height": self.height}
        rng = np.random.default_rng(self.seed)
        friction, (along, aside), turn = rng.uniform(0.6, 0.9), rng.uniform(-0.05, 0.05, size=2), rng.uniform(-5.0, 5.0)
        return {"height": self.height, "friction": friction, "distance": 1.0 + along, "offset": aside, "turn": turn}


class Lying(NamedTuple):
    """One way to lie on the ground: `hmpc run ground` with these parameters does the same."""

    seed: int
    pose: str

    def parameters(self) -> dict[str, float | str]:
        """Of the environment: friction 0.6 to 0.9, every joint up to 0.05 rad off its pose."""
        friction = np.random.default_rng(self.seed).uniform(0.6, 0.9)
        return {"pose": self.pose, "friction": friction, "pose_seed": self.seed}


class Tumble(NamedTuple):
    """One fall: pushes from one direction, from standing or walking."""

    seed: int
    speed: float  # [m/s]


class Report(NamedTuple):
    """What came of it."""

    success: bool
    seconds: float | None  # until upright, or seated
    has_holds: bool
    hand_force_mean: float  # [N] while a hand touches
    hand_force_max: float  # [N]
    plans: int
    planning_seconds: float
    real_time_factor: float
    faults: int
    unplanned: Mapping[str, int]  # contacts, by limb or segment


def measure(quick: bool) -> Result:
    tables: dict[str, Sequence[Mapping[str, Cell]]] = {}
    for part in PARTS.values():
        tables.update(part(quick))
    return tables


def trials(count: int, holds: str) -> list[Trial]:
    """Chairs of different heights, each with another layout of holds."""
    heights = np.random.default_rng(0).uniform(_LOWEST, _HIGHEST, size=count)
    return [Trial(seed, holds, float(height)) for seed, height in enumerate(heights)]


def make_session(trial: Trial) -> Session:
    """The character on its chair."""
    parameters = {"layout_seed": trial.seed, "holds": trial.holds, "height": trial.height}
    return Session("chair", parameters=parameters, seed=trial.seed)


def report(session: Session, success: bool, seconds: float | None) -> Report:
    """The figures of a session that is over."""
    summary = session.summary()
    return Report(
        success=success,
        seconds=seconds,
        has_holds=bool(session.environment.handholds()),
        hand_force_mean=summary.hand_force_mean,
        hand_force_max=summary.hand_force_max,
        plans=session.stack.task.plans if session.stack.task else 0,
        planning_seconds=summary.planning_seconds,
        real_time_factor=summary.real_time_factor,
        faults=summary.faults,
        unplanned=summary.unplanned_by,
    )


def stand_up(trial: Trial) -> Report:
    """From sitting to standing, and then to keep standing."""
    session = make_session(trial)
    summary = session.run(_STAND_UP)
    return report(session, summary.success, session.metrics.upright_since)


def sits(session: Session) -> bool:
    """Whether the character sits upright, with weight on the seat."""
    limbs, weight = session.state.limbs, session.simulator.robot.mass * session.params.frb.gravity
    on_feet = sum(float(limbs[foot.spec.name].force_W[2]) for foot in session.simulator.robot.feet())
    upright = session.state.body.R_WB[2, 2] > _UPRIGHT
    return session.fall is None and limbs["seat"].touching and bool(upright) and on_feet < _ON_FEET * weight


def sit_down(trial: Trial) -> Report:
    """Up first, then down again."""
    session = make_session(trial)
    session.run(_RISEN)
    if session.fall is None:
        session.task("sit_down")
        session.run(_SIT_DOWN)
    return report(session, sits(session), None)


def return_to_seat(trial: Trial) -> Report:
    """Up, a walk somewhere, and then told to sit down while it still walks."""
    session, rng = make_session(trial), np.random.default_rng(trial.seed)
    session.run(_RISEN)
    stand, velocity_H = session.command, np.array([rng.uniform(*_SPEEDS), 0.0])
    session.command = replace(stand, velocity_H=velocity_H, yaw_rate=float(rng.uniform(*_YAW_RATES)))
    session.run(_STROLL)
    session.command = stand
    if session.fall is None:
        session.task("sit_down")
        session.run(_RETURN)
    return report(session, sits(session), None)


def climb(trial: Climb) -> Report:
    """Walk to the platform, climb it, and walk on."""
    return _upright_and_on(Session("platform", parameters=trial.parameters(), seed=trial.seed))


def get_up(trial: Lying) -> Report:
    """From lying to standing, and walk on."""
    return _upright_and_on(Session("ground", parameters=trial.parameters(), seed=trial.seed))


def get_up_after_a_fall(trial: Tumble) -> Report:
    """Pushed over; asked once to get up, and walk on."""
    session = Session("flat", seed=trial.seed)
    session.command = replace(session.command, velocity_H=np.array([trial.speed, 0.0]))
    session.run(_FALLING)
    while (fall := session.fall) is None:
        session.push(Push(session.time, _PUSH, math.radians(_TURN * trial.seed)))
        session.run(_FALLING)
    session.command = replace(session.command, velocity_H=np.zeros(2))
    session.task("get_up")
    session.run(_GET_UP)
    task, since = session.stack.task, session.metrics.upright_since
    risen = task is not None and task.progress is Progress.DONE and since is not None
    walked = _walk_on(session) if risen else 0.0
    took = since - fall.t if since is not None else None
    return report(session, risen and len(session.falls.all) == 1 and walked > _WALKED, took)


def _upright_and_on(session: Session) -> Report:
    """The task of the environment to its end, and then a few steps."""
    summary = session.run(session.simulator.start.seconds)
    since = session.metrics.upright_since
    walked = _walk_on(session) if summary.success else 0.0
    return report(session, summary.success and session.fall is None and walked > _WALKED, since)


def _walk_on(session: Session) -> float:
    """[m] that a few steps lead."""
    start_W = session.state.body.com_W
    session.command = replace(session.command, velocity_H=np.array([_WALK_SPEED, 0.0]))
    session.run(_WALK_ON)
    return float(np.linalg.norm(session.state.body.com_W - start_W))


def row(name: str, reports: Sequence[Report]) -> Mapping[str, Cell]:
    """One line of the table."""
    seconds = [r.seconds for r in reports if r.seconds is not None and r.success]
    held = [r for r in reports if r.hand_force_max > 0.0]
    unplanned = sum((Counter(r.unplanned) for r in reports), Counter())
    return {
        "task": name,
        **rate_cells(sum(r.success for r in reports), len(reports)),
        "seconds": float(np.mean(seconds)) if seconds else None,
        "with_holds": sum(r.has_holds for r in reports),
        "hands_used": len(held),
        "hand_mean_N": float(np.mean([r.hand_force_mean for r in held])) if held else None,
        "hand_max_N": max((r.hand_force_max for r in held), default=None),
        "plans": float(np.mean([r.plans for r in reports])),
        "planning_s": float(np.mean([r.planning_seconds for r in reports])),
        "real_time": float(np.median([r.real_time_factor for r in reports])),
        "faults": sum(r.faults for r in reports),
        "unplanned": unplanned.total(),
        "mostly": ", ".join(f"{name} {count}" for name, count in unplanned.most_common(3)) or None,
    }


def _part(name: str, work: Callable[[Trial], Report], holds: str, count: int, few: int) -> Callable[[bool], Result]:
    def run(quick: bool) -> Result:
        reports = in_parallel(work, trials(few if quick else count, holds))
        return {name: [row(name, reports)]}

    return run


def _climb(quick: bool) -> Result:
    heights, count = ((_HEIGHT,), 2) if quick else (_HEIGHTS, 10)
    lots = {f"climb {height:g} m": [Climb(seed, height) for seed in range(count)] for height in heights}
    lots[f"climb {_HEIGHT:g} m, plain start"] = [Climb(seed, _HEIGHT, plain=True) for seed in range(1 if quick else 6)]
    return {"climb": [row(name, in_parallel(climb, climbs)) for name, climbs in lots.items()]}


def _get_up(quick: bool) -> Result:
    count = 1 if quick else 10
    return {
        "get_up": [
            row(f"get up from the {pose}", in_parallel(get_up, [Lying(seed, pose) for seed in range(count)]))
            for pose in ("front", "back")
        ]
    }


def _after_a_fall(quick: bool) -> Result:
    count = 1 if quick else 8
    return {
        "after_a_fall": [
            row(name, in_parallel(get_up_after_a_fall, [Tumble(seed, speed) for seed in range(count)]))
            for name, speed in (("get up, pushed over while standing", 0.0), ("... while walking at 0.8 m/s", 0.8))
        ]
    }


PARTS: Mapping[str, Callable[[bool], Result]] = {
    "stand_up": _part("stand up, random holds", stand_up, "used", 50, 4),
    "no_holds": _part("stand up, holds forbidden", stand_up, "forbidden", 20, 2),
    "sit_down": _part("sit down", sit_down, "used", 10, 2),
    "return_to_seat": _part("sit down after a walk", return_to_seat, "used", 10, 2),
    "climb": _climb,
    "get_up": _get_up,
    "after_a_fall": _after_a_fall,
}
