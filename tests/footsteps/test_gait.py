from __future__ import annotations

import cmath
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.errors import InputError
from hmpc.footsteps import lipm
from hmpc.footsteps.gait import LEFT, RIGHT, StepTiming, periodic_gait, step_timing
from hmpc.params import FootstepParams
from hmpc.types import Command

OMEGA = 3.2
TIMING = StepTiming(double_support=0.1, single_support=0.5)
COMMANDS = [(0.6, 0.0, 0.0), (-0.6, 0.0, 0.0), (0.0, 0.25, 0.0), (0.5, -0.2, 0.0), (0.8, 0.0, 0.8), (0.3, 0.1, -1.2)]


def walk(gait, steps, *, c=None, v=None):
    """COM, COP and velocity at the end of each phase when every foot is put where the capture point wants it."""
    phase = lipm.phase_map(OMEGA, TIMING.duration, TIMING.double_support)
    side, heading, p = LEFT, 1.0 + 0.0j, 0.5j * gait.width
    c = p + gait.end_offset(side) if c is None else c
    v = gait.end_velocity(side) if v is None else v
    states = [(c, v, p, heading)]
    for _ in range(steps):
        side, heading = -side, heading * cmath.exp(1j * gait.turn)
        p1 = lipm.cop_for_capture_offset(phase, OMEGA, c, v, p, gait.capture_offset(side) * heading)
        (c, v), p = lipm.propagate(phase, c, v, p, p1), p1
        states.append((c, v, p, heading))
    return states


@pytest.mark.parametrize(("vx", "vy", "yaw_rate"), COMMANDS)
def test_the_orbit_repeats_itself_in_the_heading_frame(vx, vy, yaw_rate):
    gait = periodic_gait(complex(vx, vy), yaw_rate, 0.2, TIMING, OMEGA)
    for k, (c, v, p, heading) in enumerate(walk(gait, 8)):
        side = LEFT if k % 2 == 0 else RIGHT
        assert (c - p) / heading == pytest.approx(gait.end_offset(side), abs=1e-9)
        assert v / heading == pytest.approx(gait.end_velocity(side), abs=1e-9)


@pytest.mark.parametrize(("vx", "vy", "yaw_rate"), COMMANDS)
def test_the_steps_of_the_orbit_are_those_of_the_gait(vx, vy, yaw_rate):
    gait = periodic_gait(complex(vx, vy), yaw_rate, 0.2, TIMING, OMEGA)
    (_, _, left, heading), (_, _, right, _) = walk(gait, 1)
    assert (right - left) / heading == pytest.approx(gait.step(RIGHT) * cmath.exp(0.5j * gait.turn), abs=1e-9)


@pytest.mark.parametrize(("vx", "vy", "yaw_rate"), COMMANDS)
def test_the_com_moves_as_commanded(vx, vy, yaw_rate):
    """Mean of the velocity in the heading frame over two steps, by fine sampling of the closed form."""
    gait = periodic_gait(complex(vx, vy), yaw_rate, 0.2, TIMING, OMEGA)
    states = walk(gait, 2)
    t = (np.arange(2000) + 0.5) / 2000 * TIMING.duration
    phase = lipm.phase_map(OMEGA, t, TIMING.double_support)
    mean = 0.0
    for (c, v, p0, heading), (_, _, p1, _) in pairwise(states):
        turned = heading * np.exp(1j * yaw_rate * (t + 0.5 * TIMING.single_support))
        mean += np.mean(lipm.propagate(phase, c, v, p0, p1)[1] / turned) / 2
    assert mean == pytest.approx(complex(vx, vy), abs=0.01 * abs(yaw_rate) + 1e-6)


@pytest.mark.parametrize(("vx", "vy", "yaw_rate"), COMMANDS)
def test_any_start_converges_to_the_orbit(vx, vy, yaw_rate):
    gait = periodic_gait(complex(vx, vy), yaw_rate, 0.2, TIMING, OMEGA)
    states = walk(gait, 8, c=0.15 + 0.02j, v=0.1 + 0.3j)
    c, v, p, heading = states[-1]
    assert (c - p) / heading == pytest.approx(gait.end_offset(LEFT), abs=1e-5)
    assert v / heading == pytest.approx(gait.end_velocity(LEFT), abs=1e-5)


@given(st.floats(-1.0, 1.0), st.floats(-0.3, 0.3), st.floats(-1.0, 1.0))
def test_left_and_right_are_mirror_images(vx, vy, yaw_rate):
    gait = periodic_gait(complex(vx, vy), yaw_rate, 0.2, TIMING, OMEGA)
    mirrored = periodic_gait(complex(vx, -vy), -yaw_rate, 0.2, TIMING, OMEGA)
    assert mirrored.end_velocity(RIGHT).conjugate() == pytest.approx(gait.end_velocity(LEFT), abs=1e-9)
    assert mirrored.capture_offset(LEFT).conjugate() == pytest.approx(gait.capture_offset(RIGHT), abs=1e-9)
    assert mirrored.step(RIGHT).conjugate() == pytest.approx(gait.step(LEFT), abs=1e-9)


def test_a_turning_body_leans_inwards():
    gait = periodic_gait(0.8 + 0j, 0.8, 0.2, TIMING, OMEGA)
    straight = periodic_gait(0.8 + 0j, 0.0, 0.2, TIMING, OMEGA)
    assert gait.com_mean.imag > straight.com_mean.imag + 0.03  # to the left, where the centre of the turn is
    assert abs(gait.path_step) > 0.8 * TIMING.duration  # the feet take the outer circle


def test_sideways_steps_keep_the_feet_apart():
    gait = periodic_gait(0.3j, 0.0, 0.2, TIMING, OMEGA, min_width=0.12)
    assert -gait.step(RIGHT).imag == pytest.approx(0.12)
    assert gait.step(LEFT).imag > 0.12


def test_faster_walking_takes_quicker_steps():
    params = FootstepParams()
    durations = [step_timing(Command(velocity_H=np.array([v, 0.0])), params).duration for v in (0.0, 0.7, 1.1, 2.0)]
    assert durations[0] == durations[1] > durations[2] > durations[3]
    slow, fast = step_timing(Command(), params), step_timing(Command(velocity_H=np.array([2.0, 0.0])), params)
    assert (slow.single_support, fast.single_support) == (params.single_support_max, params.single_support_min)


def test_a_commanded_step_duration_is_kept():
    timing = step_timing(Command(step_duration=0.8), FootstepParams())
    assert timing.duration == pytest.approx(0.8)
    assert timing.double_support <= FootstepParams().double_support_max


@pytest.mark.parametrize("step_duration", [0.0, 0.1, -1.0])
def test_impossible_step_durations_are_refused(step_duration):
    with pytest.raises(InputError, match="must last longer"):
        step_timing(Command(step_duration=step_duration), FootstepParams())


def test_a_step_cannot_turn_by_ninety_degrees():
    with pytest.raises(InputError, match="90 degrees"):
        periodic_gait(0j, math.pi / TIMING.duration, 0.2, TIMING, OMEGA)
