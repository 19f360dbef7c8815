"""The path of a hand along a rail."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.executor.glide import Glide
from hmpc.geometry import rotation_zyx
from hmpc.params import ReachParams
from hmpc.types import LimbState

PARAMS = ReachParams()
R_RAIL = rotation_zyx(0.0, -0.6, 0.0)
GOAL = 0.4 * R_RAIL[:, 0]


def glide_from(p_W: np.ndarray) -> Glide:
    limb = LimbState(
        p_W=p_W,
        R_WL=R_RAIL,
        vel_W=np.zeros(3),
        omega_W=np.zeros(3),
        touching=True,
        normal_W=R_RAIL[:, 2],
        force_W=np.zeros(3),
    )
    return Glide(limb, 1.0, 1.5, GOAL, R_RAIL, R_RAIL, PARAMS)


@pytest.fixture
def path() -> Glide:
    return glide_from(np.zeros(3))


def test_leads_from_hold_to_hold(path: Glide) -> None:
    assert path.target(1.0).p_W == pytest.approx(np.zeros(3))
    assert path.target(1.5).p_W == pytest.approx(GOAL)


def test_stays_above_the_rail_and_near_it(path: Glide) -> None:
    heights = [path.target(float(t)).p_W @ R_RAIL[:, 2] for t in np.linspace(1.0, 1.5, 100)]
    assert min(heights) > -1e-9
    assert max(heights) == pytest.approx(PARAMS.glide_clearance, rel=0.01)


def test_comes_down_only_where_it_will_hold(path: Glide) -> None:
    for t in np.linspace(1.4, 1.5, 20):
        p = path.target(float(t)).p_W
        assert p @ R_RAIL[:, 2] > 0.01 or np.linalg.norm(p - GOAL) < 0.02


def test_velocity_is_the_derivative_of_the_position(path: Glide) -> None:
    for t in np.linspace(1.01, 1.49, 30):
        slope = (path.target(t + 1e-6).p_W - path.target(t - 1e-6).p_W) / 2e-6
        assert path.target(float(t)).vel_W == pytest.approx(slope, abs=1e-4)


def test_goes_on_towards_a_rail_that_is_late(path: Glide) -> None:
    late = path.target(1.6).p_W
    assert late == pytest.approx(GOAL - 0.1 * PARAMS.landing_speed * R_RAIL[:, 2])


def test_a_hand_from_beside_the_body_goes_over_the_rail_only_above_it() -> None:
    """It starts below the rail and on its inner side, and comes no nearer to the body on its way."""
    start = R_RAIL @ np.array([-0.1, -0.16, -0.3])
    path = glide_from(start)
    on_the_way = np.array([path.target(float(t)).p_W @ R_RAIL for t in np.linspace(1.0, 1.5, 100)])
    assert path.target(1.0).p_W == pytest.approx(start)
    assert (np.diff(on_the_way[:, 0]) > -1e-9).all()
    over = np.abs(on_the_way[:, 1]) < 0.06  # half a hand
    assert on_the_way[over, 2].min() > -1e-9
    assert on_the_way[-1] == pytest.approx(GOAL @ R_RAIL)
