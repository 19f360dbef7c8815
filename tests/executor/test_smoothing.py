"""Targets move smoothly: they arrive, do not overshoot, and do not depend on the tick."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.executor.smoothing import Follower, fading, quintic

TIME = 0.15  # [s] time constant


def test_a_follower_is_the_critically_damped_oscillator() -> None:
    """From rest at 0 to the goal 1: x(t) = 1 - (1 + t/T) exp(-t/T)."""
    follower = Follower(np.zeros(1), TIME)
    for k in range(1, 200):
        t = 0.002 * k
        motion = follower.follow(np.ones(1), 0.002)
        assert motion.x[0] == pytest.approx(1.0 - (1.0 + t / TIME) * math.exp(-t / TIME), abs=1e-12)
        assert motion.v[0] == pytest.approx(t / TIME**2 * math.exp(-t / TIME), abs=1e-12)
        assert motion.a[0] == pytest.approx((1.0 - t / TIME) / TIME**2 * math.exp(-t / TIME), abs=1e-9)


@given(goal=st.floats(-10.0, 10.0), ticks=st.lists(st.floats(1e-4, 1.0), min_size=1, max_size=50))
def test_a_follower_never_overshoots_whatever_the_ticks(goal: float, ticks: list[float]) -> None:
    follower, x = Follower(np.zeros(1), TIME), 0.0
    for dt in ticks:
        moved = float(follower.follow(np.array([goal]), dt).x[0])
        assert abs(x) - 1e-12 <= abs(moved) <= abs(goal) + 1e-12
        x = moved


@given(st.integers(1, 20))
def test_many_small_ticks_are_one_large_one(pieces: int) -> None:
    one, many = Follower(np.zeros(1), TIME), Follower(np.zeros(1), TIME)
    for _ in range(pieces):
        motion = many.follow(np.ones(1), 0.1 / pieces)
    np.testing.assert_allclose(motion, one.follow(np.ones(1), 0.1), atol=1e-12)


def test_the_goal_moves_no_faster_than_allowed_each_element_by_its_own_limit() -> None:
    follower = Follower(np.zeros(2), TIME, np.array([0.5, 1.0]))
    for _ in range(500):
        motion = follower.follow(np.full(2, 10.0), 0.002)
        assert (motion.v < np.array([0.5, 1.0]) + 1e-9).all()
    np.testing.assert_allclose(motion.v, [0.5, 1.0], rtol=0.02)


def test_what_a_follower_gave_does_not_change_later() -> None:
    follower = Follower(np.zeros(1), TIME)
    first = follower.follow(np.ones(1), 0.01)
    before = first.x.copy()
    follower.follow(np.ones(1), 0.01)
    assert first.x == before


@pytest.mark.parametrize("s", [0.0, 1.0])
def test_a_ramp_is_at_rest_at_both_ends(s: float) -> None:
    assert quintic(s) == (s, 0.0, 0.0)


@given(st.floats(-1.0, 2.0))
def test_a_ramp_rises_stays_between_its_ends_and_is_symmetric(s: float) -> None:
    x, v, _ = quintic(s)
    assert 0.0 <= x <= 1.0 and v >= 0.0
    assert x + quintic(1.0 - s)[0] == pytest.approx(1.0, abs=1e-9)


def test_a_speed_fades_out_where_it_began() -> None:
    assert fading(0.0) == (0.0, 1.0, 0.0)
    assert fading(1.0) == pytest.approx((0.0, 0.0, 0.0))


@pytest.mark.parametrize("curve", [quintic, fading])
@given(st.floats(0.01, 0.99))
def test_the_derivatives_of_a_curve_are_its_derivatives(
    curve: Callable[[float], tuple[float, float, float]], s: float
) -> None:
    h = 1e-5
    (before, v0, _), (_, v, a), (after, v1, _) = curve(s - h), curve(s), curve(s + h)
    assert (after - before) / (2 * h) == pytest.approx(v, abs=1e-6)
    assert (v1 - v0) / (2 * h) == pytest.approx(a, abs=1e-6)
