"""A flight: when it ends, and where the feet are in it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from hmpc.executor.leap import Landing, Leap
from hmpc.executor.swing import pitch_and_roll
from hmpc.geometry import rotation_zyx
from hmpc.params import ExecutorParams
from hmpc.types import LimbTarget

PARAMS = ExecutorParams()
PUSHES, LANDS = "right_foot", "left_foot"
TAKE_OFF = 0.4


@pytest.fixture
def leap(robot, body, seen):
    return Leap(robot, body, PARAMS, seen(t=0.0), (PUSHES, LANDS), TAKE_OFF, 0.0)


def test_the_body_leans_forward_until_take_off(leap, standing):
    before, after = (leap.leaning(standing.body, t) for t in (0.0, TAKE_OFF))
    upright, _ = pitch_and_roll(standing.body.R_WB)
    assert pitch_and_roll(before.R_WB)[0] == pytest.approx(upright, abs=1e-9)
    assert pitch_and_roll(after.R_WB)[0] == pytest.approx(upright + PARAMS.leap.take_off_lean, abs=1e-6)


def test_touch_down_is_when_the_leg_reaches_the_ground_in_free_fall(leap, robot, body, seen):
    falling = seen(t=1.0, vel_W=np.zeros(3))
    drop = 0.1
    below = np.array([0.0, 0.0, PARAMS.leap.landing_reach * body.limb(LANDS).reach + drop])
    touch_down = leap.touch_down(falling, robot.limb_root(LANDS) - below, planned=9.0)
    assert touch_down - falling.t == pytest.approx(math.sqrt(2.0 * drop / PARAMS.gravity), abs=0.01)


def test_without_ground_within_reach_the_plan_is_believed(leap, seen):
    assert leap.touch_down(seen(t=1.0), np.array([0.0, 0.0, -9.0]), planned=1.7) == 1.7


def flown(leap, seen, foothold, end, dt=0.002):
    """The feet at the end of a flight."""
    zero = np.zeros(3)
    landing = LimbTarget(p_W=zero, R_WL=np.eye(3), vel_W=zero, acc_W=zero, omega_W=zero)
    for t in np.arange(TAKE_OFF, end + 0.5 * dt, dt):
        feet = leap.feet(seen(t=float(t)), landing, foothold, end)
    return feet


def test_one_foot_arrives_in_time_the_other_is_drawn_up(leap, robot, seen, standing):
    foothold = standing.limbs[LANDS].p_W + np.array([0.2, 0.0, 0.06])
    feet = flown(leap, seen, foothold, TAKE_OFF + 0.2)
    assert feet[LANDS].p_W == pytest.approx(foothold, abs=2e-3)
    assert feet[LANDS].vel_W == pytest.approx([0.0, 0.0, -PARAMS.leap.landing_speed], abs=0.05)
    tucked = feet[PUSHES].p_W - robot.limb_root(PUSHES)
    assert tucked[[0, 2]] == pytest.approx(np.array(PARAMS.leap.tuck)[[0, 2]], abs=1e-6)


def test_the_leg_that_lands_stays_bent_however_far_its_foothold_is(leap, robot, body, seen, standing):
    foothold = standing.limbs[LANDS].p_W + np.array([0.3, 0.0, -0.3])
    foot = flown(leap, seen, foothold, TAKE_OFF + 0.2)[LANDS]
    hip = robot.limb_root(LANDS)
    assert np.linalg.norm(foot.p_W - hip) == pytest.approx(PARAMS.leap.flight_reach * body.limb(LANDS).reach)
    assert np.cross(foot.p_W - hip, foothold - hip) == pytest.approx(np.zeros(3), abs=0.01)


def test_after_landing_the_body_comes_upright_slowly(standing):
    leaning = replace(standing, body=replace(standing.body, R_WB=rotation_zyx(0.0, 0.2, 0.0)))
    upright = replace(standing.body, R_WB=np.eye(3))
    landing = Landing(leaning, PARAMS)
    first = landing.leaning(upright, standing.t)
    last = landing.leaning(upright, standing.t + PARAMS.leap.upright_time)
    assert pitch_and_roll(first.R_WB)[0] == pytest.approx(0.2)
    assert pytest.approx(np.eye(3)) == last.R_WB
