"""Walking as fast as told: in steps that the body can take, then exactly there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.executor.pace import Pace
from hmpc.params import FootstepParams, PaceParams
from hmpc.types import Command, RobotState

PARAMS = PaceParams(forward_gain=1.0)
FOOTSTEPS = FootstepParams()
COMMAND = Command(velocity_H=np.array([1.4, 0.0]))
STEP = 0.5  # [s]


def bold(pace: Pace, state: RobotState, command: Command) -> Command:
    """Take the boldest proposal."""
    proposal = next(pace.proposals(state, command, FOOTSTEPS))
    pace.take(proposal)
    return proposal.command


def planned(
    seen: Callable[..., RobotState], commands: list[float], measured: float, params: PaceParams = PARAMS
) -> np.ndarray:
    """(N,) [m/s] forward velocity that is planned at each step while the body moves at `measured`."""
    pace = Pace(params)
    return np.array(
        [
            bold(
                pace,
                seen(t=k * STEP, com_W=np.array([measured * k * STEP, 0.0, 0.95])),
                Command(velocity_H=np.array([command, 0.0])),
            ).velocity_H[0]
            for k, command in enumerate(commands)
        ]
    )


def test_speeding_up_takes_steps(seen: Callable[..., RobotState]) -> None:
    speeds = planned(seen, [1.0] * 5, measured=1.0)
    np.testing.assert_allclose(np.diff(speeds[:3]), PARAMS.speed_up)
    assert speeds[-1] == pytest.approx(1.0)


def test_a_stop_is_asked_for_at_once(seen: Callable[..., RobotState]) -> None:
    speeds = planned(seen, [1.0] * 4 + [0.0], measured=1.0)
    assert speeds[4] == pytest.approx(0.0)


@pytest.mark.parametrize("before", [-1.0, -0.1, 1.0])
def test_who_turns_round_brakes_before_it_speeds_up(seen: Callable[..., RobotState], before: float) -> None:
    """A step that also sped up the other way would have to be longer than legs are."""
    after = -1.5 * np.sign(before)
    speeds = planned(seen, [before] * 6 + [after] * 3, measured=before)
    assert before * speeds[6] <= 0.0 and abs(speeds[6]) <= PARAMS.speed_up
    np.testing.assert_allclose(np.diff(speeds[6:]), np.sign(after) * PARAMS.speed_up)


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


def proposed(pace: Pace, state: RobotState, *velocity: float) -> list[Command]:
    command = Command(velocity_H=np.array(velocity[:2]), yaw_rate=velocity[2])
    return [proposal.command for proposal in pace.proposals(state, command, FOOTSTEPS)]


def test_a_step_that_brakes_is_as_quick_as_the_body_still_is(seen: Callable[..., RobotState]) -> None:
    pace = Pace(PARAMS)
    for k in range(8):
        running = bold(pace, seen(t=k * STEP, com_W=np.array([1.4 * k * STEP, 0.0, 0.95])), COMMAND)
    braking = proposed(pace, seen(t=8 * STEP, com_W=np.array([1.4 * 8 * STEP, 0.0, 0.95])), 0.0, 0.0, 0.0)[0]
    assert braking.velocity_H[0] < running.velocity_H[0]
    assert braking.step_duration == pytest.approx(running.step_duration)


def test_steps_become_longer_only_little_by_little(seen: Callable[..., RobotState]) -> None:
    pace = Pace(PARAMS)
    durations = []
    for k in range(8):  # the body stands still already
        command = COMMAND if k < 4 else Command()
        durations.append(bold(pace, seen(t=k * STEP), command).step_duration)
    assert 0.0 < np.diff(durations).max() <= PARAMS.slower_step + 1e-12


def test_calmer_proposals_follow_the_bold_one(seen: Callable[..., RobotState]) -> None:
    pace = Pace(PARAMS)
    bold(pace, seen(t=0.0), COMMAND)
    before = pace.forward
    full, half, same, calm, hurried = proposed(pace, seen(t=STEP), 1.0, 0.4, 0.8)
    assert full.velocity_H[0] > half.velocity_H[0] > same.velocity_H[0] > calm.velocity_H[0] > 0.0
    assert full.yaw_rate > half.yaw_rate > same.yaw_rate == 0.0, "it did not turn before"
    assert hurried.step_duration == PARAMS.hurried_step < calm.step_duration
    assert pace.forward == before, "a proposal changes nothing until it is taken"


def test_sideways_changes_are_smaller_than_forward_ones(seen: Callable[..., RobotState]) -> None:
    first = proposed(Pace(PARAMS), seen(t=0.0), 1.0, 1.0, 0.0)[0]
    assert first.velocity_H[1] == pytest.approx(PARAMS.sidestep_change)
    assert first.velocity_H[0] == pytest.approx(PARAMS.speed_up)
