"""Filters are projections: into the set, idempotent, and onto its closest point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmpc.frb.filtering import (
    cop_center,
    limit_force,
    project_cop,
    project_force,
    project_interval,
    project_on_cone,
    reach_fraction,
)
from hmpc.geometry import rotation_z, rotation_zyx

number = st.floats(-1000.0, 1000.0)
vector = st.tuples(number, number, number)
friction = st.floats(0.1, 1.5)
coordinate = st.floats(-1.0, 1.0)
UP = (0.0, 0.0, 1.0)
SOLE, ROOM = np.array([0.12, 0.045]), np.array([0.3, 0.1])


def in_cone(f: tuple[float, float, float], mu: float) -> bool:
    return bool(np.hypot(f[0], f[1]) <= mu * f[2] + 1e-9)


@given(vector, friction)
def test_projected_force_lies_in_the_cone_and_stays_there(f: tuple[float, float, float], mu: float) -> None:
    once = project_on_cone(f, UP, mu)
    assert in_cone(once, mu)
    np.testing.assert_allclose(project_on_cone(once, UP, mu), once, atol=1e-9)


@given(vector, friction, st.floats(0.0, 1000.0), st.floats(0.0, 6.3), st.floats(0.0, 1.0))
def test_no_force_in_the_cone_is_closer(
    f: tuple[float, float, float], mu: float, normal: float, angle: float, share: float
) -> None:
    tangent = share * mu * normal
    other = np.array([tangent * np.cos(angle), tangent * np.sin(angle), normal])
    projected = np.array(project_on_cone(f, UP, mu))
    assert np.linalg.norm(projected - f) <= np.linalg.norm(other - f) + 1e-9


@given(vector)
def test_limited_force_keeps_its_direction(f: tuple[float, float, float]) -> None:
    limited = np.array(limit_force(f, 300.0))
    assert np.linalg.norm(limited) <= 300.0 + 1e-9
    assert np.linalg.norm(np.cross(limited, f)) <= 1e-6 * (1.0 + np.linalg.norm(f) ** 2)
    np.testing.assert_allclose(limit_force(tuple(limited), 300.0), limited)


@given(vector, friction)
def test_unilateral_contact_never_pulls_and_obeys_both_limits(f: tuple[float, float, float], mu: float) -> None:
    g = project_force(f, UP, mu, False, 400.0)
    assert in_cone(g, mu)
    assert np.linalg.norm(g) <= 400.0 + 1e-9


def test_closed_hand_may_pull() -> None:
    pull = (10.0, 0.0, -200.0)
    assert project_force(pull, UP, 0.8, True, 300.0) == pull
    assert project_force(pull, UP, 0.8, False, 300.0) == (0.0, 0.0, 0.0)


def test_force_fades_out_beyond_reach_without_a_jump() -> None:
    distances = np.linspace(0.8, 1.1, 301)
    fraction = np.array([reach_fraction(d, 0.95, 0.03) for d in distances])
    assert np.all(fraction[distances <= 0.95] == 1.0)
    assert np.all(fraction[distances >= 0.98] == 0.0)
    steps = np.diff(fraction)
    assert np.all(steps <= 0.0)
    assert steps.min() > -0.05


@settings(max_examples=60)
@given(st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=4), st.floats(-3.0, 3.0), st.booleans())
def test_filtered_cop_lies_in_the_sole_and_the_sole_in_its_region(
    points: list[tuple[float, float]], yaw: float, fixed: bool
) -> None:
    R_WR = rotation_zyx(0.4, 0.2, -0.1)
    R_WL = R_WR @ rotation_z(yaw)
    region, center = np.array([0.5, -0.2, 0.3]), np.array([0.6, -0.1, 0.28])
    cop = np.array([region + R_WR @ [x, y, 0.0] for x, y in points])
    raw = cop.copy()

    def project() -> float:
        return project_cop(cop, fixed, tuple(center), R_WL, SOLE, tuple(region), R_WR, ROOM)

    moved = project()
    assert moved == pytest.approx(np.sum((cop - raw) ** 2))
    if not fixed:
        center = np.array(cop_center(cop, R_WL))
        assert np.all(np.abs((R_WR.T @ (center - region))[:2]) <= ROOM + 1e-9)
    assert np.all(np.abs(((cop - center) @ R_WL)[:, :2]) <= SOLE + 1e-9)
    assert project() == pytest.approx(0.0, abs=1e-20)


def test_cop_within_its_rectangle_is_left_alone() -> None:
    cop = np.array([[0.0, 0.01, 0.0], [0.1, -0.01, 0.0]])
    assert project_cop(cop, True, (0.05, 0.0, 0.0), np.eye(3), SOLE, (0.0, 0.0, 0.0), np.eye(3), ROOM) == 0.0
    np.testing.assert_array_equal(cop, [[0.0, 0.01, 0.0], [0.1, -0.01, 0.0]])


@given(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0), st.floats(-1.0, 1.0), st.booleans())
def test_filtered_interval_is_ordered_and_stays(t_s: float, t_f: float, earliest: float, fixed: bool) -> None:
    if fixed:
        t_s = min(t_s, earliest)
    once = project_interval(t_s, t_f, earliest, fixed, 0.1)
    assert once[0] <= once[1]
    assert once[0] == t_s if fixed else once[0] >= earliest
    assert project_interval(*once, earliest, fixed, 0.1) == once
