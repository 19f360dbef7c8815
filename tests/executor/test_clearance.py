"""A foot that has an edge in its way lifts before it moves, or comes down after; on level ground nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.executor.clearance import Path, SwingShape, _shortfall, swing_shape
from hmpc.footsteps.ground import Ground
from hmpc.params import SwingParams
from hmpc.types import ContactRegion

PARAMS = SwingParams()
SOLE = np.array([0.13, 0.045])
LEVEL = SwingShape(top=PARAMS.clearance, depart=0.0, arrive=1.0, descend=PARAMS.apex, turned=1.0)


def step(at: float, height: float) -> Ground:
    """Level ground that rises (or falls) by `height` at x = `at`."""
    tops = ((at - 2.0, 0.0), (at + 2.0, height))
    return Ground([ContactRegion(p_W=[x, 0.0, z], R_WR=np.eye(3), half_extent=[2.0, 2.0]) for x, z in tops])


def path(x: float, z: float, pitch: float = 0.0) -> Path:
    return Path(
        start_W=np.array([0.0, 0.0, 0.13 * np.sin(pitch)]),
        pitch=pitch,
        goal_W=np.array([x, 0.0, z]),
        landing_pitch=PARAMS.landing_pitch,
        sole=SOLE,
        yaw=0.0,
    )


@pytest.mark.parametrize("pitch", [0.0, 0.4])
def test_on_level_ground_a_foot_goes_up_forward_and_down_at_once(pitch: float) -> None:
    shape = swing_shape(step(1.0, 0.0), path(0.7, 0.0, pitch), PARAMS)
    assert shape[1:] == LEVEL[1:]


@pytest.mark.parametrize("riser", [0.1, 0.25])
def test_a_foot_in_front_of_a_riser_lifts_first(riser: float) -> None:
    shape = swing_shape(step(0.16, riser), path(0.35, riser), PARAMS)
    assert shape.depart > 0.0
    assert shape.top >= riser + PARAMS.clearance


@pytest.mark.parametrize("drop", [0.1, 0.25])
def test_a_foot_that_goes_down_waits_until_its_heel_is_past_the_edge(drop: float) -> None:
    shape = swing_shape(step(0.17, -drop), path(0.33, -drop), PARAMS)
    assert shape.arrive < 1.0 or shape.descend > PARAMS.apex


def test_the_shape_that_is_chosen_clears_what_the_level_one_would_catch() -> None:
    ground, way = step(0.16, 0.2), path(0.35, 0.2)
    toe, heel = (
        ground.heights(way.goal_W[:2] * np.linspace(0.0, 1.0, 64)[:, None] + [side * SOLE[0], 0.0]) for side in (1, -1)
    )
    assert _shortfall(LEVEL._replace(top=0.26), way, toe, heel, PARAMS) > 0.0
    assert _shortfall(swing_shape(ground, way, PARAMS), way, toe, heel, PARAMS) == 0.0


def test_a_sill_between_two_footholds_is_stepped_over() -> None:
    tops = ((0.0, 0.0, 1.0), (0.3, 0.15, 0.02))
    ground = Ground([ContactRegion(p_W=[x, 0.0, z], R_WR=np.eye(3), half_extent=[half, 1.0]) for x, z, half in tops])
    assert swing_shape(ground, path(0.6, 0.0), PARAMS).top >= 0.15 + PARAMS.clearance


def test_a_foot_that_leaves_at_speed_waits_longer_in_front_of_a_riser() -> None:
    """It would be at the riser before it is high enough."""
    ground, way = step(0.25, 0.3), path(0.45, 0.3)
    slow, fast = (swing_shape(ground, way._replace(run=run), PARAMS) for run in (0.0, 0.6))
    assert fast.depart > slow.depart


def test_a_foot_that_stands_close_to_a_riser_behind_it_is_not_in_its_way() -> None:
    """Where it stands it does not touch; on its way it may be off by a little."""
    ground = step(-0.14, -0.25)
    assert swing_shape(ground, path(0.4, -0.25)._replace(start_W=np.array([0.0, 0.0, -0.25])), PARAMS).top < -0.15


def test_a_foothold_close_to_the_next_riser_does_not_lift_the_foot_over_that_one() -> None:
    """Where it will stand it does not touch either."""
    tops = ((-2.0, 0.0, 2.16), (0.31, 0.2, 0.15), (2.46, 0.4, 2.0))
    ground = Ground([ContactRegion(p_W=[x, 0.0, z], R_WR=np.eye(3), half_extent=[half, 1.0]) for x, z, half in tops])
    toes_before_the_riser = 0.46 - SOLE[0] - 0.005
    assert swing_shape(ground, path(toes_before_the_riser, 0.2), PARAMS).top == pytest.approx(0.2 + PARAMS.clearance)


def test_a_foot_that_was_dragged_to_a_riser_goes_back_and_up_before_it_departs() -> None:
    """Whatever it does, its toes are too close at first; what it can do is to wait until it is higher."""
    ground, way = step(0.16, 0.2), path(0.6, 0.2)._replace(ahead=0.05, run=0.3)
    assert swing_shape(ground, way, PARAMS).depart > PARAMS.halt
