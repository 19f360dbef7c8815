"""Arms swing opposite to the legs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.executor.arms import ArmSwing
from hmpc.params import ArmParams
from hmpc.robot.model import RobotModel
from hmpc.types import BodyModel, RobotState


def swung(robot: RobotModel, body: BodyModel, state: RobotState) -> tuple[np.ndarray, np.ndarray]:
    """Pose and its velocity."""
    pose, velocity = robot.stand_pose.copy(), np.zeros(robot.nu)
    ArmSwing(robot, body, ArmParams(), state).swing(state, pose, velocity)
    return pose, velocity


def shoulders(robot: RobotModel, values: np.ndarray) -> tuple[float, float]:
    """Flexion, forward positive: left, right."""
    left, right = (robot.joint_names.index(f"{side}_shoulder_flexion") for side in ("left", "right"))
    return float(values[left]), float(values[right])


@pytest.mark.parametrize("stride", [0.2, -0.2])
def test_each_arm_goes_with_the_foot_of_the_other_side(
    robot: RobotModel, body: BodyModel, seen: Callable[..., RobotState], stride: float
) -> None:
    state = seen()
    step = np.array([stride, 0.0, 0.0])
    ahead, behind = state.limbs["left_foot"].p_W + step, state.limbs["right_foot"].p_W - step
    rest = shoulders(robot, swung(robot, body, state)[0])
    pose, _ = swung(robot, body, seen(left_foot={"p_W": ahead}, right_foot={"p_W": behind}))
    left, right = shoulders(robot, pose)
    assert np.sign(left - rest[0]) == -np.sign(stride)
    assert np.sign(right - rest[1]) == np.sign(stride)
    assert left - rest[0] == pytest.approx(rest[1] - right)


def test_arms_know_their_velocity(robot: RobotModel, body: BodyModel, seen: Callable[..., RobotState]) -> None:
    """So that they do not lag behind the leg whose moment they take."""
    speed, dt = 1.5, 1e-3
    p, v = seen().limbs["left_foot"].p_W, np.array([speed, 0.0, 0.0])
    now, velocity = swung(robot, body, seen(left_foot={"p_W": p, "vel_W": v}))
    later, _ = swung(robot, body, seen(left_foot={"p_W": p + dt * v, "vel_W": v}))
    assert velocity.any()
    np.testing.assert_allclose((later - now) / dt, velocity, atol=1e-9)


def test_only_arms_swing(robot: RobotModel, body: BodyModel, seen: Callable[..., RobotState]) -> None:
    pose, velocity = swung(robot, body, seen(left_foot={"p_W": np.array([0.3, 0.1, 0.1])}))
    arms, _ = robot.arm_pose("rest")
    others = np.setdiff1d(np.arange(robot.nu), arms)
    np.testing.assert_array_equal(pose[others], robot.stand_pose[others])
    assert not velocity[others].any()
