"""Walking, as a physical simulation: by command, started and stopped, pushed, at the edge of the ground."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from hmpc.app.metrics import Summary
from hmpc.app.session import Session
from hmpc.sim.environment import BaseEnvironment, Environment
from hmpc.sim.scenery import Block, region
from hmpc.sim.simulator import Push

pytestmark = pytest.mark.sim


@dataclass(frozen=True, eq=False, kw_only=True)
class Pier(BaseEnvironment):
    """Level ground that ends 3 m ahead."""

    name = "pier"
    description = "ground that ends"

    def blocks(self) -> tuple[Block, ...]:
        return (Block(top=region((1.0, 0.0, 0.0), (2.0, 2.0), self.friction)),)


def command(session: Session, vx: float = 0.0, vy: float = 0.0, yaw_rate: float = 0.0) -> None:
    session.command = replace(session.command, velocity_H=np.array([vx, vy]), yaw_rate=yaw_rate)


def walk(
    seconds: float,
    *velocity: float,
    environment: str | Environment = "flat",
    push: Push | None = None,
    **options: Any,
) -> tuple[Session, Summary]:
    session = Session(environment, **options)
    command(session, *velocity)
    if push:
        session.push(push)
    return session, session.run(seconds)


@pytest.mark.parametrize(("vx", "least", "most"), [(0.6, 0.1, 0.3), (-0.5, -0.3, -0.1), (0.0, -0.05, 0.05)])
def test_the_first_step_leads_the_way_of_the_command(vx: float, least: float, most: float) -> None:
    """As soon as the weight is over one foot; a body that does not lean ahead meanwhile has to step back first."""
    session = Session("flat")
    command(session, vx, yaw_rate=0.0 if vx else 0.3)
    while session.stack.steps < 1:
        session.tick()
    stepped_W = session.state.limbs["right_foot" if vx else "left_foot"].p_W
    assert session.time < 1.3
    assert least < stepped_W[0] < most


def test_a_command_that_is_taken_back_before_the_first_step_leaves_the_weight_between_the_feet() -> None:
    session = Session("flat")
    command(session, 0.6)
    session.run(0.2)
    command(session)
    session.run(2.0)
    assert session.stack.steps == 0
    assert np.abs(session.state.body.com_W[:2]).max() < 0.02


def assert_at(summary: Summary, *velocity: float) -> None:
    """Within 10 % of the command, or 0.06 m/s (rad/s)."""
    assert summary.success, summary.reason
    for got, wanted in zip(summary.mean_velocity, velocity, strict=True):
        assert got == pytest.approx(wanted, rel=0.1, abs=0.06)


@pytest.mark.parametrize(
    "velocity",
    [(0.6, 0.0, 0.0), (1.2, 0.0, 0.0), (-0.5, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, 0.0, 0.6)],
    ids=["forward", "briskly", "backwards", "sideways", "turning"],
)
def test_it_walks_as_commanded(velocity: tuple[float, float, float]) -> None:
    _, summary = walk(8.0, *velocity)
    assert_at(summary, *velocity)
    assert summary.steps >= 10
    assert summary.foot_slip < 0.03
    assert summary.late_plans == 0


@pytest.mark.parametrize(
    ("told", "speed"),
    [((1.75,), 1.75), ((9.0,), 2.0), ((1.5, 0.0, -0.8), 1.5), ((1.5, -0.27, 0.3), 1.5)],
    ids=["quickly", "as fast as it may", "in a turn", "aside in a turn"],
)
def test_a_quick_walk_is_as_fast_as_told_and_never_runs(told: tuple[float, ...], speed: float) -> None:
    """Legs that are stretched all the way leave the ground behind too early: a run that nobody has planned."""
    session, _ = walk(6.0, *told)
    forward, off_the_ground = [], 0
    while session.time < 12.0 and not session.over:
        session.tick()
        body = session.state.body
        forward.append(float(body.R_WB[:2, 0] @ body.vel_W[:2]))
        off_the_ground += not any(limb.touching for limb in session.state.limbs.values())
    assert session.fall is None
    assert np.mean(forward) == pytest.approx(speed, rel=0.06)
    assert off_the_ground * session.simulator.control_period < 0.002 * 6.0


def test_the_ground_gives_what_tier_3_asks_for_and_the_knee_of_the_standing_leg_is_not_bent_far() -> None:
    """In single support; torques that do not know the motion they lead to give 100 N less while a leg stretches."""
    session, _ = walk(5.0, 1.0)
    asked, given, knees = [], [], []
    while session.time < 7.0:
        session.tick()
        state, forces = session.state, session.stack.forces
        if len(limbs := set(forces.contacts.limb)) == 1:
            asked.append(forces.force_W[:, 2].sum())
            given.append(sum(limb.force_W[2] for limb in state.limbs.values()))
            knees.append(math.degrees(state.qpos[session.simulator.model.joint(limbs.pop()[:-4] + "knee").qposadr[0]]))
    assert len(asked) > 500
    assert np.abs(np.subtract(given, asked)).mean() < 40.0
    assert np.mean(knees) < 32.0


def test_the_pendulums_alone_walk_too() -> None:
    """They lose less than tier 2's plans to what they do not know; the velocity to plan with is learned meanwhile."""
    _, summary = walk(10.0, 0.6, plan="lip")
    assert_at(summary, 0.6, 0.0, 0.0)


@pytest.mark.parametrize("speed", [-0.5, 0.5, 1.0, 1.5])
def test_it_stops_within_two_steps_after_the_one_under_way_and_stands_still(speed: float) -> None:
    session, _ = walk(6.0, speed)
    command(session)
    landings, steps = 0, session.stack.steps
    while session.stack.doing == "walking" and not session.over:
        session.tick()
        landings, steps = landings + (session.stack.steps != steps), session.stack.steps
    assert landings <= 1 + 2
    session.run(1.5)
    steps = session.summary().steps
    where = session.state.body.com_W
    summary = session.run(2.0)
    assert summary.success
    assert summary.steps == steps
    assert np.linalg.norm(session.state.body.com_W - where) < 0.03
    assert all(limb.touching for name, limb in session.state.limbs.items() if name.endswith("foot"))


def test_a_new_command_is_taken_while_it_walks() -> None:
    session, _ = walk(4.0, 0.8)
    command(session, -0.4)
    summary = session.run(5.0)
    assert summary.success
    body = session.state.body
    assert body.R_WB[:2, 0] @ body.vel_W[:2] < -0.2


@pytest.mark.parametrize("direction", [0.0, 0.5 * math.pi, math.pi, -0.5 * math.pi])
def test_it_walks_on_after_a_push(direction: float) -> None:
    _, summary = walk(7.0, 0.8, push=Push(4.0, 15.0, direction))
    assert summary.success, summary.reason


@pytest.mark.parametrize("plan", ["lip", "frb"])
def test_it_stops_where_the_ground_ends(plan: str) -> None:
    session, summary = walk(8.0, 0.8, environment=Pier(), plan=plan)
    assert summary.success, summary.reason
    assert 1.5 < session.state.body.com_W[0] < 3.0
    assert all(limb.p_W[0] < 3.0 for name, limb in session.state.limbs.items() if name.endswith("foot"))
    assert summary.faults == 0  # that nothing ahead can be reached is an answer


def test_lock_step_walks_are_the_same_to_the_last_bit() -> None:
    first, again, other = (walk(3.0, 0.8, seed=seed)[1] for seed in (0, 0, 1))
    assert first.steps >= 3
    assert first.state_hash == again.state_hash != other.state_hash


def test_implicit_pd_walks_at_200_hertz() -> None:
    _, summary = walk(5.0, 0.8, control_rate=200.0)
    assert summary.success, summary.reason
