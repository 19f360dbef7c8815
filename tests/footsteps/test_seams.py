"""Where ground goes on, there is one region."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.footsteps.seams import over_low_edges, without_seams
from hmpc.geometry import rotation_zyx
from hmpc.types import ContactRegion
from tests.footsteps.scenes import level


def piece(x0, x1, y0, y1, z=0.0, mu=0.8):
    half = 0.5 * np.array([x1 - x0, y1 - y0])
    return ContactRegion(p_W=(0.5 * (x0 + x1), 0.5 * (y0 + y1), z), R_WR=np.eye(3), half_extent=half, mu=mu)


def bounds(region):
    low, high = region.p_W[:2] - region.half_extent, region.p_W[:2] + region.half_extent
    return pytest.approx((low[0], high[0], low[1], high[1]))


def test_pieces_of_a_floor_are_one():
    tiles = [piece(x, x + 1.0, y, y + 1.0) for x in range(3) for y in range(2)]
    (floor,) = without_seams(tiles)
    assert bounds(floor) == (0.0, 3.0, 0.0, 2.0)


def test_a_beam_reaches_onto_the_ground_at_its_ends():
    ground, beam, beyond = piece(-2.0, 0.0, -1.5, 1.5), piece(0.0, 5.0, -0.2, 0.2), piece(5.0, 7.0, -1.5, 1.5)
    found = without_seams([ground, beam, beyond])
    assert len(found) == 3
    assert bounds(min(found, key=lambda region: region.half_extent[1])) == (-2.0, 7.0, -0.2, 0.2)
    assert {id(ground), id(beyond)} < {id(region) for region in found}


@pytest.mark.parametrize(
    "other",
    [
        piece(1.0, 2.0, 0.0, 1.0, z=0.1),  # a step
        piece(1.1, 2.0, 0.0, 1.0),  # a gap
        piece(1.0, 2.0, 0.5, 1.5),  # beside it
        piece(1.0, 2.0, 0.0, 1.0, mu=0.3),  # ice
    ],
)
def test_what_ends_is_left_as_it_is(other):
    first = piece(0.0, 1.0, 0.0, 1.0)
    assert without_seams([first, other]) == (first, other)


def test_feet_stand_on_seams(planner_on):
    """The nearest foothold to a seam is on it."""
    planner = planner_on(level(-1.0, 0.5), level(0.5, 3.0))
    assert len(planner.regions) == 1


def test_a_foot_may_stand_across_a_low_edge():
    low, high = piece(0.0, 1.0, 0.0, 1.0), piece(1.0, 2.0, 0.0, 1.0, z=0.01)
    grown = over_low_edges([low, high], reach=0.2, step=0.02)
    assert bounds(grown[0]) == (0.0, 1.2, 0.0, 1.0)
    assert bounds(grown[1]) == (0.8, 2.0, 0.0, 1.0)
    assert [float(region.p_W[2]) for region in grown] == [0.0, 0.01]


def test_where_four_slabs_meet_each_goes_on_around_the_corner():
    slabs = [piece(x, x + 1.0, y, y + 1.0, z=0.005 * (x + y)) for x in range(2) for y in range(2)]
    assert bounds(over_low_edges(slabs, reach=0.2, step=0.02)[0]) == (0.0, 1.2, 0.0, 1.2)


def test_a_tilted_slab_goes_on_in_its_own_plane():
    low = piece(0.0, 1.0, 0.0, 1.0)
    R_WR = rotation_zyx(0.0, -0.05, 0.0)
    tilted = ContactRegion(p_W=(1.5, 0.5, 0.025), R_WR=R_WR, half_extent=(0.5, 0.5), mu=0.8)
    _, grown = over_low_edges([low, tilted], reach=0.2, step=0.02)
    np.testing.assert_allclose(grown.R_WR, R_WR)
    np.testing.assert_allclose(grown.p_W, tilted.p_W - 0.1 * R_WR[:, 0])


@pytest.mark.parametrize(
    "other",
    [
        piece(1.0, 2.0, 0.0, 1.0, z=0.05),  # a step
        piece(1.05, 2.0, 0.0, 1.0),  # a gap
        piece(1.0, 2.0, 0.5, 1.5),  # half of the edge leads nowhere
        piece(1.0, 1.1, 0.0, 1.0),  # a ledge
        piece(1.0, 2.0, 0.0, 1.0, mu=0.3),  # ice
    ],
)
def test_other_edges_are_kept_from(other):
    first = piece(0.0, 1.0, 0.0, 1.0)
    assert over_low_edges([first, other], reach=0.2, step=0.02)[0] is first
