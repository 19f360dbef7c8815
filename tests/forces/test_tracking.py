"""Eq. 2: the tracking wrench."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.errors import InputError
from hmpc.forces.tracking import desired_wrench
from hmpc.geometry import rotation_error, rotation_exp
from hmpc.params import TrackingParams
from hmpc.types import FrbState

if TYPE_CHECKING:
    from hmpc.types import Array

PARAMS = TrackingParams()
MASS = PARAMS.reference_mass
ZERO = np.zeros(3)
UPRIGHT = FrbState(com_W=np.array([0.1, -0.2, 0.9]), vel_W=ZERO, R_WB=np.eye(3), omega_W=ZERO)

vectors = st.tuples(*[st.floats(-3.0, 3.0)] * 3).map(np.array)


def wrench(state: FrbState, desired: FrbState, acc_W: Array = ZERO, mass: float = MASS) -> Array:
    return desired_wrench(state, desired, acc_W, mass, PARAMS)


def test_on_the_plan_the_ground_carries_the_weight() -> None:
    np.testing.assert_allclose(wrench(UPRIGHT, UPRIGHT), [0, 0, MASS * 9.81, 0, 0, 0])


def test_free_fall_needs_no_force() -> None:
    np.testing.assert_allclose(wrench(UPRIGHT, UPRIGHT, np.array([0, 0, -9.81])), np.zeros(6), atol=1e-10)


def test_gains_are_the_papers_at_the_reference_mass() -> None:
    ahead = dataclasses.replace(UPRIGHT, com_W=UPRIGHT.com_W + np.array([1, 0, 0]), vel_W=[0, 1, 0], omega_W=[0, 0, 1])
    np.testing.assert_allclose(wrench(UPRIGHT, ahead) - wrench(UPRIGHT, UPRIGHT), [4000, 1000, 0, 0, 0, 100])


def test_torque_turns_the_body_towards_the_desired_orientation() -> None:
    tilted = dataclasses.replace(UPRIGHT, R_WB=rotation_exp(np.array([0.0, 0.3, 0.0])))
    assert wrench(tilted, UPRIGHT)[4] == pytest.approx(-0.3 * PARAMS.kp_torque)


@given(vectors, vectors)
def test_rotation_error_is_that_of_geometry(phi: Array, phi_desired: Array) -> None:
    R, R_desired = rotation_exp(phi), rotation_exp(phi_desired)
    state, desired = dataclasses.replace(UPRIGHT, R_WB=R), dataclasses.replace(UPRIGHT, R_WB=R_desired)
    expected = PARAMS.kp_torque * rotation_error(R_desired, R)
    np.testing.assert_allclose(wrench(state, desired)[3:], expected, rtol=1e-9, atol=1e-9 * PARAMS.kp_torque)


@pytest.mark.parametrize("axis", np.eye(3))
@pytest.mark.parametrize("angle", [np.pi, np.pi - 1e-9])
def test_upside_down_still_knows_an_axis(axis: Array, angle: float) -> None:
    flipped = dataclasses.replace(UPRIGHT, R_WB=rotation_exp(angle * axis))
    torque = wrench(flipped, UPRIGHT)[3:]
    np.testing.assert_allclose(np.abs(torque), PARAMS.kp_torque * np.pi * axis, atol=1e-5)


@given(vectors, vectors, vectors, st.floats(0.1, 10.0))
def test_a_heavier_body_gets_proportional_wrenches(offset: Array, velocity: Array, acc: Array, ratio: float) -> None:
    desired = FrbState(com_W=UPRIGHT.com_W + offset, vel_W=velocity, R_WB=rotation_exp(0.5 * offset), omega_W=acc)
    light, heavy = wrench(UPRIGHT, desired, acc, MASS), wrench(UPRIGHT, desired, acc, ratio * MASS)
    np.testing.assert_allclose(heavy, ratio * light, rtol=1e-12, atol=1e-9)


@given(vectors)
def test_feed_forward_torque_is_added(torque: Array) -> None:
    fed = desired_wrench(UPRIGHT, UPRIGHT, ZERO, MASS, PARAMS, torque)
    np.testing.assert_allclose(fed - wrench(UPRIGHT, UPRIGHT), np.concatenate([ZERO, torque]))


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(InputError, match="shape"):
        desired_wrench(UPRIGHT, UPRIGHT, np.zeros(2), MASS, PARAMS)
