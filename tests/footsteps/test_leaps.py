"""Plans with a flight: over what no step is long enough for."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from hmpc.footsteps.reference import FootstepReference, as_frb_plan
from hmpc.footsteps.rehearsal import steady_start
from hmpc.types import Command
from tests.footsteps.scenes import level

SOLE, MARGIN, GRAVITY = 0.1275, 0.03, 9.81
WIDTH = 0.8  # [m] of a gap that is too wide for a step


def across(planner_on, edge, width=WIDTH, vx=1.3):
    """The cheapest plan with a leap over a gap that begins at `edge` [m], out of a steady walk; None: there is none."""
    planner = planner_on(level(-9.0, edge), level(edge + width, 20.0))
    plans = []
    for duration, flight in product((0.38, 0.42, 0.46, 0.50), planner.params.flights):
        command = Command(velocity_H=np.array([vx, 0.0]), step_duration=duration, body_height=0.94)
        options = planner.leap(steady_start(planner, command), command, flight)
        plans += [options.best] if options is not None and options.best.leap else []
    return min(plans, key=lambda plan: plan.cost, default=None)


@pytest.fixture(scope="module")
def plan(planner_on):
    return across(planner_on, 2.5)


@pytest.mark.parametrize("edge", np.arange(2.2, 2.8, 0.1))
def test_a_wide_gap_is_leapt_wherever_it_begins(planner_on, edge):
    plan = across(planner_on, edge)
    assert plan is not None
    landing = plan.leap.step
    assert plan.foot_W[landing, 0] - plan.foot_W[landing - 1, 0] > WIDTH + 2.0 * SOLE
    toes, heels = plan.foot_W[:, 0] + SOLE, plan.foot_W[:, 0] - SOLE
    on_ground = (toes <= edge - MARGIN + 1e-6) | (heels >= edge + WIDTH + MARGIN - 1e-6)
    assert on_ground.all()


def test_what_is_too_far_even_for_a_leap_is_refused(planner_on):
    assert across(planner_on, 2.0, width=2.0) is None


def test_a_wider_gap_takes_a_faster_run_up(planner_on):
    """What no run-up at a stroll leads over is leapt from a brisk walk."""
    assert across(planner_on, 2.5, width=1.1, vx=1.0) is None
    plan = across(planner_on, 2.5, width=1.1, vx=1.75)
    assert plan is not None
    assert plan.leap.com_vel_W[0, 0] > 2.0


def test_steps_are_preferred_to_leaps(planner_on):
    planner = planner_on()
    command = Command(velocity_H=np.array([1.0, 0.0]))
    options = planner.leap(steady_start(planner, command), command, 0.2)
    assert options is not None and options.best.leap is None


def test_the_legs_reach_the_ground_at_lift_off_and_touch_down(plan, body):
    leap, longest = plan.leap, body.limbs[0].reach
    for k, stretch in ((0, 0.04), (1, 0.0)):
        foot, limb = plan.foot_W[leap.step - 1 + k], body.limb(plan.limb[leap.step - 1 + k])
        assert np.linalg.norm(leap.com_W[k] + limb.root_B - foot) <= longest + stretch + 1e-9


def test_the_body_flies_freely(plan):
    leap, reference = plan.leap, FootstepReference(plan)
    for t in np.linspace(leap.lift_off, leap.touch_down, 7)[1:-1]:
        motion, s = reference.at(t), t - leap.lift_off
        assert motion.acc_W == pytest.approx([0.0, 0.0, -GRAVITY], abs=1e-6)
        fallen = 0.5 * GRAVITY * s**2 * np.array([0.0, 0.0, 1.0])
        assert motion.com_W == pytest.approx(leap.com_W[0] + s * leap.com_vel_W[0] - fallen, abs=1e-6)


def test_the_com_goes_down_before_it_is_pushed_up(plan):
    start, lift_off = plan.t_start[plan.leap.step - 1], plan.leap.lift_off
    z = FootstepReference(plan).sample(np.linspace(start, lift_off, 50)).com_W[:, 2]
    assert 0.02 < z[0] - z.min() < 0.12
    assert 10 < np.argmin(z) < 40


def test_the_com_moves_without_jumps(plan):
    t = np.linspace(plan.t_start[0], plan.t_end[-1], 4001)
    motion = FootstepReference(plan).sample(t)
    assert np.abs(np.diff(motion.com_W, axis=0)).max() < 3.0 * (t[1] - t[0])


def test_nothing_bears_load_in_flight(plan, body):
    phases = as_frb_plan(plan, body, GRAVITY, 0.01).phases
    leap = plan.leap
    assert phases[leap.step - 1].t_end == pytest.approx(leap.lift_off)
    assert phases[leap.step].t_start == pytest.approx(leap.touch_down)
    assert phases[leap.step - 1].f_l[-2] > 1.2 * body.mass * GRAVITY
    assert phases[leap.step].f_l[0] > 1.2 * body.mass * GRAVITY


def test_a_fall_that_is_still_to_be_caught_slows_the_body_down(planner_on):
    planner = planner_on()
    command = Command(velocity_H=np.array([1.2, 0.0]))
    start = replace(steady_start(planner, command), remaining=0.4, com_W=np.array([-0.3, 0.0, 0.9]))
    level_on = planner.plan(start, command).best
    falling = planner.plan(replace(start, fall=1.0), command).best
    assert falling.com_W[1, 0] < level_on.com_W[1, 0] - 0.03
    assert falling.com_vel_W[0] == pytest.approx(level_on.com_vel_W[0])


def test_a_fall_is_caught_before_the_body_rises_again(planner_on):
    """The force on the foot that catches it sinks to the weight by the end of the step: nothing is left to fall."""
    planner = planner_on()
    command, fall, duration = Command(velocity_H=np.array([1.2, 0.0])), 2.0, 0.3
    start = replace(
        steady_start(planner, command),
        remaining=duration,
        com_W=np.array([-0.3, 0.0, 0.82]),
        com_vel_W=np.array([1.9, 0.0, -fall]),
        fall=fall,
    )
    reference = FootstepReference(planner.plan(start, command).best)
    caught = reference.at(start.t + duration)
    assert caught.vel_W[2] == pytest.approx(planner.params.landing_rise, abs=1e-6)
    acceleration = [reference.at(start.t + s * duration).acc_W[2] for s in (0.01, 0.5, 0.99)]
    assert acceleration == sorted(acceleration, reverse=True)
    assert acceleration[-1] == pytest.approx(0.0, abs=0.5)
