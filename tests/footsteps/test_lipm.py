from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.footsteps import lipm

OMEGA = 3.2
place = st.floats(-1.0, 1.0)
speed = st.floats(-2.0, 2.0)
duration = st.floats(0.05, 1.0)
double = st.floats(0.0, 0.3)


def integrate(t, double_support, c, v, p0, p1, steps=2000):
    """Runge-Kutta of the pendulum, split at the corner of the COP."""

    def run(c, v, t0, t1):
        h = (t1 - t0) / steps

        def f(t, c, v):
            return v, OMEGA**2 * (c - lipm.cop_at(t, double_support, p0, p1))

        for i in range(steps):
            s = t0 + i * h
            k1 = f(s, c, v)
            k2 = f(s + h / 2, c + h / 2 * k1[0], v + h / 2 * k1[1])
            k3 = f(s + h / 2, c + h / 2 * k2[0], v + h / 2 * k2[1])
            k4 = f(s + h, c + h * k3[0], v + h * k3[1])
            c += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            v += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        return c, v

    corner = min(double_support, t)
    return run(*run(c, v, 0.0, corner), corner, t)


@pytest.mark.parametrize("double_support", [0.0, 0.1, 0.25])
@pytest.mark.parametrize("t", [0.05, 0.2, 0.6])
def test_closed_form_is_what_integration_gives(t, double_support):
    c, v, p0, p1 = 0.1, 0.4, -0.05, 0.3
    closed = lipm.propagate(lipm.phase_map(OMEGA, t, double_support), c, v, p0, p1)
    assert closed == pytest.approx(integrate(t, double_support, c, v, p0, p1), abs=1e-9)


@given(duration, double, place, speed, place, place, place)
def test_moving_the_world_moves_the_motion(t, double_support, c, v, p0, p1, offset):
    phase = lipm.phase_map(OMEGA, t, double_support)
    c1, v1 = lipm.propagate(phase, c, v, p0, p1)
    c2, v2 = lipm.propagate(phase, c + offset, v, p0 + offset, p1 + offset)
    assert (c2, v2) == pytest.approx((c1 + offset, v1), abs=1e-9)


def test_a_short_double_support_is_like_none():
    assert lipm.phase_map(OMEGA, 0.5, 1e-6) == pytest.approx(lipm.phase_map(OMEGA, 0.5, 0.0), abs=1e-3)


def test_arrays_and_complex_numbers_are_the_axes_side_by_side():
    phase = lipm.phase_map(OMEGA, 0.5, 0.1)
    x, y = lipm.propagate(phase, 0.1, 0.5, 0.0, 0.2), lipm.propagate(phase, -0.1, 0.2, 0.1, -0.1)
    c, v = lipm.propagate(phase, 0.1 - 0.1j, 0.5 + 0.2j, 0.1j, 0.2 - 0.1j)
    both = lipm.propagate(phase, *(np.array(a) for a in ([0.1, -0.1], [0.5, 0.2], [0.0, 0.1], [0.2, -0.1])))
    assert (c.real, v.real, c.imag, v.imag) == pytest.approx((*x, *y))
    assert np.array(both).T.ravel() == pytest.approx((*x, *y))


@given(place, speed)
def test_the_com_comes_to_rest_over_its_capture_point(c, v):
    xi = lipm.capture_point(c, v, OMEGA)
    long = lipm.phase_map(OMEGA, 4.0, 0.0)
    c_end, v_end = lipm.propagate(long, c, v, xi, xi)
    assert (c_end, v_end) == pytest.approx((xi, 0.0), abs=1e-4)


@given(place, speed, place, duration)
def test_the_capture_point_runs_away_from_the_cop_exponentially(c, v, p, t):
    c1, v1 = lipm.propagate(lipm.phase_map(OMEGA, t, 0.0), c, v, p, p)
    away = lipm.capture_point(c, v, OMEGA) - p
    assert lipm.capture_point(c1, v1, OMEGA) - p == pytest.approx(math.exp(OMEGA * t) * away, abs=1e-8)


@given(duration, double, place, speed, place, speed)
def test_the_cop_for_an_end_velocity_gives_that_velocity(t, double_support, c, v, p0, v_end):
    phase = lipm.phase_map(OMEGA, t, min(double_support, t / 2))
    p1 = lipm.cop_for_end_velocity(phase, c, v, p0, v_end)
    assert lipm.propagate(phase, c, v, p0, p1)[1] == pytest.approx(v_end, abs=1e-8)


@given(duration, double, place, speed, place, place)
def test_the_cop_for_a_capture_offset_gives_that_offset(t, double_support, c, v, p0, offset):
    phase = lipm.phase_map(OMEGA, t, min(double_support, t / 2))
    p1 = lipm.cop_for_capture_offset(phase, OMEGA, c, v, p0, offset)
    c1, v1 = lipm.propagate(phase, c, v, p0, p1)
    assert lipm.capture_point(c1, v1, OMEGA) - p1 == pytest.approx(offset, abs=1e-8)


def end_of_two_phases(phase, p1, p2):
    c, v = lipm.propagate(phase, 0.1, 0.5, 0.0, p1)
    return lipm.propagate(phase, c, v, p1, p2)


def test_a_coupled_shift_makes_up_for_a_moved_cop():
    """Fig. 3c: with the second COP moved by 10 cm, a shift of the first brings both ends back."""
    phase, p1, p2 = lipm.phase_map(OMEGA, 0.6, 0.1), 0.25, 0.6
    moved = p2 + 0.1
    c_wanted, v_wanted = end_of_two_phases(phase, p1, p2)
    target = lipm.capture_point(c_wanted, v_wanted, OMEGA) - p2
    c_moved, v_moved = end_of_two_phases(phase, p1, moved)
    error = lipm.capture_point(c_moved, v_moved, OMEGA) - moved - target

    shift = lipm.coupled_cop_shift(phase, phase, OMEGA, error, damping=0.0)
    c, v = end_of_two_phases(phase, p1 + shift, moved)
    assert lipm.capture_point(c, v, OMEGA) - moved == pytest.approx(target, abs=1e-9)
    assert abs(v - v_wanted) < 0.2 * abs(v_moved - v_wanted)
    assert abs(shift) < 0.03  # a little, early, does as much as a lot, late


def test_damping_makes_the_coupled_shift_smaller():
    phase = lipm.phase_map(OMEGA, 0.6, 0.1)
    free, damped = (lipm.coupled_cop_shift(phase, phase, OMEGA, 0.3, damping) for damping in (0.0, 10.0))
    assert 0.0 < damped / free < 1.0


def test_a_leap_is_a_push_a_flight_and_a_stance():
    c, v, p0, p1, push, flight, rest = 0.2, 1.5, 0.0, 1.1, 0.12, 0.2, 0.4

    def at(t):
        return lipm.propagate(lipm.leap_map(OMEGA, t, push, flight), c, v, p0, p1)

    assert at(0.99 * push) == pytest.approx(lipm.propagate(lipm.phase_map(OMEGA, 0.99 * push, 0.0), c, v, p0, p0))
    (early, speed), (late, same) = at(push + 0.1), at(push + 0.15)
    assert same == pytest.approx(speed)
    assert late == pytest.approx(early + 0.05 * speed)
    landed = push + flight
    caught = speed + lipm.catch_gain(OMEGA, 0.5 * flight) * (at(landed)[0] - p1)
    assert at(landed)[1] == pytest.approx(caught)
    assert at(landed + rest) == pytest.approx(lipm.propagate(lipm.phase_map(OMEGA, rest, 0.0), *at(landed), p1, p1))


def test_moving_the_world_moves_a_leap():
    leap = lipm.leap_map(OMEGA, 0.7, 0.12, 0.2)
    c, v = lipm.propagate(leap, 0.2, 1.5, 0.0, 1.1)
    assert lipm.propagate(leap, 3.2, 1.5, 3.0, 4.1) == pytest.approx((c + 3.0, v))
