"""The path of a limb to a place at another height."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.executor.reach import Reach
from hmpc.geometry import rotation_zyx
from hmpc.params import ReachParams
from hmpc.types import LimbState

PARAMS = ReachParams()
GOAL = np.array([0.4, 0.2, 0.5])


LIMB = LimbState(
    p_W=np.zeros(3),
    R_WL=np.eye(3),
    vel_W=np.zeros(3),
    omega_W=np.zeros(3),
    touching=True,
    normal_W=np.array([0.0, 0.0, 1.0]),
    force_W=np.zeros(3),
)


@pytest.fixture
def path() -> Reach:
    return Reach(LIMB, 1.0, 2.0, GOAL, rotation_zyx(0.5, 0.0, 0.0), PARAMS)


def test_starts_where_the_limb_is_and_ends_at_the_goal(path: Reach) -> None:
    assert path.target(1.0).p_W == pytest.approx(np.zeros(3))
    end = path.target(2.0)
    assert end.p_W == pytest.approx(GOAL)
    assert pytest.approx(rotation_zyx(0.5, 0.0, 0.0)) == end.R_WL


def test_is_above_the_goal_before_it_is_over_it(path: Reach) -> None:
    for t in np.linspace(1.0, 2.0, 50):
        p = path.target(float(t)).p_W
        if np.linalg.norm(p[:2] - GOAL[:2]) < 0.1:
            assert p[2] >= GOAL[2] - 1e-9


def test_velocity_is_the_derivative_of_the_path(path: Reach) -> None:
    for t in (1.1, 1.3, 1.6, 1.9):
        slope = (path.target(t + 1e-5).p_W - path.target(t - 1e-5).p_W) / 2e-5
        assert path.target(t).vel_W == pytest.approx(slope, abs=1e-3)


def test_sinks_slowly_when_the_surface_is_late(path: Reach) -> None:
    late = path.target(2.1).p_W[2]
    assert GOAL[2] - PARAMS.max_sink <= late < GOAL[2]
    assert path.target(5.0).p_W[2] == pytest.approx(GOAL[2] - PARAMS.max_sink)


def test_a_foot_that_goes_far_up_makes_room_for_its_knee() -> None:
    ahead, outward = np.array([0.5, 0.0, 0.5]), np.array([0.0, 1.0, 0.0])
    foot = Reach(LIMB, 1.0, 2.0, ahead, np.eye(3), PARAMS, outward)
    way = np.array([foot.target(float(t)).p_W for t in np.linspace(1.0, 2.0, 50)])
    assert way[:, 1].max() > 0.2  # outward
    assert way[:, 0].min() < -0.1  # and back, before it goes over
    assert way[-1] == pytest.approx(ahead)


def test_a_limb_is_turned_as_it_will_land_before_it_goes_over(path: Reach) -> None:
    over = path.target(1.0 + PARAMS.turned)
    assert pytest.approx(rotation_zyx(0.5, 0.0, 0.0)) == over.R_WL
    assert np.linalg.norm(over.p_W[:2] - GOAL[:2]) > 0.1
    assert over.omega_W == pytest.approx(np.zeros(3))
