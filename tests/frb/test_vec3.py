from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hmpc.frb.vec3 import apply_transposed, rotate, rotation_between
from hmpc.geometry import rotation_exp

angle = st.floats(-1.7, 1.7)
vector = st.tuples(angle, angle, angle)


@given(vector, vector)
def test_rotate_is_the_exponential_map(phi: tuple[float, float, float], psi: tuple[float, float, float]) -> None:
    R, out = rotation_exp(np.array(psi)), np.empty((3, 3))
    rotate(phi, R, out)
    np.testing.assert_allclose(out, rotation_exp(np.array(phi)) @ R, atol=1e-9)


@given(vector, vector)
def test_rotation_between_undoes_rotate(phi: tuple[float, float, float], psi: tuple[float, float, float]) -> None:
    R, out = rotation_exp(np.array(psi)), np.empty((3, 3))
    rotate(phi, R, out)
    np.testing.assert_allclose(rotation_between(R, out), phi, atol=1e-6)


def test_rotate_stays_orthonormal_for_a_huge_angle() -> None:
    out = np.empty((3, 3))
    rotate((1e8, -3e7, 2e7), np.eye(3), out)
    np.testing.assert_allclose(out @ out.T, np.eye(3), atol=1e-6)


def test_apply_transposed_takes_world_to_body() -> None:
    R = rotation_exp(np.array([0.3, -0.2, 0.9]))
    np.testing.assert_allclose(apply_transposed(R, (1.0, 2.0, 3.0)), R.T @ [1.0, 2.0, 3.0])
