"""Walking as a physical simulation: steady, in transition, by random commands, pushed, with a wrong model; gait, speed.

`--part` runs one of the parts alone. Every seed starts from another state and searches with other random numbers.
A velocity counts as `within` if all seeds come within 5 % or 0.03 m/s (rad/s) of the command.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import Trial, Velocity, in_parallel, make_session, rate_cells, steady_cells, walk
from hmpc.app.bench.walk_gait import measure_gait
from hmpc.app.bench.walk_speed import measure_speed
from hmpc.app.commands.limits import clip_command
from hmpc.app.session import Session
from hmpc.registry import find_robot
from hmpc.sim.simulator import Push
from hmpc.types import Command

_FORWARD = (-1.0, -0.5, 0.0, 0.3, 0.6, 1.0, 1.25, 1.5, 1.75, 2.0)  # [m/s], as far as the robot's limits allow
_MIXTURES = ((0.0, 0.3, 0.0), (0.0, -0.3, 0.0), (0.0, 0.0, 0.8), (0.0, 0.0, -0.8), (0.8, 0.2, 0.4), (-0.5, -0.2, 0.5))
_ROBUST_SPEED = 0.8  # [m/s]
_PUSHED_SPEED = 1.0  # [m/s]
_SETTLED = 5.0  # [s] until a walk is steady
_RECOVERY = 6.0  # [s] after a push, in which it must not fall
_AVERAGE = 0.5  # [s] over which the speed in transitions is averaged: about a step
_REACHED = 0.1  # of the change of speed that may be missing


def measure(quick: bool) -> Result:
    return {title: rows for part in PARTS.values() for title, rows in part(quick).items()}


def steady(quick: bool) -> Result:
    """Constant commands."""
    low, high = find_robot("humanoid").limits.forward
    velocities: list[Velocity] = [(vx, 0.0, 0.0) for vx in _FORWARD if low <= vx <= high]
    velocities += [] if quick else _MIXTURES
    if quick:
        velocities = [(-0.5, 0.0, 0.0), (0.6, 0.0, 0.0), (1.0, 0.0, 0.0), (1.5, 0.0, 0.0), *_MIXTURES[::2]]
    seeds, seconds = (2, 15.0) if quick else (5, 60.0)
    trials = [Trial(velocity=v, seed=seed, seconds=seconds) for v in velocities for seed in range(seeds)]
    summaries = in_parallel(walk, trials)
    rows = [steady_cells(v, summaries[seeds * k : seeds * (k + 1)]) for k, v in enumerate(velocities)]
    return {f"steady walking, {seconds:g} s": rows}


class Transition(NamedTuple):
    """A change of forward speed [m/s]."""

    before: float
    after: float
    seed: int


def transitions(quick: bool) -> Result:
    """From one speed to another."""
    fast = ((0.0, 1.5), (1.5, 0.0), (-1.0, 1.5), (0.0, 2.0), (2.0, 0.0))
    changes = (*fast, (1.0, 0.0), (0.0, 0.6), (0.6, 0.0), (0.0, -1.0))
    seeds = 1 if quick else 5
    jobs = [Transition(before, after, seed) for before, after in changes for seed in range(seeds)]
    return {"transitions": in_parallel(_change_speed, jobs)}


def _change_speed(job: Transition) -> Mapping[str, Cell]:
    session = make_session(Trial(velocity=(job.before, 0.0, 0.0), seed=job.seed))
    session.run(_SETTLED)
    session.command = replace(session.command, velocity_H=np.array([job.after, 0.0]))
    start, touch_downs, last = session.time, 0, session.stack.steps
    speeds: list[float] = []
    reached = stood = None
    window = round(_AVERAGE / session.simulator.control_period)
    while session.time < start + 8.0 and not session.over:
        session.tick()
        body = session.state.body
        speeds.append(float(body.R_WB[:2, 0] @ body.vel_W[:2]))
        touch_downs += session.stack.steps != last  # also the one with which it stands, and counts anew
        last = session.stack.steps
        missing = abs(np.mean(speeds[-window:]) - job.after)
        if reached is None and len(speeds) > window and missing < _REACHED * abs(job.after - job.before):
            reached = session.time - start
        if job.after == 0.0 and stood is None and session.stack.steps == 0:
            stood = session.time - start
    return {
        "from": job.before,
        "to": job.after,
        "seed": job.seed,
        "fell": session.fall is not None,
        "reached_after_s": reached,
        "stood_after_s": stood,
        "steps_to_stand": touch_downs if job.after == 0.0 else None,
    }


def tapes(quick: bool) -> Result:
    """Random commands, a new one every 2 to 5 s over the whole range."""
    count, seconds = (4, 30.0) if quick else (20, 120.0)
    trials = [Trial(commands=random_commands(seed, seconds), seed=seed, seconds=seconds) for seed in range(count)]
    summaries = in_parallel(walk, trials)
    rows: list[Mapping[str, Cell]] = [
        {"tape": s.seed, "fell_at": s.fell_at, "distance": s.distance, "faults": s.faults} for s in summaries
    ]
    survived = sum(not s.fell for s in summaries)
    return {f"random commands for {seconds:g} s": [rate_cells(survived, count)], "each tape": rows}


def random_commands(seed: int, seconds: float) -> tuple[tuple[float, Velocity], ...]:
    """Times [s] and velocities of a random tape, within what the robot can be asked for."""
    rng, robot = np.random.default_rng(seed), find_robot("humanoid")
    limits = robot.limits
    commands: list[tuple[float, Velocity]] = []
    t = 0.0
    while t < seconds:
        velocity_H = np.array([rng.uniform(*limits.forward), rng.uniform(-limits.sideways, limits.sideways)])
        yaw_rate = float(rng.uniform(-limits.yaw_rate, limits.yaw_rate))
        command, _ = clip_command(Command(velocity_H=velocity_H, yaw_rate=yaw_rate), robot)
        commands.append((t, (*command.velocity_H.tolist(), command.yaw_rate)))
        t += float(rng.uniform(2.0, 5.0))
    return tuple(commands)


class PushJob(NamedTuple):
    """Pushes from all sides at one moment of the stride."""

    impulse: float  # [N s]
    phase: float  # of the stride that begins as the left foot lands
    directions: tuple[float, ...]  # [rad]


def pushes(quick: bool) -> Result:
    """Pushes of 0.1 s at the torso while walking."""
    sides = 4 if quick else 8
    directions = tuple(2.0 * math.pi * k / sides for k in range(sides))
    impulses, phases = ((20.0, 40.0), (0.0, 0.5)) if quick else ((20.0, 40.0, 60.0), (0.0, 0.25, 0.5, 0.75))
    jobs = [PushJob(impulse, phase, directions) for impulse, phase in product(impulses, phases)]
    survived = in_parallel(_push, jobs)
    by_impulse: list[Mapping[str, Cell]] = []
    by_side: list[Mapping[str, Cell]] = []
    for impulse in impulses:
        outcomes = np.array([outcome for job, outcome in zip(jobs, survived, strict=True) if job.impulse == impulse])
        by_impulse.append({"impulse_Ns": impulse, **rate_cells(int(outcomes.sum()), outcomes.size)})
        by_side += [
            {"impulse_Ns": impulse, "direction_deg": math.degrees(direction), "survived": f"{int(n)}/{len(phases)}"}
            for direction, n in zip(directions, outcomes.sum(axis=0), strict=True)
        ]
    return {f"pushes while walking at {_PUSHED_SPEED:g} m/s": by_impulse, "by direction (90: to the left)": by_side}


def _push(job: PushJob) -> list[bool]:
    """Whether it survives, for each direction."""
    session = make_session(Trial(velocity=(_PUSHED_SPEED, 0.0, 0.0)))
    landings = [_next_left_landing(session, _SETTLED)]
    landings.append(_next_left_landing(session, landings[0] + 0.1))
    start = session.time + job.phase * (landings[1] - landings[0])
    before = session.save()
    survived = []
    for direction in job.directions:
        session.restore(before)
        session.push(Push(start, job.impulse, direction))
        session.run(_RECOVERY)
        survived.append(session.fall is None)
    return survived


def _next_left_landing(session: Session, earliest: float) -> float:
    """Walk on until the left foot lands; when it does [s]."""
    left, steps = session.simulator.robot.feet()[0].spec.name, session.stack.steps
    while not session.over:
        session.tick()
        landed, steps = session.stack.steps != steps, session.stack.steps
        if landed and left not in session.stack.target.swing and session.time > earliest:
            return session.time
    raise RuntimeError("The bench needs a character that walks until it is pushed.")


def robustness(quick: bool) -> Result:
    """Bodies and grounds that differ from what the controller knows."""
    seeds, seconds = (2, 12.0) if quick else (5, 18.0)
    velocity = (_ROBUST_SPEED, 0.0, 0.0)
    kinds = {
        "as known": Trial(),
        "mass -10 %": Trial(mass_scale=0.9),
        "mass +10 %": Trial(mass_scale=1.1),
        "friction 0.5": Trial(parameters={"friction": 0.5}),
        "bumps of 2 cm": Trial(env="rough", parameters={"bump": 0.02, "tilt": 0.0}),
    }
    trials = [
        replace(
            trial,
            velocity=velocity,
            seconds=seconds,
            seed=seed,
            parameters={**trial.parameters, "seed": seed} if trial.env == "rough" else trial.parameters,
        )
        for trial in kinds.values()
        for seed in range(seeds)
    ]
    summaries = in_parallel(walk, trials)
    rows = [
        {"what": kind, **steady_cells(velocity, summaries[seeds * k : seeds * (k + 1)])} for k, kind in enumerate(kinds)
    ]
    return {f"model errors, {seconds:g} s": rows}


def rates(quick: bool) -> Result:
    """How slow the controller may run."""
    seconds = 8.0 if quick else 20.0
    implicit = (500.0, 250.0, 200.0, 100.0) if quick else (500.0, 333.0, 250.0, 200.0, 166.0, 125.0, 100.0, 80.0, 50.0)
    explicit = (2000.0, 1000.0, 500.0) if quick else (2000.0, 1500.0, 1000.0, 750.0, 500.0, 333.0, 250.0, 200.0)
    velocity = (1.0, 0.0, 0.0)
    trials = [
        Trial(velocity=velocity, seconds=seconds, options={"pd": pd, "control_rate": rate})
        for pd, tried in (("implicit", implicit), ("explicit", explicit))
        for rate in tried
    ]
    rows: list[Mapping[str, Cell]] = [
        {
            "pd": trial.options["pd"],
            "rate_Hz": trial.options["control_rate"],
            "fell_at": summary.fell_at,
            "mean_vx": summary.mean_velocity[0],
            "saturation": summary.torque_saturation,
        }
        for trial, summary in zip(trials, in_parallel(walk, trials), strict=True)
    ]
    return {f"control rates, walking at 1 m/s for {seconds:g} s": rows}


PARTS = {
    "steady": steady,
    "transitions": transitions,
    "tapes": tapes,
    "pushes": pushes,
    "robustness": robustness,
    "rates": rates,
    "gait": measure_gait,
    "speed": measure_speed,
}
