"""A foot in the air: from how it left the ground to rest on its foothold, wherever that moves."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmpc.executor.clearance import SwingShape
from hmpc.executor.swing import HeelRise, Swing
from hmpc.geometry import heading, rotation_error, rotation_zyx
from hmpc.params import SwingParams
from hmpc.types import LimbState, LimbTarget

PARAMS = SwingParams()
TICK, LIFT_OFF, TOUCH_DOWN = 0.002, 1.0, 1.4  # [s]
FOOTHOLD = np.array([0.6, 0.1, 0.05])


def foot(pitch: float = 0.0) -> LimbState:
    """A foot that moves as it leaves the ground."""
    return LimbState(
        p_W=np.array([0.0, 0.09, 0.0]),
        R_WL=rotation_zyx(0.1, pitch, 0.0),
        vel_W=np.array([0.3, -0.05, 0.0]),
        omega_W=np.zeros(3),
        touching=True,
        normal_W=np.array([0.0, 0.0, 1.0]),
        force_W=np.zeros(3),
    )


UP = np.array([0.0, 0.0, 1.0])


def shape(foothold: np.ndarray = FOOTHOLD) -> SwingShape:
    """As on level ground."""
    top = max(0.0, float(foothold[2])) + PARAMS.clearance
    return SwingShape(top=top, depart=0.0, arrive=1.0, descend=PARAMS.apex, turned=1.0)


def times(end: float = TOUCH_DOWN) -> np.ndarray:
    return np.arange(LIFT_OFF, end + 1e-9, TICK)


def path(end: float = TOUCH_DOWN, foothold: np.ndarray = FOOTHOLD, yaw: float = 0.3) -> list[LimbTarget]:
    swing = Swing(foot(), foot().p_W, LIFT_OFF, shape(foothold), UP, PARAMS.landing_pitch, 0.0, PARAMS)
    return [swing.target(t, TOUCH_DOWN, foothold, yaw) for t in times(end)]


def test_the_path_begins_where_the_foot_is_and_as_it_moves() -> None:
    first = path()[0]
    np.testing.assert_allclose(first.p_W, foot().p_W)
    np.testing.assert_allclose(first.vel_W, foot().vel_W)
    np.testing.assert_allclose(first.R_WL, foot().R_WL)


@settings(max_examples=20)
@given(st.floats(-0.4, 0.8), st.floats(-0.3, 0.3), st.floats(-0.2, 0.2), st.floats(-0.5, 0.5))
def test_the_path_ends_on_the_foothold_slowly_and_turned(x: float, y: float, z: float, yaw: float) -> None:
    last = path(foothold=np.array([x, y, z]), yaw=yaw)[-1]
    np.testing.assert_allclose(last.p_W, [x, y, z], atol=2e-3)
    np.testing.assert_allclose(last.vel_W, [0.0, 0.0, -PARAMS.landing_speed], atol=0.05)
    assert heading(last.R_WL) == pytest.approx(yaw, abs=1e-6)


def test_a_foot_that_brakes_until_it_lands_is_further_behind_and_lands_as_gently() -> None:
    swings = [
        Swing(foot(), foot().p_W, LIFT_OFF, shape(), UP, PARAMS.landing_pitch, 0.0, PARAMS, brakes=brakes)
        for brakes in (False, True)
    ]
    resting, braking = ([swing.target(t, TOUCH_DOWN, FOOTHOLD, 0.3) for t in times()] for swing in swings)
    late = round(0.8 * len(times()))
    assert braking[late].p_W[0] < resting[late].p_W[0] - 0.01
    assert braking[-2].acc_W[0] < -10.0 < -2.0 < resting[-2].acc_W[0]
    np.testing.assert_allclose(braking[-1].p_W, FOOTHOLD, atol=2e-3)
    np.testing.assert_allclose(braking[-1].vel_W[:2], 0.0, atol=0.1)


def test_the_foot_clears_the_higher_of_its_two_places() -> None:
    for height in (-0.1, 0.0, 0.15):
        top = max(target.p_W[2] for target in path(foothold=np.array([0.6, 0.1, height])))
        assert top == pytest.approx(max(height, 0.0) + PARAMS.clearance, abs=1e-3)


def test_velocity_is_the_derivative_of_position() -> None:
    targets = path()
    p, v = np.array([target.p_W for target in targets]), np.array([target.vel_W for target in targets])
    np.testing.assert_allclose(np.diff(p, axis=0) / TICK, 0.5 * (v[1:] + v[:-1]), atol=0.02)
    for before, after in pairwise(targets):
        turned = rotation_error(after.R_WL, before.R_WL) / TICK
        np.testing.assert_allclose(turned, 0.5 * (before.omega_W + after.omega_W), atol=0.02)


def test_a_foothold_that_moves_bends_the_path_without_a_jump() -> None:
    swing = Swing(foot(), foot().p_W, LIFT_OFF, shape(), UP, 0.0, 0.0, PARAMS)
    moved = FOOTHOLD + np.array([0.1, -0.05, 0.0])
    targets = [swing.target(t, TOUCH_DOWN, FOOTHOLD if t < 1.2 else moved, 0.0) for t in times()]
    p, v = np.array([target.p_W for target in targets]), np.array([target.vel_W for target in targets])
    largest = np.abs(v).max()
    assert np.abs(np.diff(p, axis=0)).max() <= TICK * largest * 1.01
    assert np.abs(np.diff(v[:, :2], axis=0)).max() < 0.15  # [m/s] a tick
    np.testing.assert_allclose(targets[-1].p_W[:2], moved[:2], atol=2e-3)


def test_a_foothold_that_moves_at_the_last_moment_is_not_fed_forward_beyond_reason() -> None:
    swing = Swing(foot(), foot().p_W, LIFT_OFF, shape(), UP, 0.0, 0.0, PARAMS)
    moved = FOOTHOLD + np.array([0.2, 0.0, 0.0])
    for t in times():
        target = swing.target(t, TOUCH_DOWN, FOOTHOLD if t < 1.37 else moved, 0.0)
        assert np.abs(target.acc_W[:2]).max() <= PARAMS.max_acceleration


def test_pointed_toes_arrive_with_the_sole_above_the_ground() -> None:
    swing = Swing(foot(), foot().p_W, LIFT_OFF, shape(), UP, 0.38, 0.04, PARAMS)
    last = [swing.target(t, TOUCH_DOWN, FOOTHOLD, 0.0) for t in times()][-1]
    assert last.p_W[2] == pytest.approx(FOOTHOLD[2] + 0.04, abs=2e-3)
    assert last.R_WL[2, 0] == pytest.approx(-math.sin(0.38), abs=1e-6)


def test_the_foot_goes_on_sinking_when_the_ground_is_late_and_then_gives_up() -> None:
    targets = path(end=TOUCH_DOWN + 0.3)
    late = np.array([target.p_W[2] for t, target in zip(times(TOUCH_DOWN + 0.3), targets, strict=True) if t > 1.402])
    assert (np.diff(late) <= 1e-12).all()
    assert late[0] < FOOTHOLD[2]
    assert late[-1] == pytest.approx(FOOTHOLD[2] - PARAMS.max_sink)
    assert not targets[-1].vel_W.any()


HALF_LENGTH, ANGLE, SPEED = 0.1275, 0.4, 1.5


def heel_rise() -> HeelRise:
    return HeelRise(foot(), HALF_LENGTH, ANGLE, SPEED, start=LIFT_OFF, end=TOUCH_DOWN)


def test_a_rising_heel_leaves_the_front_edge_where_it_is() -> None:
    rise = heel_rise()
    edge = foot().p_W + foot().R_WL @ (HALF_LENGTH, 0.0, 0.0)
    for t in times():
        target = rise.target(t)
        np.testing.assert_allclose(target.p_W + target.R_WL @ (HALF_LENGTH, 0.0, 0.0), edge, atol=1e-12)


def test_a_heel_rises_to_its_angle_and_is_still_rising_there() -> None:
    first, last = heel_rise().target(LIFT_OFF), heel_rise().target(TOUCH_DOWN)
    np.testing.assert_allclose(first.R_WL, foot().R_WL)
    angle = rotation_error(last.R_WL, first.R_WL)
    assert np.linalg.norm(angle) == pytest.approx(ANGLE)
    assert last.p_W[2] == pytest.approx(HALF_LENGTH * math.sin(ANGLE))
    np.testing.assert_allclose(np.concatenate([first.vel_W, first.omega_W]), 0.0, atol=1e-9)
    assert np.linalg.norm(last.omega_W) == pytest.approx(SPEED * ANGLE / (TOUCH_DOWN - LIFT_OFF))
    assert last.vel_W[2] > 0.0


def test_a_foot_goes_on_as_its_heel_was_rising() -> None:
    """What it does in the air begins with the speeds, up and about its axis across, that it had on the ground."""
    rising = replace(foot(), vel_W=np.array([0.2, 0.0, 0.6]), omega_W=4.0 * foot().R_WL[:, 1])
    swing = Swing(rising, rising.p_W, LIFT_OFF, shape(), UP, 0.0, 0.0, PARAMS)
    first = swing.target(LIFT_OFF, TOUCH_DOWN, FOOTHOLD, 0.0)
    np.testing.assert_allclose(first.vel_W, rising.vel_W, atol=1e-9)
    assert first.omega_W @ foot().R_WL[:, 1] == pytest.approx(4.0)
    last = swing.target(TOUCH_DOWN, TOUCH_DOWN, FOOTHOLD, 0.0)
    assert last.p_W[2] == pytest.approx(FOOTHOLD[2])


def test_a_rising_heel_says_how_fast_it_rises() -> None:
    rise, h = heel_rise(), 1e-5
    for t in (1.1, 1.2, 1.3):
        before, now, after = rise.target(t - h), rise.target(t), rise.target(t + h)
        np.testing.assert_allclose((after.p_W - before.p_W) / (2 * h), now.vel_W, atol=1e-6)
        np.testing.assert_allclose((after.vel_W - before.vel_W) / (2 * h), now.acc_W, atol=1e-5)
        np.testing.assert_allclose(rotation_error(after.R_WL, before.R_WL) / (2 * h), now.omega_W, atol=1e-6)


def test_the_load_decides_at_first_and_the_path_at_the_end() -> None:
    authority = [heel_rise().target(t).authority for t in times(TOUCH_DOWN + 0.1)]
    assert authority[0] == 0.0 and authority[-1] == 1.0
    assert (np.diff(authority) >= 0.0).all()


def test_a_foot_that_waits_returns_to_where_it_stood() -> None:
    """It may have been dragged towards the edge that it is to clear."""
    stood_W, waiting = foot().p_W - [0.03, 0.0, 0.0], shape()._replace(depart=0.3)
    swing = Swing(foot(), stood_W, LIFT_OFF, waiting, UP, 0.0, 0.0, PARAMS)
    duration = TOUCH_DOWN - LIFT_OFF
    for t in times():
        target = swing.target(t, TOUCH_DOWN, FOOTHOLD, 0.0)
        if LIFT_OFF + (PARAMS.halt + 0.02) * duration < t < LIFT_OFF + 0.28 * duration:
            np.testing.assert_allclose(target.p_W[:2], stood_W[:2], atol=1e-3)
    np.testing.assert_allclose(target.p_W[:2], FOOTHOLD[:2], atol=1e-3)
