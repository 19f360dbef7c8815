"""A barred way is described by what a reader can check."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.footsteps.limits import Limits
from hmpc.footsteps.obstacle import barrier
from hmpc.types import ContactRegion

LIMITS = Limits(
    forward=0.9,
    backward=0.7,
    inward=0.1,
    outward=0.5,
    up=0.37,
    down=0.37,
    descent=1.34,
    down_effort=4.0,
    knee_room=0.16,
    tolerance=0.01,
    margin=0.03,
    overhang=True,
    sole_use=0.6,
)
FOOT, FORWARD = np.array([0.8, 0.0, 0.0]), np.array([1.0, 0.0])


def region(x: float, z: float, y: float = 0.0) -> ContactRegion:
    return ContactRegion(p_W=np.array([x, y, z]), R_WR=np.eye(3), half_extent=np.array([1.0, 1.0]))


@pytest.mark.parametrize(
    ("next_place", "words"),
    [
        (region(5.0, 0.0), "begins 3.20 m ahead of the foot, level"),
        (region(2.0, 1.0), "begins 0.20 m ahead of the foot, 1.00 m up"),
        (region(2.0, -0.8), "begins 0.20 m ahead of the foot, 0.80 m down"),
        (region(2.0, 0.0, 1.7), "begins 0.20 m ahead of the foot and 0.70 m to its left, level"),
        (region(2.0, 0.0, -1.4), "begins 0.20 m ahead of the foot and 0.40 m to its right, level"),
    ],
)
def test_the_next_place_is_named(next_place: ContactRegion, words: str) -> None:
    assert words in barrier(FOOT, 0.0, FORWARD, [region(0.0, 0.0), next_place], LIMITS)


def test_the_end_of_the_world_is_nothing() -> None:
    assert (
        barrier(FOOT, 0.0, FORWARD, [region(0.0, 0.0), region(-5.0, 0.0)], LIMITS)
        == "There is nothing to step on ahead."
    )


def test_ahead_is_where_the_command_leads() -> None:
    assert "5.20 m" not in barrier(FOOT, 0.0, -FORWARD, [region(0.0, 0.0), region(5.0, 0.0)], LIMITS)


def test_how_far_a_step_leads_to_a_side_is_told_where_it_matters() -> None:
    aside = "0.50 m to a side"
    assert aside in barrier(FOOT, 0.0, FORWARD, [region(0.0, 0.0), region(2.0, 0.0, 1.7)], LIMITS)
    assert aside not in barrier(FOOT, 0.0, FORWARD, [region(0.0, 0.0), region(2.0, 0.0)], LIMITS)
