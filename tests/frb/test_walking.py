"""Walking plans of a 70 kg, 1.75 m body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from hmpc.errors import InputError
from hmpc.footsteps.lipm import phase_map, propagate
from hmpc.frb.model import Rollouts
from hmpc.frb.planner import FrbProblem, PlanSearch, plan
from hmpc.frb.reference import sample_plan
from hmpc.frb.walking import StandingFoot, walking_problem
from hmpc.params import FrbParams
from hmpc.types import BodyModel, Command, ContactRegion, FootstepPlan, FrbPlan, Posture, Status

Walking = Callable[..., FrbProblem]
Gait = Callable[[float], FootstepPlan]


class Recorder:
    """An objective that costs nothing and keeps the last rollouts."""

    def __call__(self, x: Rollouts) -> np.ndarray:
        self.x = x
        return np.zeros(len(x.com_W))


@pytest.mark.parametrize("speed", [0.0, 0.6, 1.0])
def test_pendulum_phases_move_the_body_as_the_pendulum_does(
    speed: float, pendulum: Walking, gait: Gait, params: FrbParams
) -> None:
    found = plan(pendulum(speed), params, seed=0, iterations=0)
    footsteps = gait(speed)
    first = found.t < footsteps.t_end[0]
    phase = phase_map(footsteps.omega, found.t[first][:, None], footsteps.double_support[0])
    com, vel = propagate(phase, footsteps.com_W[0], footsteps.com_vel_W[0], footsteps.cop_start_W, footsteps.cop_W[0])
    np.testing.assert_allclose(found.com_W[first, :2], com[:, :2], atol=3e-3)
    np.testing.assert_allclose(found.vel_W[first, :2], vel[:, :2], atol=1e-2)
    np.testing.assert_allclose(found.com_W[:, 2], 0.93, atol=1e-9)


@pytest.mark.parametrize("speed", [0.0, 0.6, 1.0, 1.5, -0.6])
def test_walking_plan_is_upright_level_and_physically_valid(speed: float, walking: Walking, params: FrbParams) -> None:
    recorder = Recorder()
    problem = replace(walking(speed), objectives=(recorder,))
    search = PlanSearch(problem, params, seed=0)
    search.iterate(60)
    found = search.best()
    assert found.status is Status.OK
    assert found.cost < 0.1
    assert np.abs(found.com_W[:, 2] - 0.93).max() < 0.03
    assert np.degrees(np.arccos(np.clip(found.R_WB[:, 2, 2], -1.0, 1.0))).max() < 3.0
    final = problem.targets[-1]
    np.testing.assert_allclose(found.com_W[-1], final.com_W, atol=0.03)
    np.testing.assert_allclose(found.vel_W[-1], final.vel_W, atol=0.06)
    force = recorder.x.force_W
    assert np.all(np.hypot(force[..., 0], force[..., 1]) <= 0.8 * force[..., 2] + 1e-6)


def test_walking_problem_has_51_parameters(walking: Walking, params: FrbParams) -> None:
    problem = walking(1.0)
    assert [p.limb for p in problem.phases] == ["right_foot", "left_foot", "right_foot"]
    assert [p.fixed for p in problem.phases] == [True, True, False]
    assert PlanSearch(problem, params, seed=0).dimension == 51


def long_step(x: Rollouts) -> np.ndarray:
    return -100.0 * x.cop_W[:, -1, -1, 0]


def test_plan_stays_within_its_stepping_region(walking: Walking, gait: Gait, params: FrbParams) -> None:
    """Whatever an objective asks for, the sole stays on its stone."""
    problem = replace(walking(0.6), objectives=(long_step,))
    foot = gait(0.6).foot_W[1]
    stone = ContactRegion(p_W=foot, R_WR=np.eye(3), half_extent=[0.17, 0.10])
    confined = replace(problem, phases=(*problem.phases[:2], replace(problem.phases[2], region=stone)))
    room = np.array([0.17, 0.10]) - [0.12, 0.045] - params.edge_margin
    free, on_stone = (
        plan(p, params, seed=0, iterations=40).phases[2].center_W[:2] - foot[:2] for p in (problem, confined)
    )
    assert free[0] > room[0]
    assert np.all(np.abs(on_stone) <= room + 1e-9)


def test_load_share_follows_the_cop_in_the_middle_of_double_support(
    gait: Gait, body: BodyModel, floor: ContactRegion, params: FrbParams
) -> None:
    footsteps = gait(0.6)
    middle = 0.5 * (footsteps.cop_start_W + footsteps.cop_W[0])
    later = replace(footsteps, cop_start_W=middle, double_support=[0.04, *footsteps.double_support[1:]])
    feet = [
        StandingFoot(limb="left_foot", center_W=footsteps.foot_W[0], yaw=0.0, region=floor),
        StandingFoot(limb="right_foot", center_W=footsteps.cop_start_W, yaw=0.0, region=floor),
    ]
    recorder = Recorder()
    problem = walking_problem(later, feet, Command(), body, params)
    PlanSearch(replace(problem, objectives=(recorder,), newton=False), replace(params, time_step=0.001), seed=0)
    trailing, leading = recorder.x.force_W[0, 0, :2, 2]
    assert leading == pytest.approx(trailing, rel=0.05)
    assert leading + trailing == pytest.approx(body.mass * params.gravity)


def _at_next_touch_down(footsteps: FootstepPlan) -> FootstepPlan:
    """The same gait one step later."""
    rest = {name: getattr(footsteps, name)[1:] for name in ("limb", "t_start", "t_end", "region", "double_support")}
    rest |= {name: getattr(footsteps, name)[1:] for name in ("foot_W", "cop_W", "yaw", "com_W", "com_vel_W")}
    return replace(footsteps, **rest, cop_start_W=footsteps.cop_W[0])


MISSED = np.array([0.01, -0.005, 0.0])  # [m] by which a foot lands beside its place


class Later(NamedTuple):
    """The touch-down after the one that a plan was made at."""

    first: FrbPlan
    footsteps: FootstepPlan
    feet: list[StandingFoot]


@pytest.fixture
def later(walking: Walking, gait: Gait, floor: ContactRegion, params: FrbParams) -> Later:
    first = plan(walking(1.5), params, seed=0, iterations=60)
    footsteps = _at_next_touch_down(gait(1.5))
    state, _ = sample_plan(first, footsteps.t_start[0])
    com_W, com_vel_W = np.array(footsteps.com_W), np.array(footsteps.com_vel_W)
    com_W[0], com_vel_W[0] = state.com_W, state.vel_W
    feet = [
        StandingFoot(limb="right_foot", center_W=first.phases[2].center_W + MISSED, yaw=0.0, region=floor),
        StandingFoot(limb="left_foot", center_W=first.phases[1].center_W, yaw=0.0, region=floor),
    ]
    return Later(first, replace(footsteps, com_W=com_W, com_vel_W=com_vel_W), feet)


def test_second_half_of_a_plan_starts_the_next_one(later: Later, body: BodyModel, params: FrbParams) -> None:
    first, footsteps, feet = later
    cold = walking_problem(footsteps, feet, Command(velocity_H=[1.5, 0.0]), body, params)
    warm = walking_problem(footsteps, feet, Command(velocity_H=[1.5, 0.0]), body, params, previous=first)

    trailing, stance, landing = warm.phases
    np.testing.assert_array_equal(trailing.f_l, first.phases[1].f_l)
    np.testing.assert_array_equal(stance.f_l, first.phases[2].f_l)
    np.testing.assert_allclose(stance.cop_W, first.phases[2].cop_W + MISSED)
    np.testing.assert_array_equal(stance.center_W, feet[0].center_W)
    assert stance.fixed
    assert [(p.t_start, p.t_end) for p in warm.phases] == [(p.t_start, p.t_end) for p in cold.phases]
    assert landing.t_start == footsteps.t_start[1]
    warm_cost, cold_cost = (PlanSearch(replace(p, newton=False), params, seed=0).cost for p in (warm, cold))
    assert warm_cost <= cold_cost


def test_a_foot_that_should_have_left_later_lends_nothing_to_its_next_landing(
    later: Later, body: BodyModel, params: FrbParams
) -> None:
    """A plan may want to keep a foot down for longer than the next one gives it."""
    first, footsteps, feet = later
    stays = replace(first.phases[1], t_end=float(footsteps.t_start[1]) + 0.1)
    slow = replace(first, phases=(first.phases[0], stays, first.phases[2]))
    warm = walking_problem(footsteps, feet, Command(velocity_H=[1.5, 0.0]), body, params, previous=slow)
    assert warm.phases[2].limb == "left_foot"
    assert warm.phases[2].t_start == footsteps.t_start[1]


def test_a_search_that_finds_nothing_better_settles(walking: Walking, params: FrbParams) -> None:
    once, again = (PlanSearch(walking(0.6), params, seed=0) for _ in range(2))
    once.iterate(1000)
    again.iterate(1000)
    assert once.settled
    cost = once.cost
    once.iterate(10)
    assert once.cost == cost == again.cost
    left_to_cma = PlanSearch(replace(walking(0.6), newton=False), params, seed=0)
    left_to_cma.iterate(2 * params.patience)
    assert not left_to_cma.settled


@pytest.mark.parametrize("speed", [0.6, 1.5])
def test_newton_steps_do_the_work_of_many_iterations(speed: float, walking: Walking, params: FrbParams) -> None:
    """A body off its course is planned back to it before CMA begins, at the times of the pendulums."""
    problem = walking(speed)
    state = replace(problem.state, vel_W=problem.state.vel_W + np.array([0.03, 0.02, 0.0]))
    off_course = replace(problem, state=state)
    search, cma = PlanSearch(off_course, params, seed=0), PlanSearch(replace(off_course, newton=False), params, seed=0)
    cma.iterate(60)
    assert search.cost < 0.5 * cma.cost
    for phase, guess in zip(search.best().phases, problem.phases, strict=True):
        assert (phase.t_start, phase.t_end) == pytest.approx((guess.t_start, guess.t_end))


def _height_in_mid_step(found: FrbPlan, footsteps: FootstepPlan) -> float:
    return float(sample_plan(found, 0.5 * float(footsteps.t_end[0]))[0].com_W[2])


def test_the_body_rises_over_the_leg_that_stands(
    gait: Gait, body: BodyModel, params: FrbParams, floor: ContactRegion
) -> None:
    """Level forces would be smoother, and the knee bent: tier 2 keeps the rise that tier 1 asks for."""
    footsteps = replace(gait(1.0), vault=np.full(4, 0.03))
    feet = [StandingFoot(limb="left_foot", center_W=footsteps.foot_W[0], yaw=0.0, region=floor)]
    risen = [
        _height_in_mid_step(
            plan(walking_problem(footsteps, feet, Command(), body, weighed), weighed, seed=0, iterations=60), footsteps
        )
        - float(footsteps.com_W[0, 2])
        for weighed in (params, replace(params, vault_weight=0.0))
    ]
    assert risen[0] == pytest.approx(0.03, abs=0.006)
    assert risen[1] < risen[0] - 0.005


def test_where_the_ground_sets_the_steps_it_need_not_rise(
    gait: Gait, body: BodyModel, params: FrbParams, floor: ContactRegion
) -> None:
    footsteps = replace(gait(1.0), vault=np.full(4, 0.03))
    feet = [StandingFoot(limb="left_foot", center_W=footsteps.foot_W[0], yaw=0.0, region=floor)]
    free, bound = (
        walking_problem(replace(footsteps, constrained=constrained), feet, Command(), body, params)
        for constrained in (False, True)
    )
    assert len(free.targets) == 4 and len(bound.targets) == 2


def test_lean_and_heading_of_the_command_are_targets(walking: Walking) -> None:
    problem = walking(0.6, command=Command(yaw_rate=0.3, posture=Posture(trunk_pitch=0.2), step_width=0.3))
    assert problem.step_width == 0.3
    for target in problem.targets:
        assert target.R_WB is not None
        assert np.arcsin(-target.R_WB[2, 0]) == pytest.approx(0.2)
        np.testing.assert_allclose(target.omega_W, [0.0, 0.0, 0.3])


def test_stance_foot_must_stand(gait: Gait, body: BodyModel, params: FrbParams, floor: ContactRegion) -> None:
    wrong = StandingFoot(limb="right_foot", center_W=np.zeros(3), yaw=0.0, region=floor)
    with pytest.raises(InputError, match="right_foot"):
        walking_problem(gait(0.6), [wrong], Command(), body, params)
