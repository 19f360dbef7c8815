"""Targets of a standing character: what it is asked for, reached smoothly and in the right order."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hmpc.executor.standing import Standing
from hmpc.geometry import heading, rotation_zyx
from hmpc.params import ExecutorParams
from hmpc.robot.model import RobotModel
from hmpc.types import BodyModel, Command, MotionTarget, Posture, RobotState

PARAMS = ExecutorParams()
TICK = 0.002  # [s]
See = Callable[..., RobotState]


@pytest.fixture
def executor(robot: RobotModel, body: BodyModel, standing: RobotState) -> Standing:
    return Standing(robot, body, PARAMS, standing)


def followed(executor: Standing, seen: See, command: Command, seconds: float, **changes: object) -> list[MotionTarget]:
    """Targets while the body stays as it is, or as `changes` say."""
    ticks = range(1, round(seconds / TICK) + 1)
    return [executor.update(seen(t=executor._t + TICK, **changes), command) for _ in ticks]


def test_it_comes_to_rest_over_the_middle_of_the_feet(executor: Standing, seen: See, body: BodyModel) -> None:
    target = followed(executor, seen, Command(), 2.0)[-1]
    feet = seen().limbs["left_foot"].p_W, seen().limbs["right_foot"].p_W
    middle = 0.5 * (feet[0] + feet[1])
    goal = middle + np.array([PARAMS.standing.com_offset, 0.0, body.com_height])
    np.testing.assert_allclose(target.body.com_W, goal, atol=1e-4)
    np.testing.assert_allclose([target.body.vel_W, target.acc_W], 0.0, atol=1e-3)
    assert set(target.support) == {"left_foot", "right_foot"} and not target.swing


def test_the_body_goes_where_it_is_told_at_the_speed_that_is_allowed(
    executor: Standing, seen: See, body: BodyModel
) -> None:
    targets = followed(executor, seen, Command(body_height=0.8), 3.0)
    assert targets[-1].body.com_W[2] == pytest.approx(0.8 * body.com_height, abs=1e-3)
    assert min(target.body.vel_W[2] for target in targets) >= -PARAMS.standing.height_speed - 1e-9


def test_trunk_head_and_arms_take_the_posture(executor: Standing, seen: See, robot: RobotModel) -> None:
    posture = Posture(trunk_yaw=0.3, trunk_pitch=0.2, head_yaw=-0.2, head_pitch=0.1, arms="forward")
    target = followed(executor, seen, Command(posture=posture), 2.0)[-1]
    R_WB = target.body.R_WB
    assert heading(R_WB) == pytest.approx(0.3, abs=1e-3)
    assert math.asin(-R_WB[2, 0]) == pytest.approx(0.2, abs=1e-3)
    np.testing.assert_allclose(target.pose[robot.head_motors], [-0.2, 0.1], atol=1e-3)
    motors, angles = robot.arm_pose("forward")
    np.testing.assert_allclose(target.pose[motors], angles, atol=1e-3)


def test_a_foot_is_lifted_only_when_the_weight_is_over_the_other_one(executor: Standing, seen: See) -> None:
    command = Command(posture=Posture(lifted_foot="left_foot", lift_height=0.15))
    waiting = followed(executor, seen, command, 3.0)[-1]
    foot = seen().limbs["right_foot"].p_W
    assert not waiting.swing  # the COM does not follow its target: the foot stays down
    assert waiting.body.com_W[1] == pytest.approx(foot[1], abs=1e-3)
    over = np.array([*foot[:2], seen().body.com_W[2]])
    target = followed(executor, seen, command, PARAMS.standing.lift_time + 0.1, com_W=over)[-1]
    assert set(target.support) == {"right_foot"}
    rise = target.swing["left_foot"].p_W - seen().limbs["left_foot"].p_W
    np.testing.assert_allclose(rise, [0.0, 0.0, 0.15], atol=1e-9)


def test_a_lifted_foot_is_put_down_where_it_stood(executor: Standing, seen: See) -> None:
    foot = seen().limbs["right_foot"].p_W
    over = {"com_W": np.array([*foot[:2], seen().body.com_W[2]])}
    lifted = Command(posture=Posture(lifted_foot="left_foot"))
    followed(executor, seen, lifted, PARAMS.standing.lift_time + 0.1, **over)
    down = replace(lifted, posture=Posture())
    lowering = followed(executor, seen, down, PARAMS.standing.lift_time - TICK, **over)[-1]
    np.testing.assert_allclose(lowering.swing["left_foot"].p_W, seen().limbs["left_foot"].p_W, atol=1e-6)
    target = followed(executor, seen, down, 2.0, **over)[-1]
    assert set(target.support) == {"left_foot", "right_foot"}


def test_a_foot_that_loses_the_ground_is_put_down_flat_where_it_stood(
    executor: Standing, seen: See, body: BodyModel
) -> None:
    before = seen().limbs["left_foot"]
    on_toes = before.p_W + np.array([0.0, 0.0, 0.05]), rotation_zyx(0.0, 0.4, 0.0)
    followed(executor, seen, Command(), TICK, left_foot={"p_W": on_toes[0], "R_WL": on_toes[1]})
    target = followed(executor, seen, Command(), TICK, left_foot={"touching": False})[-1]
    assert set(target.support) == {"right_foot"}
    put_down = target.swing["left_foot"]
    np.testing.assert_allclose(put_down.R_WL, np.eye(3), atol=1e-9)
    half = float(body.limb("left_foot").half_extent[0])
    toes = on_toes[0] + half * on_toes[1][:, 0]  # they stay where they are, a little below
    np.testing.assert_allclose(
        put_down.p_W + half * put_down.R_WL[:, 0], toes - (0, 0, PARAMS.standing.ground_search), atol=1e-9
    )


def test_a_body_that_moves_is_caught_by_a_pressure_that_stays_at_its_capture_point(
    robot: RobotModel, body: BodyModel, seen: See
) -> None:
    """Braked in less time, the COP would have to go beyond it, and the foot behind would lose the ground."""
    com, vel = seen().body.com_W, np.array([0.3, -0.1, 0.0])
    pendulum = math.sqrt(body.com_height / PARAMS.gravity)
    feet = {foot: {"p_W": seen().limbs[foot].p_W + pendulum * vel} for foot in ("left_foot", "right_foot")}
    ahead = float(com[0] - 0.5 * sum(seen().limbs[foot].p_W[0] for foot in feet))
    moving = replace(PARAMS, standing=replace(PARAMS.standing, com_offset=ahead))
    targets = followed(Standing(robot, body, moving, seen(vel_W=vel, **feet)), seen, Command(), 1.0, **feet)
    pressure = [(target.body.com_W - pendulum**2 * target.acc_W)[:2] for target in targets]
    np.testing.assert_allclose(pressure, np.tile((com + pendulum * vel)[:2], (len(targets), 1)), atol=1e-3)


def test_close_to_the_edge_of_the_soles_the_trunk_goes_with_a_push(executor: Standing, seen: See) -> None:
    """The COM and the trunk compete for the centre of pressure, and the COM comes first."""
    turning = {"omega_W": np.array([0.0, 1.0, 0.0])}
    calm = followed(executor, seen, Command(), TICK, **turning)[-1]
    pushed = followed(executor, seen, Command(), TICK, vel_W=np.array([0.45, 0.0, 0.0]), **turning)[-1]
    np.testing.assert_allclose(calm.body.omega_W, 0.0, atol=0.05)
    assert pushed.body.omega_W[1] > 0.5
