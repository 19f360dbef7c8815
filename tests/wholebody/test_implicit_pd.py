"""Posture control: Eq. 7 against what it is derived from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.wholebody.implicit_pd import explicit_pd, implicit_pd

ONE = np.array([[1, 0, 0, 1, 0]])  # one joint of one hinge, motor 0
THREE = np.array([[1, 0, 0, 3, 0]])  # one joint of three hinges

positive = st.floats(1e-3, 1e3)


def mobility(*diagonal: float) -> np.ndarray:
    out = np.zeros((1, 3, 3))
    out[0, range(len(diagonal)), range(len(diagonal))] = diagonal
    return out


@given(kp=positive, kd=positive, error=st.floats(-1, 1), velocity=st.floats(-5, 5), m=positive)
def test_it_is_explicit_pd_in_the_limit_of_small_steps(
    kp: float, kd: float, error: float, velocity: float, m: float
) -> None:
    args = np.array([kp]), np.array([kd]), np.array([error]), np.array([velocity])
    np.testing.assert_allclose(implicit_pd(*args, mobility(m), ONE, 1e-12), explicit_pd(*args), rtol=1e-4, atol=1e-9)


@given(kp=positive, kd=positive, error=st.floats(-1, 1), velocity=st.floats(-5, 5), m=positive, dt=st.floats(1e-4, 0.1))
def test_the_torque_is_what_the_velocity_after_the_step_asks_for(
    kp: float, kd: float, error: float, velocity: float, m: float, dt: float
) -> None:
    """Eqs. 5 and 6: tau = kp e + kd (ė - dt M tau)."""
    args = np.array([kp]), np.array([kd]), np.array([error]), np.array([velocity])
    tau = implicit_pd(*args, mobility(m), ONE, dt)[0]
    assert tau == pytest.approx(kp * error + kd * (velocity - dt * m * tau), rel=1e-6, abs=1e-6)


@given(kd=st.floats(1.0, 1e9), m=positive, dt=st.floats(1e-4, 0.1))
def test_no_damping_is_too_large(kd: float, m: float, dt: float) -> None:
    """A step never reverses the velocity error; explicit PD does as soon as dt kd M > 1."""
    tau = implicit_pd(np.zeros(1), np.array([kd]), np.zeros(1), np.array([-1.0]), mobility(m), ONE, dt)[0]
    assert 0.0 <= 1.0 + dt * m * tau <= 1.0


def test_hinges_of_one_joint_are_solved_together() -> None:
    rng = np.random.default_rng(0)
    A = rng.normal(size=(3, 3))
    M = (A @ A.T + np.eye(3))[None]
    kp, kd = np.array([100.0, 50.0, 20.0]), np.array([10.0, 8.0, 3.0])
    error, velocity = rng.normal(size=3), rng.normal(size=3)
    tau = implicit_pd(kp, kd, error, velocity, M, THREE, 0.002)
    np.testing.assert_allclose(tau, kp * error + kd * (velocity - 0.002 * M[0] @ tau), atol=1e-9)
