from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.errors import InputError
from hmpc.footsteps.limits import Legs, can_be_stepped_on, capture_bounds, feet, legs_of, step_limits
from hmpc.footsteps.lipm import phase_map
from hmpc.geometry import rotation_zyx
from hmpc.params import FootstepParams
from hmpc.types import ContactRegion

OMEGA = 3.2


def test_the_left_foot_comes_first(body):
    assert feet(body) == ("left_foot", "right_foot")
    assert feet(replace(body, limbs=body.limbs[::-1])) == ("left_foot", "right_foot")


def test_walking_needs_two_feet(body):
    with pytest.raises(InputError, match="two feet"):
        feet(replace(body, limbs=body.limbs[:1]))


@given(st.floats(0.0, 1.0), st.floats(0.0, 0.15), st.floats(0.35, 0.8))
def test_steps_within_the_limits_keep_a_captured_body_captured(share, double_support, duration):
    """From anywhere within the bounds some step leads back into them; from outside none does."""
    legs = Legs(
        sole=np.array([[0.13, 0.045]] * 2), root=np.zeros((2, 3)), reach=np.full(2, 0.925), longest=np.full(2, 0.965)
    )
    limits = step_limits(legs, FootstepParams())
    phase = phase_map(OMEGA, duration, double_support)
    bounds = capture_bounds(limits, phase, OMEGA)

    def best_next(offset, step_range, sign, target):
        """The offset after the step that brings it nearest to the middle of the bounds."""
        growth = phase.cc + OMEGA * phase.cv
        per_step = phase.c1 + phase.v1 / OMEGA - 1.0  # change of the next offset for each metre of step
        step = np.clip((sign * target - growth * offset) / per_step, *step_range)
        return sign * (growth * offset + per_step * step)

    for low, high, steps, sign in (
        (bounds.back, bounds.front, (-limits.backward, limits.forward), 1.0),
        (bounds.inner, bounds.outer, (limits.inward, limits.outward), -1.0),
    ):
        inside = low + share * (high - low)
        assert low - 1e-9 <= best_next(inside, steps, sign, 0.5 * (low + high)) <= high + 1e-9
        for outside in (low - 0.01, high + 0.01):
            after = best_next(outside, steps, sign, 0.5 * (low + high))
            assert not low <= after <= high


def test_the_legs_of_a_body_are_left_then_right(body):
    legs = legs_of(body, 0.04)
    assert legs.root[0, 1] > 0.0 > legs.root[1, 1]


@pytest.mark.parametrize(
    ("pitch", "half_extent", "bilateral", "expected"),
    [
        (0.0, (0.2, 0.2), False, True),
        (0.3, (0.2, 0.2), False, True),
        (1.0, (0.2, 0.2), False, False),  # too steep
        (3.1, (0.2, 0.2), False, False),  # a ceiling
        (0.0, (1.0, 0.0), False, False),  # a rail
        (0.0, (0.2, 0.2), True, False),  # a bar to hold
    ],
)
def test_what_can_be_stepped_on(pitch, half_extent, bilateral, expected):
    region = ContactRegion(
        p_W=np.zeros(3), R_WR=rotation_zyx(0.0, pitch, 0.0), half_extent=np.array(half_extent), bilateral=bilateral
    )
    assert can_be_stepped_on(region, FootstepParams()) is expected
