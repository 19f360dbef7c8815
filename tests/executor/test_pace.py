"""Walking as fast as told: in steps that the body can take, then exactly there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.executor.pace import Pace
from hmpc.params import PaceParams
from hmpc.types import Command, RobotState

PARAMS = PaceParams(forward_gain=1.0)
STEP = 0.5  # [s]


def planned(
    seen: Callable[..., RobotState], commands: list[float], measured: float, params: PaceParams = PARAMS
) -> np.ndarray:
    """(N,) [m/s] forward velocity that is planned at each step while the body moves at `measured`."""
    pace = Pace(params)
    return np.array(
        [
            pace.plan_velocity(
                seen(t=k * STEP, com_W=np.array([measured * k * STEP, 0.0, 0.95])),
                Command(velocity_H=np.array([command, 0.0])),
            )[0]
            for k, command in enumerate(commands)
        ]
    )


def test_speeding_up_takes_steps(seen: Callable[..., RobotState]) -> None:
    speeds = planned(seen, [1.0] * 5, measured=1.0)
    np.testing.assert_allclose(np.diff(speeds[:3]), PARAMS.speed_up)
    assert speeds[-1] == pytest.approx(1.0)


def test_slowing_down_is_quicker_than_speeding_up(seen: Callable[..., RobotState]) -> None:
    speeds = planned(seen, [1.0] * 4 + [0.0] * 2, measured=1.0)
    assert speeds[3] - speeds[4] == pytest.approx(PARAMS.slow_down)
    assert speeds[5] == pytest.approx(0.0)


def test_nothing_is_learned_while_the_command_changes(seen: Callable[..., RobotState]) -> None:
    commands = [0.1 * k for k in range(8)]
    np.testing.assert_allclose(planned(seen, commands, measured=0.0), commands)


def test_a_held_command_is_corrected_against_the_error_after_a_few_steps(seen: Callable[..., RobotState]) -> None:
    speeds = planned(seen, [0.2] * 10, measured=0.15)
    np.testing.assert_allclose(speeds[: PARAMS.settle_steps], 0.2)
    learning = np.diff(speeds[PARAMS.settle_steps + 1 :])
    np.testing.assert_allclose(learning, PARAMS.gain * 0.05)
    assert (planned(seen, [0.2] * 10, measured=0.25)[-3:] < 0.2).all()


def test_what_is_learned_is_limited_a_step_and_in_all(seen: Callable[..., RobotState]) -> None:
    speeds = planned(seen, [0.2] * 200, measured=-5.0)
    assert np.diff(speeds).max() <= PARAMS.gain * PARAMS.largest_error + 1e-12
    assert speeds[-1] == pytest.approx(0.2 + PARAMS.limit)


def test_a_body_at_the_commanded_velocity_is_left_alone(seen: Callable[..., RobotState]) -> None:
    np.testing.assert_allclose(planned(seen, [0.2] * 10, measured=0.2), 0.2)


def test_forwards_more_is_planned_than_commanded_before_anything_is_learned(seen: Callable[..., RobotState]) -> None:
    speeds = planned(seen, [0.2, 0.2], measured=0.2, params=PaceParams())
    np.testing.assert_allclose(speeds, 0.2 * PaceParams().forward_gain)


def test_what_was_learned_fades_out_towards_a_stop(seen: Callable[..., RobotState]) -> None:
    assert planned(seen, [0.2] * 30 + [0.0], measured=0.1)[-1] == 0.0
