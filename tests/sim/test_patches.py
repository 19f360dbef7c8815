"""Regions of meshes lie on them, are as large as they can be, and leave out what cannot be stepped on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hmpc.errors import InputError
from hmpc.geometry import rotation_zyx
from hmpc.sim.patches import PatchParams, cover, heightfield_mesh, mesh_regions
from hmpc.types import ContactRegion

MARGIN = PatchParams().margin


def area(regions: tuple[ContactRegion, ...]) -> float:
    return sum(4.0 * float(region.half_extent.prod()) for region in regions)


def corners(region: ContactRegion) -> np.ndarray:
    signs = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    return region.p_W + (signs * region.half_extent) @ region.R_WR[:, :2].T


def test_a_level_field_is_one_region_less_its_margin() -> None:
    (region,) = mesh_regions(*heightfield_mesh(np.full((11, 21), 0.3), 0.1), mu=0.7)
    np.testing.assert_allclose(region.p_W, (1.0, 0.5, 0.3), atol=1e-9)
    np.testing.assert_allclose(sorted(region.half_extent), (0.5 - MARGIN, 1.0 - MARGIN), atol=1e-9)
    np.testing.assert_allclose(region.R_WR[:, 2], (0, 0, 1), atol=1e-9)
    assert region.mu == 0.7


@pytest.mark.parametrize("angle", [0.2, -0.35])
def test_a_slope_is_one_region_in_its_plane(angle: float) -> None:
    x = 0.1 * np.arange(31)
    vertices, faces = heightfield_mesh(np.tile(math.tan(angle) * x, (11, 1)), 0.1)
    (region,) = mesh_regions(vertices, faces, mu=0.8)
    np.testing.assert_allclose(region.R_WR[:, 2], rotation_zyx(0.0, -angle, 0.0)[:, 2], atol=1e-9)
    np.testing.assert_allclose(corners(region)[:, 2], math.tan(angle) * corners(region)[:, 0], atol=1e-9)
    assert np.linalg.det(region.R_WR) == pytest.approx(1.0)


def test_steps_are_regions_of_their_own_and_risers_are_none() -> None:
    heights = np.tile(np.repeat([0.0, 0.2, 0.4], 10), (11, 1))
    regions = mesh_regions(*heightfield_mesh(heights, 0.05), mu=0.8)
    assert sorted(round(float(region.p_W[2]), 6) for region in regions) == [0.0, 0.2, 0.4]


def test_what_is_too_steep_is_left_out() -> None:
    x = 0.1 * np.arange(21)
    assert mesh_regions(*heightfield_mesh(np.tile(1.2 * x, (11, 1)), 0.1), mu=0.8) == ()


def test_an_angled_room_is_covered_by_overlapping_rectangles() -> None:
    heights = np.zeros((41, 41))
    heights[20:, 20:] = -1.0  # an L is left
    regions = [r for r in mesh_regions(*heightfield_mesh(heights, 0.05), mu=0.8) if r.p_W[2] > -0.5]
    assert len(regions) == 2
    assert area(tuple(regions)) > 2 * 1.7 * 0.8
    for region in regions:
        assert not ((corners(region)[:, 0] > 1.0) & (corners(region)[:, 1] > 1.0)).any()


def test_every_region_of_a_hilly_field_is_close_to_it() -> None:
    x, y = np.meshgrid(0.1 * np.arange(31), 0.1 * np.arange(21))
    surface = 0.1 * np.sin(1.5 * x) + 0.05 * np.cos(2.0 * y)
    regions = mesh_regions(*heightfield_mesh(surface, 0.1), mu=0.8)
    assert area(regions) > 0.4 * 3.0 * 2.0
    for region in regions:
        for p in corners(region):
            assert p[2] == pytest.approx(0.1 * math.sin(1.5 * p[0]) + 0.05 * math.cos(2.0 * p[1]), abs=0.03)


def test_a_cover_contains_only_open_cells_and_all_that_are_wide_enough() -> None:
    cells = np.random.default_rng(3).random((12, 15)) < 0.85
    covered = np.zeros_like(cells)
    for i0, i1, j0, j1 in cover(cells, (1, 1)):
        assert cells[i0:i1, j0:j1].all()
        covered[i0:i1, j0:j1] = True
    np.testing.assert_array_equal(covered, cells)


def test_a_heightfield_needs_numbers() -> None:
    with pytest.raises(InputError, match="finite heights"):
        heightfield_mesh([[0.0, math.nan], [0.0, 0.0]], 0.1)
