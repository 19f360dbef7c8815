"""Regions seen from above, and the room that a sole has on them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hmpc.footsteps.ground import Ground, landing_area, nearest_place
from hmpc.geometry import rotation_zyx
from hmpc.types import ContactRegion

SOLE = np.array([0.13, 0.045])


def region(x: float, z: float, half: tuple[float, float] = (0.5, 0.5), pitch: float = 0.0) -> ContactRegion:
    return ContactRegion(
        p_W=np.array([x, 0.0, z]), R_WR=rotation_zyx(0.0, pitch, 0.0), half_extent=np.array(half), mu=0.8
    )


def test_the_highest_region_counts_and_a_gap_has_no_height() -> None:
    ground = Ground([region(0.0, 0.0), region(0.3, 0.2), region(2.0, 0.1)])
    points = np.array([[-0.4, 0.0], [0.3, 0.0], [1.2, 0.0], [2.0, 0.0], [0.0, 0.6]])
    np.testing.assert_allclose(ground.heights(points), [0.0, 0.2, -math.inf, 0.1, -math.inf])


def test_a_slope_is_as_high_as_its_plane() -> None:
    ground = Ground([region(0.0, 0.0, pitch=-0.2)])
    np.testing.assert_allclose(ground.heights(np.array([[0.3, 0.1]])), 0.3 * math.tan(0.2))


def test_toes_on_the_edge_of_a_step_are_no_landing() -> None:
    ground = Ground([region(0.0, 0.0), region(1.0, 0.3)])
    on_edge, on_step, beyond = np.array([0.45, 0.0, 0.31]), np.array([0.65, 0.0, 0.31]), np.array([3.0, 0.0, 0.0])
    assert not ground.is_under(on_edge, 0.1)
    assert ground.is_under(on_step, 0.1)
    assert ground.is_under(beyond, 0.1)


def test_a_sole_stays_on_its_region() -> None:
    area = landing_area(region(1.0, 0.3), SOLE, 0.0, 0.02)
    np.testing.assert_allclose(nearest_place(np.array([1.1, 0.2]), area), [1.1, 0.2, 0.3])
    np.testing.assert_allclose(nearest_place(np.array([2.0, 2.0]), area), [1.5 - 0.15, 0.5 - 0.065, 0.3])
    sideways = landing_area(region(1.0, 0.3), SOLE, 0.5 * math.pi, 0.02)
    np.testing.assert_allclose(nearest_place(np.array([2.0, 2.0]), sideways), [1.5 - 0.065, 0.5 - 0.15, 0.3])


def test_a_small_stone_is_stepped_on_in_its_middle() -> None:
    area = landing_area(region(1.0, 0.0, half=(0.1, 0.1)), SOLE, 0.0, 0.02)
    assert nearest_place(np.array([5.0, 0.0]), area)[0] == pytest.approx(1.0 + 0.05)


def test_on_a_slope_the_foothold_lies_in_its_plane() -> None:
    p = nearest_place(np.array([0.3, 0.0]), landing_area(region(0.0, 0.0, pitch=-0.2), SOLE, 0.0, 0.02))
    assert p[2] == pytest.approx(p[0] * math.tan(0.2))
