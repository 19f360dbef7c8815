"""Where the body is going, whether the feet are under it, and how low it has to be."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.executor.balance import (
    capture_point,
    landing_excess,
    passing_share,
    walking_height,
    within_ankle_control,
    within_support,
)
from hmpc.params import ExecutorParams
from hmpc.robot.model import RobotModel
from hmpc.types import BodyModel, Command, ContactRegion, FootstepPlan, FrbState, RobotState

GRAVITY = 9.81  # [m/s^2]
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
        walking_height(Command(step_duration=0.5), speed, standing, body, 0.0, GRAVITY) for speed in sorted((a, b))
    )
    assert fast <= slow <= 1.0


def test_a_faster_body_is_kept_as_low_as_its_speed_needs(body: BodyModel, seen: Callable[..., RobotState]) -> None:
    """A push counts like a pace: the foot has to be put down that far away, once the body has passed over the other."""
    share = passing_share(0.5, body.com_height, GRAVITY)
    asked = walking_height(Command(step_duration=0.5), 1.2 * share, seen(), body, 0.0, GRAVITY)
    pushed = walking_height(Command(step_duration=0.5), 0.0, seen(vel_W=np.array([1.2, 0.0, 0.0])), body, 0.0, GRAVITY)
    assert pushed == pytest.approx(asked) and asked < 1.0


@given(st.floats(0.2, 1.0))
def test_a_pendulum_that_passes_over_its_foot_is_slower_on_average(duration: float) -> None:
    """c = a sinh(omega t): the mean velocity is 2 c(T/2) / T, that at the ends a omega cosh(omega T/2)."""
    height, half = 0.9, 0.5 * duration
    omega = math.sqrt(GRAVITY / height)
    mean, end = math.sinh(omega * half) / half, omega * math.cosh(omega * half)
    assert passing_share(duration, height, GRAVITY) == pytest.approx(mean / end)
    assert passing_share(duration, height, GRAVITY) < 1.0


def test_a_leg_reaches_half_a_step_at_the_walking_height(body: BodyModel, standing: RobotState) -> None:
    foot = body.limb("left_foot")
    height = walking_height(Command(step_duration=0.5), 1.4, standing, body, 0.0, GRAVITY)
    hip = height * body.com_height + foot.root_B[2]
    assert math.hypot(hip, 0.5 * 0.5 * 1.4) == pytest.approx(foot.reach)


def test_a_lower_command_is_obeyed(body: BodyModel, standing: RobotState) -> None:
    assert walking_height(Command(body_height=0.8, step_duration=0.5), 0.0, standing, body, 0.0, GRAVITY) == 0.8


def step_to(body: BodyModel, *foothold: float) -> FootstepPlan:
    """A step of the right foot, from below its hip to `foothold` (2,) [m] further."""
    right = body.limb("right_foot")
    com_W = np.array([0.0, 0.0, body.com_height])
    feet = np.array([[0.0, 0.1, 0.0], [*(right.root_B[:2] + foothold), 0.0]])
    ground = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.array([5.0, 5.0]))
    return FootstepPlan(
        limb=("left_foot", "right_foot"),
        t_start=np.array([0.0, 0.5]),
        t_end=np.array([0.5, 1.0]),
        region=(ground, ground),
        double_support=np.zeros(2),
        foot_W=feet,
        cop_W=feet,
        cop_start_W=feet[0],
        yaw=np.zeros(2),
        com_W=np.tile(com_W, (3, 1)),
        com_vel_W=np.zeros((3, 3)),
        omega=3.2,
        vault=np.zeros(2),
        cost=0.0,
    )


@given(st.floats(0.0, 0.6), st.floats(0.0, 0.4))
def test_a_body_lowered_by_the_excess_has_a_leg_just_long_enough(
    body: BodyModel, forward: float, outward: float
) -> None:
    foot, excess = body.limb("right_foot"), landing_excess(step_to(body, forward, -outward), body, 0.0)
    hip = (1.0 - excess) * body.com_height + foot.root_B[2]
    away = math.hypot(hip, forward, outward)
    assert away == pytest.approx(foot.reach) if excess > 0.0 else away <= foot.reach


def test_a_far_step_needs_a_lower_body_than_a_near_one(body: BodyModel) -> None:
    near, aside = (landing_excess(step_to(body, *step), body, 0.0) for step in ((0.1, 0.0), (0.1, -0.35)))
    assert near < aside


def moving(com: tuple[float, float], vel: tuple[float, float] = (0.0, 0.0)) -> FrbState:
    return FrbState(com_W=np.array([*com, 0.95]), vel_W=np.array([*vel, 0.0]), R_WB=np.eye(3), omega_W=np.zeros(3))


def test_a_small_deviation_is_all_brought_back() -> None:
    plan = moving((0.01, 0.005))
    near = within_ankle_control(plan, moving((0.0, 0.0)), 0.3, 3.2, ExecutorParams())
    np.testing.assert_allclose(near.com_W, plan.com_W)


def test_of_a_large_deviation_only_what_a_sole_can_bring_back() -> None:
    params, plan, now = ExecutorParams(), moving((0.3, 0.2), (0.5, 0.4)), moving((0.0, 0.0))
    near = within_ankle_control(plan, now, 0.0, 3.2, params)
    capture = (near.com_W - now.com_W + (near.vel_W - now.vel_W) / 3.2)[:2]
    np.testing.assert_allclose(capture, (params.ankle_control, params.ankle_control_sideways))
