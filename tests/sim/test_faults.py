"""Bad luck while walking: what goes wrong is contained and counted, and the character walks on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hmpc.app.metrics import Summary
from hmpc.app.session import Session
from hmpc.errors import InputError
from hmpc.frb.planner import FrbProblem
from hmpc.frb.walking import walking_problem
from hmpc.frb.worker import PlanWorker
from hmpc.params import Params
from hmpc.planning import RigidBodyPlanner, SearchBetweenTicks
from hmpc.types import FrbPlan, Status

pytestmark = pytest.mark.sim


class SlowSearch(SearchBetweenTicks):
    """Answers after some simulated time."""

    def __init__(self, session: Session, delay: float):
        super().__init__(session.params.frb)
        self._session, self._delay, self._asked = session, delay, 0.0

    def submit(self, problem: FrbProblem, seed: int, budget: int) -> bool:
        self._asked = self._session.time
        return super().submit(problem, seed, budget)

    def poll(self) -> FrbPlan | None:
        return super().poll() if self._session.time >= self._asked + self._delay else None


class BrokenSearch(SearchBetweenTicks):
    """Answers with numbers that are not finite."""

    def poll(self) -> FrbPlan | None:
        answer = super().poll()
        return None if answer is None else replace(answer, com_W=np.full_like(answer.com_W, np.nan))


def walking_session(**options: Any) -> Session:
    session = Session("flat", **options)
    session.command = replace(session.command, velocity_H=np.array([0.8, 0.0]))
    return session


def with_search(session: Session, search: SearchBetweenTicks) -> Session:
    sim = session.simulator
    session.stack._medium_term = RigidBodyPlanner(sim.body_model, session.params, session.seed, search, rails=())
    return session


def assert_walks(summary: Summary, within: float = 0.12) -> None:
    assert summary.success, summary.reason
    assert summary.mean_velocity[0] == pytest.approx(0.8, abs=within)


@pytest.mark.parametrize("delay", [0.05, 0.15])
def test_a_plan_that_comes_within_the_step_is_followed_and_not_late(delay: float) -> None:
    session = walking_session()
    summary = with_search(session, SlowSearch(session, delay)).run(6.0)
    assert_walks(summary)
    assert summary.late_plans == 0


def test_plans_that_are_late_by_half_a_second_are_counted_and_it_walks_on() -> None:
    session = walking_session()
    summary = with_search(session, SlowSearch(session, 0.5)).run(6.0)
    # Nothing is lost between old plans, which are all that it has: it is as fast at first as what is planned with.
    assert_walks(summary, within=0.8 * session.params.executor.pace.forward_gain - 0.8 + 0.05)
    assert summary.late_plans >= summary.steps - 1


def test_without_a_feasible_plan_the_pendulum_is_followed_and_each_is_a_fault() -> None:
    params = Params()
    nothing_is_good_enough = replace(params, frb=replace(params.frb, position_tolerance=0.0))
    session = walking_session(params=nothing_is_good_enough)
    summary = session.run(6.0)
    assert_walks(summary)
    assert summary.faults >= summary.steps
    assert session.stack.plan is not None and session.stack.plan.status is Status.OK


def test_a_plan_that_is_not_finite_is_never_followed() -> None:
    session = walking_session()
    summary = with_search(session, BrokenSearch(session.params.frb)).run(6.0)
    assert_walks(summary)
    assert summary.faults >= summary.steps


@pytest.fixture
def beside() -> Iterator[Session]:
    session = walking_session(clock="realtime")
    yield session
    session.close()


def test_a_worker_that_dies_is_replaced_and_it_walks_on(beside: Session) -> None:
    planner = beside.stack._medium_term
    assert isinstance(planner, RigidBodyPlanner) and isinstance(planner._searcher, PlanWorker)
    ticks = round(1.5 / beside.simulator.control_period)
    for _ in range(ticks):  # not in real time: whether plans are late does not matter here
        beside.tick()
    planner._searcher._process.kill()
    planner._searcher._process.join()
    for _ in range(2 * ticks):
        beside.tick()
    assert planner._searcher.restarts == 1
    assert planner._searcher.alive
    summary = beside.summary()
    assert summary.success and summary.faults == 1


@pytest.mark.parametrize("whose", ["stance", "swing"])
def test_wrong_contact_reports_are_survived(monkeypatch: pytest.MonkeyPatch, whose: str) -> None:
    """For three ticks, at ten moments all over the step, the feet are said to touch when they do not, or not to."""
    session = walking_session()
    contacts = session.simulator.contacts
    truth, limbs = contacts.touches, list(session.simulator.robot.limbs)
    count = 0

    def touches() -> tuple[list[bool], np.ndarray]:
        nonlocal count
        touching, normals = truth()
        if session.time > 2.0 and round(session.time / 0.002) % 161 < 3:
            feet = session.stack.target.support if whose == "stance" else session.stack.target.swing
            for name in set(feet) & {"left_foot", "right_foot"}:
                touching[limbs.index(name)] ^= True
                count += 1
        return touching, normals

    monkeypatch.setattr(contacts, "touches", touches)
    summary = session.run(6.0)
    assert count >= 20
    assert summary.success, summary.reason
    # A stance foot that is said to hang in the air leaves tier 3 without contacts; a swing foot that is said to
    # touch is not believed, because it feels no load.
    assert (summary.faults > 0) == (whose == "stance")


def test_a_step_that_tier_2_cannot_plan_is_walked_by_the_pendulums(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter(range(1000))

    def sometimes_impossible(*args: Any) -> FrbProblem:
        if next(calls) % 3 == 2:
            raise InputError("Phases of one limb must be in the order of time.")
        return walking_problem(*args)

    monkeypatch.setattr("hmpc.planning.walking_problem", sometimes_impossible)
    session = walking_session()
    summary = session.run(6.0)
    assert_walks(summary)
    assert summary.faults == next(calls) // 3
    assert session.fault is None
