"""Where the body is going, whether the feet are under it, and how low it has to be."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.executor.balance import capture_point, walking_height, within_support
from hmpc.robot.model import RobotModel
from hmpc.types import BodyModel, Command, RobotState

FEET = ("left_foot", "right_foot")
HALF_LENGTH, OUTER_EDGE = 0.1275, 0.09 + 0.045  # [m] of the soles of the standing character, from its middle


def test_at_rest_the_capture_point_is_below_the_com(standing: RobotState) -> None:
    np.testing.assert_allclose(capture_point(standing, 0.9, 9.81), standing.body.com_W[:2])


def test_a_pendulum_over_its_capture_point_comes_to_rest_there(seen: Callable[..., RobotState]) -> None:
    """With the COP p = c + v/omega: c'' = omega^2 (c - p) gives c -> p and v -> 0."""
    height, gravity = 0.9, 9.81
    state = seen(vel_W=np.array([0.3, -0.2, 0.0]))
    p, c, v = capture_point(state, height, gravity), state.body.com_W[:2], state.body.vel_W[:2]
    omega, t = math.sqrt(gravity / height), 3.0
    end = p + (c - p) * math.cosh(omega * t) + v / omega * math.sinh(omega * t)
    np.testing.assert_allclose(end, p, atol=1e-3)


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((0.0, 0.0), True),  # between the soles, on neither
        ((HALF_LENGTH - 0.01, 0.0), True),
        ((HALF_LENGTH + 0.01, 0.0), False),
        ((-HALF_LENGTH - 0.01, 0.05), False),
        ((0.0, OUTER_EDGE - 0.01), True),
        ((0.0, OUTER_EDGE + 0.01), False),
        ((0.0, -OUTER_EDGE - 0.01), False),
        ((5.0, 5.0), False),
    ],
)
def test_a_point_is_supported_between_the_soles(
    robot: RobotModel, standing: RobotState, point: tuple[float, float], inside: bool
) -> None:
    middle = 0.5 * (standing.limbs["left_foot"].p_W + standing.limbs["right_foot"].p_W)[:2]
    assert within_support(robot, standing, FEET, middle + point, 0.0) is inside


def test_a_margin_is_kept_from_the_edges(robot: RobotModel, standing: RobotState) -> None:
    point = standing.limbs["left_foot"].p_W[:2] + np.array([HALF_LENGTH - 0.015, 0.0])
    assert within_support(robot, standing, FEET, point, 0.01)
    assert not within_support(robot, standing, FEET, point, 0.02)


def test_one_foot_supports_only_what_is_above_it(robot: RobotModel, standing: RobotState) -> None:
    left, right = (standing.limbs[foot].p_W[:2] for foot in FEET)
    assert within_support(robot, standing, ["left_foot"], left, 0.01)
    assert not within_support(robot, standing, ["left_foot"], 0.5 * (left + right), 0.01)


@given(st.floats(0.0, 1.5), st.floats(0.0, 1.5))
def test_faster_means_longer_steps_means_lower(body: BodyModel, standing: RobotState, a: float, b: float) -> None:
    slow, fast = (
        walking_height(Command(velocity_H=np.array([speed, 0.0]), step_duration=0.5), standing, body, 0.0)
        for speed in sorted((a, b))
    )
    assert fast <= slow <= 1.0


def test_a_faster_body_is_kept_as_low_as_its_speed_needs(body: BodyModel, seen: Callable[..., RobotState]) -> None:
    """A push counts like a command: the foot has to be put down that far away."""
    asked = walking_height(Command(velocity_H=np.array([1.2, 0.0]), step_duration=0.5), seen(), body, 0.0)
    pushed = walking_height(Command(step_duration=0.5), seen(vel_W=np.array([1.2, 0.0, 0.0])), body, 0.0)
    assert pushed == asked < 1.0


def test_a_leg_reaches_half_a_step_at_the_walking_height(body: BodyModel, standing: RobotState) -> None:
    foot = body.limb("left_foot")
    height = walking_height(Command(velocity_H=np.array([1.4, 0.0]), step_duration=0.5), standing, body, 0.0)
    hip = height * body.com_height + foot.root_B[2]
    assert math.hypot(hip, 0.5 * 0.5 * 1.4) == pytest.approx(foot.reach)


def test_a_lower_command_is_obeyed(body: BodyModel, standing: RobotState) -> None:
    assert walking_height(Command(body_height=0.8, step_duration=0.5), standing, body, 0.0) == 0.8
