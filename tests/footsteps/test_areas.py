from __future__ import annotations

import math

import numpy as np
import pytest
from numba import njit

from hmpc.footsteps import areas
from hmpc.geometry import rotation_zyx
from hmpc.types import ContactRegion

SOLE = (0.13, 0.05)
MARGIN = 0.03


@njit
def place(ground, region, sole, yaw, margin, overhang, target):
    """The kernels are called by other kernels only: one for the tests."""
    area = areas.safe_area(ground, region, sole, yaw, margin, overhang)
    p = areas.clamp(area, target)
    return area.half_x, area.half_y, p, areas.height_at(ground, region, p)


@njit
def meet(first_center, first_angle, second_center, target):
    first = areas.rectangle(first_center, complex(math.cos(first_angle), math.sin(first_angle)), 0.5, 0.2)
    second = areas.rectangle(second_center, 1.0 + 0.0j, 0.5, 0.2)
    p = areas.clamp_to_both(target, first, second)
    return abs(p - areas.clamp(first, p)), abs(p - areas.clamp(second, p))


@njit
def share(half, p, move):
    return areas.allowed_share(areas.rectangle(0.0 + 0.0j, 1.0 + 0.0j, half, half), p, move)


@njit
def top(ground, p, ceiling):
    return areas.ground_height(ground, p, ceiling)


@njit
def is_out_of_reach(ground, center, direction, distance):
    return areas.out_of_reach(ground, 0, areas.rectangle(center, direction, 0.3, 0.1), distance)


def region(half_x, half_y, *, p=(0.0, 0.0, 0.0), yaw=0.0, pitch=0.0):
    return ContactRegion(p_W=np.array(p), R_WR=rotation_zyx(yaw, pitch, 0.0), half_extent=np.array([half_x, half_y]))


def place_on(surface, target, *, yaw=0.0, overhang=True):
    return place(areas.surfaces([surface]), 0, SOLE, yaw, MARGIN, overhang, target)


def test_on_a_large_region_the_whole_sole_keeps_the_margin():
    _, _, p, _ = place_on(region(1.0, 1.0), 5.0 + 5.0j)
    assert p == pytest.approx(complex(1.0 - MARGIN - SOLE[0], 1.0 - MARGIN - SOLE[1]))


def test_a_sole_turned_across_needs_its_length_sideways():
    _, _, p, _ = place_on(region(1.0, 1.0), 5.0 + 5.0j, yaw=math.pi / 2)
    assert p == pytest.approx(complex(1.0 - MARGIN - SOLE[1], 1.0 - MARGIN - SOLE[0]))


def test_a_stone_smaller_than_the_sole_lies_under_it():
    stone = 0.08
    half_x, _, p, _ = place_on(region(stone, stone), 1.0 + 0.0j)
    assert p.real + SOLE[0] >= stone
    assert p.real - SOLE[0] <= -stone + MARGIN
    assert 0.0 <= half_x <= stone - MARGIN  # the middle of the sole is on the stone


def test_without_overhang_small_stones_are_out():
    half_x, _, _, _ = place_on(region(0.08, 0.08), 0.0j, overhang=False)
    assert half_x < 0.0


def test_a_rail_is_no_place_for_a_foot():
    _, half_y, _, _ = place_on(region(1.0, 0.0), 0.0j)
    assert half_y < 0.0


def test_a_foothold_on_a_slope_is_on_its_plane():
    slope = region(1.0, 1.0, p=(0.3, -0.2, 0.5), yaw=0.4, pitch=-0.3)
    _, _, p, z = place_on(slope, 0.6 + 0.1j)
    offset_W = np.array([p.real, p.imag, z]) - slope.p_W
    assert offset_W @ slope.R_WR[:, 2] == pytest.approx(0.0, abs=1e-12)
    assert p == pytest.approx(0.6 + 0.1j)  # above the point, where the slope is large enough


def test_projections_in_turn_find_a_common_point():
    assert meet(0.0j, 0.5, 0.6 + 0.2j, 2.0 + 0.0j) == pytest.approx((0.0, 0.0), abs=1e-3)


def test_areas_apart_have_no_common_point():
    on_first, on_second = meet(0.0j, 0.5, 3.0 + 0.0j, 2.0 + 0.0j)
    assert on_first == pytest.approx(0.0, abs=1e-9)
    assert on_second > 1.0


def test_a_move_is_allowed_up_to_the_edge():
    assert share(0.5, 0.2 + 0.0j, 0.6 + 0.0j) == pytest.approx(0.5)
    assert share(0.5, 0.2 + 0.0j, 0.2 + 0.1j) == 1.0


def test_from_outside_only_moves_inwards_are_allowed():
    assert share(0.5, 0.7 + 0.0j, 0.1 + 0.0j) == 0.0
    assert share(0.5, 0.7 + 0.0j, -0.1 + 0.0j) == 1.0


def test_the_top_of_a_block_hides_the_floor_but_a_bridge_does_not():
    floor, block, bridge = region(5.0, 5.0), region(0.5, 0.5, p=(1.0, 0.0, 0.4)), region(0.5, 0.5, p=(3.0, 0.0, 2.5))
    ground = areas.surfaces([floor, block, bridge])
    assert top(ground, 1.0 + 0.0j, 2.0) == pytest.approx(0.4)
    assert top(ground, 3.0 + 0.0j, 2.0) == pytest.approx(0.0)
    assert top(ground, 9.0 + 0.0j, 2.0) == -math.inf


def test_what_is_told_to_be_out_of_reach_has_no_point_within_it():
    rng = np.random.default_rng(0)
    told = 0
    for _ in range(200):
        stone = region(*rng.uniform(0.05, 1.0, 2), yaw=rng.uniform(-3, 3), pitch=rng.uniform(-0.3, 0.3))
        center, direction = complex(*rng.uniform(-2.0, 2.0, 2)), np.exp(1j * rng.uniform(-3, 3))
        if is_out_of_reach(areas.surfaces([stone]), center, direction, 0.02):
            told += 1
            on_stone = (rng.uniform(-1, 1, (500, 2)) * stone.half_extent) @ stone.R_WR[:2, :2].T
            offset = np.conj(direction) * (on_stone[:, 0] + 1j * on_stone[:, 1] - center)
            assert not ((abs(offset.real) < 0.32) & (abs(offset.imag) < 0.12)).any()
    assert told > 20
