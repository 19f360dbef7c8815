"""The points that may push on the world: corners of pads that touch it and are meant to."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from hmpc.executor.contact_points import contact_points
from hmpc.geometry import rotation_zyx
from hmpc.params import PadParams
from hmpc.robot.model import RobotModel
from hmpc.types import ContactSet, MotionTarget, RobotState

PARAMS = PadParams()
HALF_EXTENT = np.array([0.1275, 0.045])  # [m] of a sole
BOTH = {"left_foot": math.inf, "right_foot": math.inf}


def points(
    robot: RobotModel,
    state: RobotState,
    support: dict[str, float],
    rolling: frozenset[str] = frozenset(),
    pushing: frozenset[str] = frozenset(),
) -> ContactSet:
    zero = np.zeros(robot.nu)
    target = MotionTarget(
        body=state.body,
        acc_W=np.zeros(3),
        support=support,
        swing={},
        pose=zero,
        pose_velocity=zero,
        rolling=rolling,
        pushing=pushing,
    )
    return contact_points(robot, state, target, 0.8, PARAMS)


def test_a_flat_sole_pushes_with_four_corners(robot: RobotModel, standing: RobotState) -> None:
    found = points(robot, standing, BOTH)
    assert found.limb == ("left_foot",) * 4 + ("right_foot",) * 4
    np.testing.assert_allclose(found.normal_W, np.tile([0.0, 0.0, 1.0], (8, 1)))
    assert np.isinf(found.max_force).all() and not found.bilateral.any() and (found.mu == 0.8).all()


def test_corners_lie_a_margin_inside_the_edges(robot: RobotModel, standing: RobotState) -> None:
    found = points(robot, standing, {"left_foot": math.inf})
    offset = np.abs(found.p_W - standing.limbs["left_foot"].p_W)[:, :2]
    np.testing.assert_allclose(offset, np.tile(HALF_EXTENT - PARAMS.margin, (4, 1)), atol=1e-9)


def test_a_limb_that_does_not_touch_or_is_not_meant_to_cannot_push(
    robot: RobotModel, seen: Callable[..., RobotState]
) -> None:
    assert set(points(robot, seen(left_foot={"touching": False}), BOTH).limb) == {"right_foot"}
    assert set(points(robot, seen(), {"left_foot": math.inf}).limb) == {"left_foot"}
    nothing = points(robot, seen(), {})
    assert len(nothing) == 0 and nothing.p_W.shape == (0, 3)


def test_a_foot_that_pushes_off_counts_when_it_bounces(robot: RobotModel, seen: Callable[..., RobotState]) -> None:
    found = points(robot, seen(left_foot={"touching": False}), BOTH, pushing=frozenset({"left_foot"}))
    assert set(found.limb) == {"left_foot", "right_foot"}


def test_a_cap_is_shared_by_the_corners(robot: RobotModel, standing: RobotState) -> None:
    found = points(robot, standing, {"left_foot": 200.0, "right_foot": math.inf})
    assert found.max_force[:4].sum() == pytest.approx(200.0)
    assert len(set(found.max_force[:4])) == 1 and np.isinf(found.max_force[4:]).all()


def test_a_tipping_sole_keeps_its_corners_until_they_are_out_of_reach(
    robot: RobotModel, seen: Callable[..., RobotState]
) -> None:
    """A foot that has begun to tip needs the corners that bring it back."""
    length = 2.0 * (HALF_EXTENT[0] - PARAMS.margin)
    limit = math.asin(PARAMS.contact_height / length)
    for pitch, corners in ((0.9 * limit, 4), (1.1 * limit, 2)):
        state = seen(left_foot={"R_WL": rotation_zyx(0.0, pitch, 0.0)})
        found = points(robot, state, {"left_foot": 100.0})
        assert len(found) == corners
        assert found.max_force.sum() == pytest.approx(100.0)
    assert (found.p_W[:, 0] > state.limbs["left_foot"].p_W[0]).all()  # pitched forwards, on the toes


def test_the_heel_of_a_foot_on_its_toes_comes_down_gently(robot: RobotModel, seen: Callable[..., RobotState]) -> None:
    on_toes = seen(left_foot={"R_WL": rotation_zyx(0.0, 0.38, 0.0)})
    found = points(robot, on_toes, {"left_foot": math.inf}, frozenset({"left_foot"}))
    raised = found.p_W[:, 2] > found.p_W[:, 2].min() + PARAMS.rolling_contact_height
    assert len(found) == 4 and raised.sum() == 2
    np.testing.assert_allclose(found.max_force[raised], PARAMS.rolling_force)
    assert np.isinf(found.max_force[~raised]).all()
    assert len(points(robot, on_toes, {"left_foot": math.inf})) == 2
