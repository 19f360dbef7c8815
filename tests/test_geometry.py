"""Rotations: each map against its inverse or its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.geometry import (
    cross,
    heading,
    rotation_error,
    rotation_exp,
    rotation_log,
    rotation_z,
    rotation_zyx,
    skew,
    wrap_angle,
)

coordinate = st.floats(-10.0, 10.0)
vector = st.tuples(coordinate, coordinate, coordinate).map(np.array)
angle = st.floats(-math.pi, math.pi)
small_rotation = st.tuples(*[st.floats(-1.0, 1.0)] * 3).map(np.array)  # angle below pi: the logarithm is unique


@given(vector, vector)
def test_skew_is_the_cross_product(v: np.ndarray, u: np.ndarray) -> None:
    np.testing.assert_allclose(skew(v) @ u, np.cross(v, u), atol=1e-12)
    np.testing.assert_allclose(cross(v, u), np.cross(v, u), atol=1e-12)


@given(vector)
def test_exponential_is_a_rotation(phi: np.ndarray) -> None:
    R = rotation_exp(phi)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(R) == pytest.approx(1.0)


@given(vector)
def test_exponential_keeps_its_axis(phi: np.ndarray) -> None:
    np.testing.assert_allclose(rotation_exp(phi) @ phi, phi, atol=1e-8)


@given(small_rotation)
def test_logarithm_inverts_the_exponential(phi: np.ndarray) -> None:
    np.testing.assert_allclose(rotation_log(rotation_exp(phi)), phi, atol=1e-9)


@given(vector.filter(lambda v: np.linalg.norm(v) > 1e-3), st.floats(0.0, 1e-4))
def test_logarithm_is_right_near_half_a_turn(axis: np.ndarray, missing: float) -> None:
    R = rotation_exp((math.pi - missing) * axis / np.linalg.norm(axis))
    np.testing.assert_allclose(rotation_exp(rotation_log(R)), R, atol=1e-6)


def test_logarithm_of_no_rotation_is_zero() -> None:
    np.testing.assert_array_equal(rotation_log(np.eye(3)), np.zeros(3))


@given(small_rotation, small_rotation)
def test_rotation_error_takes_the_actual_to_the_desired(a: np.ndarray, b: np.ndarray) -> None:
    R, R_desired = rotation_exp(a), rotation_exp(b)
    np.testing.assert_allclose(rotation_exp(rotation_error(R_desired, R)) @ R, R_desired, atol=1e-6)


def test_rotation_error_points_towards_the_target() -> None:
    np.testing.assert_allclose(rotation_error(rotation_z(0.3), rotation_z(0.1)), [0.0, 0.0, 0.2], atol=1e-12)


@given(angle)
def test_rotation_z_turns_counter_clockwise(yaw: float) -> None:
    np.testing.assert_allclose(rotation_z(yaw) @ [1.0, 0.0, 0.0], [math.cos(yaw), math.sin(yaw), 0.0])


@given(angle, angle, angle)
def test_zyx_is_the_product_of_three_turns(yaw: float, pitch: float, roll: float) -> None:
    z, y, x = np.eye(3)[::-1]
    expected = rotation_exp(yaw * z) @ rotation_exp(pitch * y) @ rotation_exp(roll * x)
    np.testing.assert_allclose(rotation_zyx(yaw, pitch, roll), expected, atol=1e-9)


@given(angle, st.floats(-1.5, 1.5), angle)
def test_heading_ignores_pitch_and_roll(yaw: float, pitch: float, roll: float) -> None:
    assert wrap_angle(heading(rotation_zyx(yaw, pitch, roll)) - yaw) == pytest.approx(0.0, abs=1e-9)


@given(st.floats(-100.0, 100.0))
def test_wrapped_angle_is_the_same_direction(value: float) -> None:
    wrapped = wrap_angle(value)
    assert -math.pi <= wrapped < math.pi
    assert math.cos(wrapped - value) == pytest.approx(1.0)
