"""Footsteps on level ground, and starts that make no sense."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.errors import InputError, UnknownNameError
from hmpc.footsteps.gait import LEFT, RIGHT
from hmpc.footsteps.planner import FootstepPlanner
from hmpc.footsteps.rehearsal import steady_start
from hmpc.geometry import rotation_z
from hmpc.params import FootstepParams
from hmpc.types import Command, Status
from tests.footsteps.scenes import forward, level


def pushed(start, dv):
    return replace(start, com_vel_W=start.com_vel_W + np.array([*dv, 0.0]))


# --- level ground ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [LEFT, RIGHT])
@pytest.mark.parametrize("velocity", [(0.6, 0.0, 0.0), (-0.5, 0.0, 0.0), (0.0, 0.2, 0.0), (0.7, 0.0, 0.7), (0, 0, 0)])
def test_a_steady_walk_goes_on(planner_on, velocity, side):
    planner, command = planner_on(), forward(*velocity)
    plan = planner.plan(steady_start(planner, command, side), command).best
    gait = planner.gait(command)
    assert plan.status is Status.OK
    assert plan.cost < 0.02  # long steps stretch the leg a little
    assert len(plan.limb) == FootstepParams().steps + 1
    foot = plan.foot_W[:, 0] + 1j * plan.foot_W[:, 1]
    for k in range(1, len(foot)):
        step = gait.step(side if k % 2 == 0 else -side)
        assert foot[k] - foot[k - 1] == pytest.approx(step * np.exp(1j * (k - 0.5) * gait.turn), abs=1e-6)


def test_feet_alternate_and_times_join(planner_on):
    planner, command = planner_on(), forward(0.6)
    start = replace(steady_start(planner, command), t=3.0, remaining=0.2)
    plan = planner.plan(start, command).best
    assert plan.limb[:3] == ("left_foot", "right_foot", "left_foot")
    assert plan.t_start[0] == 3.0
    assert plan.t_end[0] == pytest.approx(3.2)
    assert plan.t_start[1:] == pytest.approx(plan.t_end[:-1])
    assert plan.t_end[1:] - plan.t_start[1:] == pytest.approx(planner.gait(command).timing.duration)


def test_a_zero_command_steps_in_place(planner_on):
    planner = planner_on()
    plan = planner.plan(steady_start(planner, Command()), Command()).best
    assert plan.foot_W[:, 0] == pytest.approx(0.0, abs=1e-9)
    assert np.abs(plan.foot_W[:, 1]) == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize("dv", [(0.25, 0.0), (-0.25, 0.0), (0.0, 0.08), (0.0, -0.2), (0.15, -0.1)])
def test_a_push_is_forgotten_within_the_horizon(planner_on, dv):
    planner, command = planner_on(), forward(0.6)
    plan = planner.plan(pushed(steady_start(planner, command), dv), command).best
    velocity = planner.gait(command).end_velocity(LEFT)  # the last phase stands on the left foot, like the first
    assert plan.status is Status.OK
    assert complex(*plan.com_vel_W[-1, :2]) == pytest.approx(velocity, abs=2e-3)


def test_a_forward_push_is_caught_by_a_longer_step(planner_on):
    planner, command = planner_on(), forward(0.4)
    start = steady_start(planner, command)
    calm, hit = planner.plan(start, command).best, planner.plan(pushed(start, (0.3, 0.0)), command).best
    assert hit.foot_W[1, 0] > calm.foot_W[1, 0] + 0.05


@given(st.floats(-0.6, 0.6), st.floats(-0.5, 0.3), st.floats(-0.3, 0.3), st.floats(0.0, 0.5))
def test_on_open_ground_nothing_is_out_of_reach(planner_on, dvx, dvy, vx, remaining):
    planner, command = planner_on(), forward(vx)
    start = replace(pushed(steady_start(planner, command), (dvx, dvy)), remaining=remaining)
    assert planner.plan(start, command).best.status in (Status.OK, Status.FALLBACK)


def test_feet_do_not_cross_however_hard_the_push(planner_on):
    planner, command = planner_on(), forward(0.3)
    plan = planner.plan(pushed(steady_start(planner, command), (0.0, 0.6)), command).best
    assert plan.status is Status.FALLBACK  # beyond capture without crossing
    lateral = np.diff(plan.foot_W[:, 1]) * np.array([-1, 1] * 3)
    assert np.all(lateral > 2 * 0.045)


def test_a_command_beyond_the_limbs_is_slowed_down(planner_on):
    planner, command = planner_on(), forward(3.0)
    gait = planner.gait(command)
    assert gait.path_step.real < FootstepParams().max_forward * 0.925
    assert planner.plan(steady_start(planner, command), command).best.status is Status.OK


def test_lower_bodies_are_quicker_pendulums(planner_on):
    planner = planner_on()
    low = Command(body_height=0.8)
    plan = planner.plan(steady_start(planner, low), low).best
    assert plan.omega == pytest.approx(math.sqrt(9.81 / (0.8 * 0.97)))
    assert plan.com_W[-1, 2] == pytest.approx(0.8 * 0.97)


@given(st.floats(-0.3, 0.3), st.floats(-0.05, 0.05), st.floats(0.0, 0.4), st.floats(-0.5, 0.5))
def test_left_and_right_mirror_each_other(planner_on, dvx, dvy, remaining, yaw_rate):
    planner, mirror = planner_on(), np.array([1.0, -1.0, 1.0])
    command = forward(0.5, 0.1, yaw_rate)
    mirrored_command = forward(0.5, -0.1, -yaw_rate)
    start = pushed(replace(steady_start(planner, command), remaining=remaining), (dvx, dvy))
    other = pushed(replace(steady_start(planner, mirrored_command, RIGHT), remaining=remaining), (dvx, -dvy))
    plan, mirrored = planner.plan(start, command).best, planner.plan(other, mirrored_command).best
    assert mirrored.foot_W * mirror == pytest.approx(plan.foot_W, abs=1e-9)
    assert mirrored.yaw == pytest.approx(-plan.yaw, abs=1e-9)
    assert mirrored.cost == pytest.approx(plan.cost, abs=1e-9)


def turned(region, R):
    return replace(region, p_W=R @ region.p_W, R_WR=R @ region.R_WR)


@pytest.mark.parametrize("angle", [0.3, 2.0, -2.9])
def test_turning_the_world_turns_the_plan(planner_on, angle):
    regions, R = (level(-3.0, 0.9), level(1.2, 5.0, z=0.1)), rotation_z(angle)
    planner, turned_planner = planner_on(*regions), planner_on(*(turned(r, R) for r in regions))
    command = forward(0.6, 0.05, 0.1)
    start = steady_start(planner, command)
    turned_start = replace(
        start,
        com_W=R @ start.com_W,
        com_vel_W=R @ start.com_vel_W,
        stance_foot_W=R @ start.stance_foot_W,
        yaw=start.yaw + angle,
        stance_yaw=start.stance_yaw + angle,
    )
    plan, other = planner.plan(start, command).best, turned_planner.plan(turned_start, command).best
    assert other.foot_W == pytest.approx(plan.foot_W @ R.T, abs=1e-9)
    assert other.com_W == pytest.approx(plan.com_W @ R.T, abs=1e-9)
    assert other.yaw == pytest.approx(plan.yaw + angle)


# --- bad input ------------------------------------------------------------------------------------------------------


def test_unknown_feet_are_named(planner_on):
    planner = planner_on()
    start = replace(steady_start(planner, Command()), stance_limb="left_hand")
    with pytest.raises(UnknownNameError, match="left_foot, right_foot"):
        planner.plan(start, Command())


def test_a_foot_cannot_stand_and_swing(planner_on):
    planner = planner_on()
    start = replace(steady_start(planner, Command()), swing_limb="left_foot")
    with pytest.raises(InputError, match="stand and swing"):
        planner.plan(start, Command())


@pytest.mark.parametrize(
    "change", [{"remaining": -0.1}, {"double_support": 0.2}, {"com_W": [np.nan, 0.0, 1.0]}, {"com_W": [0.0, 1.0]}]
)
def test_impossible_starts_are_refused(planner_on, change):
    with pytest.raises(InputError):
        replace(steady_start(planner_on(), Command()), **change)


def test_a_world_without_ground_is_refused(body):
    with pytest.raises(InputError, match="stepped on"):
        FootstepPlanner(body, [], FootstepParams())
