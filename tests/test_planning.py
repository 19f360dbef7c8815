"""Between touch-down and the answer of tier 2: what is followed, what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from hmpc.executor.schedule import step_schedule
from hmpc.footsteps.planner import FootstepPlanner
from hmpc.footsteps.rehearsal import rehearse
from hmpc.frb.planner import FrbProblem, PlanSearch, plan
from hmpc.frb.walking import StandingFoot, walking_problem
from hmpc.params import FootstepParams, FrbParams
from hmpc.planning import SearchBetweenTicks, is_usable, long_term_planner, second_half
from hmpc.types import BodyModel, Command, ContactRegion, FootstepPlan, FrbPlan, LimbModel, Status

PARAMS = FrbParams()


@pytest.fixture(scope="module")
def body() -> BodyModel:
    def leg(name: str, y: float) -> LimbModel:
        half_extent, root_B = np.array([0.12, 0.045]), np.array([0.0, y, -0.05])
        return LimbModel(name=name, half_extent=half_extent, root_B=root_B, reach=0.95, is_foot=True)

    inertia = np.diag([11.0, 10.0, 1.5])
    legs = (leg("left_foot", 0.09), leg("right_foot", -0.09))
    return BodyModel(mass=70.0, inertia_B=inertia, com_height=0.95, step_width=0.18, limbs=legs)


@pytest.fixture(scope="module")
def footsteps(body: BodyModel) -> FootstepPlan:
    """In the middle of walking at 0.8 m/s; a foot has just landed."""
    ground = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.full(2, 100.0))
    planner = FootstepPlanner(body, [ground], FootstepParams())
    return next(islice(rehearse(planner, Command(velocity_H=np.array([0.8, 0.0]))), 2, None)).best


@pytest.fixture(scope="module")
def problem(footsteps: FootstepPlan, body: BodyModel) -> FrbProblem:
    places = (footsteps.foot_W[0], footsteps.cop_start_W)
    feet = [
        StandingFoot(limb=limb, center_W=place, yaw=0.0, region=footsteps.region[0])
        for limb, place in zip(footsteps.limb[:2], places, strict=True)
    ]
    return walking_problem(footsteps, feet, Command(velocity_H=np.array([0.8, 0.0])), body, PARAMS)


@pytest.fixture(scope="module")
def found(problem: FrbProblem) -> FrbPlan:
    return plan(problem, PARAMS, seed=0, iterations=30)


def test_the_second_half_starts_where_and_when_the_foot_landed(footsteps: FootstepPlan, found: FrbPlan) -> None:
    swing_limb, stance = footsteps.limb[:2]  # the foot that stood in the first half swings in the second
    planned = step_schedule(found, footsteps, stance)
    t, offset = planned.touch_down + 0.03, np.array([0.02, -0.01, 0.0])
    rest = second_half(found, footsteps, stance, swing_limb, planned.foothold_W + offset, t)
    np.testing.assert_allclose(rest.t, found.t + 0.03)
    np.testing.assert_allclose(rest.com_W, found.com_W + offset)
    np.testing.assert_array_equal(rest.vel_W, found.vel_W)
    schedule = step_schedule(rest, footsteps, swing_limb)
    assert t < schedule.lift_off < schedule.touch_down
    np.testing.assert_allclose(schedule.foothold_W, footsteps.foot_W[2] + offset)


def test_a_landing_as_planned_changes_nothing(footsteps: FootstepPlan, found: FrbPlan) -> None:
    swing_limb, stance = footsteps.limb[:2]
    planned = step_schedule(found, footsteps, stance)
    rest = second_half(found, footsteps, stance, swing_limb, planned.foothold_W, planned.touch_down)
    np.testing.assert_array_equal(rest.t, found.t)
    np.testing.assert_array_equal(rest.com_W, found.com_W)


def test_only_plans_that_are_what_was_asked_for_are_used(footsteps: FootstepPlan, found: FrbPlan) -> None:
    assert is_usable(found, footsteps)
    for garbage in (
        replace(found, status=Status.FALLBACK),
        replace(found, acc_W=np.full_like(found.acc_W, np.inf)),
        replace(found, com_W=found.com_W + 1.0),
        replace(found, vel_W=1e6 * found.vel_W),
        replace(found, R_WB=2.0 * found.R_WB),
        replace(found, phases=found.phases[:1]),
    ):
        assert not is_usable(garbage, footsteps)


def test_a_search_that_raises_is_one_without_an_answer(
    problem: FrbProblem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> FrbPlan:
        raise ZeroDivisionError("an objective")

    monkeypatch.setattr("hmpc.frb.searcher.plan", fail)
    search = SearchBetweenTicks(PARAMS)
    assert not search.submit(problem, seed=3, budget=5)
    assert search.poll() is None and search.faults == 1
    assert "an objective" in caplog.text


def test_in_lock_step_the_answer_is_there_at_once_and_once(problem: FrbProblem) -> None:
    search = SearchBetweenTicks(PARAMS)
    assert search.poll() is None
    assert search.submit(problem, seed=3, budget=5)
    answer = search.poll()
    assert answer is not None
    np.testing.assert_array_equal(answer.com_W, plan(problem, PARAMS, seed=3, iterations=5).com_W)
    assert search.poll() is None


def test_without_line_forces_only_the_free_ones_are_searched(problem: FrbProblem) -> None:
    points = sum(len(phase.f_l) for phase in problem.phases)
    plain = PlanSearch(problem, replace(PARAMS, line_force=False), seed=0)
    assert PlanSearch(problem, PARAMS, seed=0).dimension - plain.dimension == points
    plain.iterate(3)
    for phase, guess in zip(plain.best().phases, problem.phases, strict=True):
        assert phase.f_l == pytest.approx(guess.f_l)


def test_between_two_rails_higher_steps_are_left_to_be_climbed(body: BodyModel) -> None:
    ground = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.full(2, 100.0))
    rail = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.array([2.0, 0.0]), bilateral=True)
    params = FootstepParams()
    walk, between = (long_term_planner(body, [ground], params, rails).params for rails in ([], [rail, rail]))
    assert walk.max_up == params.max_up
    assert between.max_up == params.max_up_between_rails < params.max_up
