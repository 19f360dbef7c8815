from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from hmpc.errors import InputError
from hmpc.footsteps.reference import FootstepReference, as_frb_plan
from hmpc.footsteps.rehearsal import rehearse, steady_start
from hmpc.types import Command
from tests.footsteps.scenes import level

GRAVITY = 9.81


def command(vx=0.6, yaw_rate=0.4):
    return Command(velocity_H=np.array([vx, 0.0]), yaw_rate=yaw_rate)


@pytest.fixture(scope="module")
def plan(planner_on):
    """From the middle of a single support, too low and sinking, up a step of 15 cm."""
    planner = planner_on(level(-5.0, 0.8), level(0.8, 9.0, z=0.15))
    start = replace(steady_start(planner, command()), t=2.0, remaining=0.3)
    start = replace(start, com_W=start.com_W - np.array([0.1, 0.0, 0.03]), com_vel_W=np.array([0.5, -0.05, -0.1]))
    return planner.plan(start, command()).best


@pytest.fixture(scope="module")
def landing_plan(planner_on):
    """From a touch-down: the COP is still under the other foot."""
    _, landed = islice(rehearse(planner_on(), command()), 2)
    return landed.best


def times(plan, n=4001):
    return np.linspace(plan.t_start[0], plan.t_end[-1], n)


@pytest.mark.parametrize("name", ["plan", "landing_plan"])
def test_the_motion_passes_through_the_boundaries_of_the_phases(name, request):
    plan = request.getfixturevalue(name)
    reference = FootstepReference(plan)
    for k, t in enumerate((*plan.t_start, plan.t_end[-1])):
        motion = reference.at(t)
        assert motion.com_W == pytest.approx(plan.com_W[k], abs=1e-9)
        assert motion.vel_W == pytest.approx(plan.com_vel_W[k], abs=1e-9)


@pytest.mark.parametrize("name", ["plan", "landing_plan"])
def test_velocity_and_acceleration_are_derivatives(name, request):
    plan = request.getfixturevalue(name)
    t = times(plan)
    motion = FootstepReference(plan).sample(t)
    smooth = slice(1, -1)
    assert np.gradient(motion.com_W, t, axis=0)[smooth] == pytest.approx(motion.vel_W[smooth], abs=2e-3)
    # The acceleration may jump at boundaries: compare its integral.
    gained = np.cumsum(0.5 * (motion.acc_W[1:] + motion.acc_W[:-1]) * np.diff(t)[:, None], axis=0)
    assert motion.vel_W[1:] - motion.vel_W[0] == pytest.approx(gained, abs=5e-3)


def test_the_cop_moves_over_in_the_double_support(landing_plan):
    plan, reference = landing_plan, FootstepReference(landing_plan)
    assert reference.at(plan.t_start[0]).cop_W == pytest.approx(plan.cop_start_W)
    half = plan.t_start[1] + 0.5 * plan.double_support[1]
    assert reference.at(half).cop_W == pytest.approx(0.5 * (plan.cop_W[0] + plan.cop_W[1]))
    assert reference.at(plan.t_start[1] + plan.double_support[1]).cop_W == pytest.approx(plan.cop_W[1])


def test_the_horizontal_motion_is_that_of_the_pendulum(plan):
    motion = FootstepReference(plan).sample(times(plan, 100))
    pendulum = plan.omega**2 * (motion.com_W - motion.cop_W)
    assert motion.acc_W[:, :2] == pytest.approx(pendulum[:, :2], abs=1e-9)


def test_a_sample_is_what_each_moment_gives(plan):
    reference, t = FootstepReference(plan), times(plan, 50)
    sampled = reference.sample(t)
    for i, moment in enumerate(t):
        assert sampled.com_W[i] == pytest.approx(reference.at(moment).com_W, abs=1e-12)
        assert sampled.cop_W[i] == pytest.approx(reference.at(moment).cop_W, abs=1e-12)


def test_the_height_returns_to_normal_without_a_jolt(plan, body):
    motion = FootstepReference(plan).sample(times(plan))
    assert motion.com_W[-1, 2] == pytest.approx(body.com_height + 0.15)
    assert np.abs(motion.acc_W[:, 2]).max() < 0.5 * 9.81


def test_the_com_rises_over_the_leg_that_stands_and_comes_down_to_land(plan):
    reference, (start, end) = FootstepReference(plan), (plan.t_start[3], plan.t_end[3])
    landing, top = reference.at(start), reference.at(0.5 * (start + end))
    assert plan.vault[3] > 0.01
    assert top.com_W[2] == pytest.approx(0.5 * (plan.com_W[3, 2] + plan.com_W[4, 2]) + plan.vault[3])
    assert landing.acc_W[2] == pytest.approx(-top.acc_W[2])  # pushed off as much as it is let fall


def test_outside_of_the_plan_its_ends_are_held(plan):
    reference = FootstepReference(plan)
    assert reference.at(plan.t_end[-1] + 1.0).com_W == pytest.approx(plan.com_W[-1])
    assert reference.at(plan.t_start[0] - 1.0).com_W == pytest.approx(plan.com_W[0])


def test_the_heading_turns_evenly_through_the_yaws_of_the_feet(plan):
    reference = FootstepReference(plan)
    mid_stance = plan.t_end - 0.5 * (plan.t_end - plan.t_start - plan.double_support)
    yaw, rate = reference.heading(mid_stance[1:])
    assert yaw == pytest.approx(plan.yaw[1:], abs=1e-9)
    assert rate[1:-1] == pytest.approx(0.4, abs=1e-6)
    t = times(plan)
    yaw, rate = reference.heading(t)
    assert np.gradient(yaw, t)[1:-1] == pytest.approx(rate[1:-1], abs=2e-3)


def test_heading_does_not_wind_around_at_half_a_turn(plan):
    yaws = np.array([3.0, 3.1, 3.2 - 2 * np.pi, 3.3 - 2 * np.pi, 3.4 - 2 * np.pi, 3.5 - 2 * np.pi, 3.6 - 2 * np.pi])
    _, rate = FootstepReference(replace(plan, yaw=yaws)).heading(times(plan))
    assert np.abs(rate).max() < 1.0


def test_the_frb_plan_is_upright_and_turns(plan, body):
    frb = as_frb_plan(plan, body, GRAVITY, 1.0 / 30.0)
    assert frb.R_WB[:, 2, 2] == pytest.approx(1.0)
    assert np.linalg.det(frb.R_WB) == pytest.approx(1.0)
    assert frb.omega_W[:, 2].mean() == pytest.approx(0.4, abs=0.05)
    assert frb.t[0] == plan.t_start[0]
    assert frb.t[-1] == pytest.approx(plan.t_end[-1])


def forces_at(frb, t):
    """Vertical force and its centre of pressure, over all contact phases, by linear interpolation of their nodes."""
    total, moment = 0.0, np.zeros(3)
    for phase in frb.phases:
        if phase.t_start <= t <= phase.t_end:
            nodes = np.linspace(phase.t_start, phase.t_end, len(phase.f_l))
            force = float(np.interp(t, nodes, phase.f_l))
            total += force
            moment += force * np.array([np.interp(t, nodes, phase.cop_W[:, i]) for i in range(3)])
    return total, moment / total


def test_the_feet_carry_the_weight_and_put_the_cop_where_the_pendulum_has_it(landing_plan, body):
    plan = landing_plan
    frb, reference = as_frb_plan(plan, body, GRAVITY, 0.005), FootstepReference(plan)
    for t in np.linspace(plan.t_start[0] + 0.01, plan.t_end[-1] - 0.01, 97):
        force, cop = forces_at(frb, t)
        motion = reference.at(t)
        assert force == pytest.approx(body.mass * (GRAVITY + motion.acc_W[2]), rel=0.02)
        assert cop == pytest.approx(motion.cop_W, abs=0.01)


def test_a_foot_stays_until_the_next_one_has_taken_over(plan, body):
    phases = as_frb_plan(plan, body, GRAVITY, 1.0 / 30.0).phases
    assert phases[0].fixed and not any(phase.fixed for phase in phases[1:])
    for k, (phase, following) in enumerate(pairwise(phases)):
        assert phase.t_end == pytest.approx(following.t_start + plan.double_support[k + 1])
        assert phase.f_l[-1] == pytest.approx(0.0, abs=1e-9)
        assert phase.center_W == pytest.approx(plan.foot_W[k])


def test_a_time_step_must_be_positive(plan, body):
    with pytest.raises(InputError, match="positive"):
        as_frb_plan(plan, body, GRAVITY, 0.0)
