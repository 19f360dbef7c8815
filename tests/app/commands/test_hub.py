"""The command hub: the newest request wins, silence ends it, limits and nonsense stop at the door."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.app.commands.hub import HOLD, LATCHED, NOBODY, CommandHub
from hmpc.app.commands.request import NAMES, Request, as_request, request_from
from hmpc.errors import InputError, UnknownNameError
from hmpc.robot.humanoid import HUMANOID
from hmpc.types import Command, Posture


@pytest.fixture
def hub() -> CommandHub:
    return CommandHub(HUMANOID, Command())


def velocity(command: Command) -> list[float]:
    return [*command.velocity_H.tolist(), command.yaw_rate]


def test_before_anybody_asks_the_character_stands(hub: CommandHub) -> None:
    assert velocity(hub.take(0.0)) == [0.0, 0.0, 0.0]
    assert hub.effective.source == NOBODY


def test_the_newest_request_wins_whoever_made_it(hub: CommandHub) -> None:
    hub.put("slider", Request(vx=0.5))
    hub.put("network", Request(vy=0.1, yaw_rate=-0.2), HOLD)
    assert velocity(hub.take(1.0)) == [0.0, 0.1, -0.2]
    assert hub.effective.source == "network" and hub.effective.since == 1.0
    hub.put("slider", Request(vx=0.4))
    assert velocity(hub.take(1.002)) == [0.4, 0.0, 0.0]
    assert hub.effective.source == "slider"


def test_a_source_that_goes_silent_is_over_after_its_hold(hub: CommandHub) -> None:
    hub.put("keys", Request(vx=0.5, body_height=0.9), HOLD)
    assert hub.take(2.0).velocity_H[0] == 0.5
    assert hub.take(2.0 + HOLD - 0.002).velocity_H[0] == 0.5
    stopped = hub.take(2.0 + HOLD)
    assert velocity(stopped) == [0.0, 0.0, 0.0]
    assert stopped.body_height == 0.9, "the style stays"
    assert hub.effective.timed_out and hub.effective.source == "keys"


def test_a_source_that_repeats_itself_goes_on(hub: CommandHub) -> None:
    for t in np.arange(0.0, 3.0, 0.25):
        hub.put("keys", Request(vx=0.5), HOLD)
        assert hub.take(float(t)).velocity_H[0] == 0.5


def test_a_latched_request_stays(hub: CommandHub) -> None:
    hub.put("slider", Request(vx=0.5), LATCHED)
    hub.take(0.0)
    assert hub.take(1e6).velocity_H[0] == 0.5


def test_time_stands_still_for_a_hold_while_the_simulation_does(hub: CommandHub) -> None:
    hub.put("network", Request(vx=0.5), HOLD)
    assert all(hub.take(1.0).velocity_H[0] == 0.5 for _ in range(1000))


def test_a_request_changes_only_the_style_that_it_names(hub: CommandHub) -> None:
    hub.put("a", Request(body_height=0.9, arms="forward", lifted_foot="left_foot", step_duration=0.5))
    command = hub.put("b", Request(trunk_yaw=0.1, lifted_foot="none", step_duration=0.0)).command
    assert (command.body_height, command.posture.arms, command.posture.trunk_yaw) == (0.9, "forward", 0.1)
    assert command.posture.lifted_foot is None and command.step_duration is None


def test_what_the_robot_cannot_do_is_clipped_and_said(hub: CommandHub) -> None:
    effective = hub.put("gamepad", Request(vx=9.0, step_duration=0.05, head_pitch=7.0))
    assert effective.command.velocity_H[0] == HUMANOID.limits.forward[1]
    assert effective.command.step_duration == HUMANOID.limits.step_duration[0]
    assert "forward velocity 9 to 2 m/s" in effective.clipped and "head pitch" in effective.clipped
    assert "yaw" not in effective.clipped


@pytest.mark.parametrize(("vx", "turn"), [(0.0, 0.8), (-1.0, 0.8), (1.5, 0.8), (2.0, 0.6), (9.0, 0.6)])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_who_walks_quickly_cannot_turn_as_sharply(hub: CommandHub, vx: float, turn: float, side: float) -> None:
    effective = hub.put("gamepad", Request(vx=vx, yaw_rate=0.8 * side))
    assert effective.command.yaw_rate == turn * side
    assert ("yaw rate" in effective.clipped) == (turn < 0.8)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("arms", "lifted_foot")])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, "1", True, [1.0]])
def test_what_is_not_a_finite_number_is_refused(name: str, value: object) -> None:
    with pytest.raises(InputError, match=name):
        request_from({name: value})


def test_a_refused_request_changes_nothing(hub: CommandHub) -> None:
    hub.put("slider", Request(vx=0.5))
    for wish in (Request(arms="crossed"), Request(lifted_foot="left_hand")):
        with pytest.raises(UnknownNameError, match="Available"):
            hub.put("network", wish)
    with pytest.raises(InputError, match="positive"):
        hub.put("network", Request(vx=1.0), hold=math.nan)
    assert hub.effective.source == "slider" and hub.take(0.0).velocity_H[0] == 0.5


def test_an_unknown_field_is_answered_with_the_valid_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"'vz'.*Available: arms, body_height"):
        request_from({"vz": 1.0})


def test_a_restart_forgets_and_a_restore_remembers(hub: CommandHub) -> None:
    hub.put("keys", Request(vx=0.5), HOLD)
    hub.take(3.0)
    before = hub.effective
    hub.restart(HUMANOID, Command(posture=Posture(arms="bent")))
    assert hub.take(0.0).posture.arms == "bent" and hub.effective.source == NOBODY
    hub.restore(before)
    assert hub.take(3.1).velocity_H[0] == 0.5
    assert hub.take(3.5).velocity_H[0] == 0.0


def test_many_threads_can_ask_while_the_simulation_runs(hub: CommandHub) -> None:
    """Every command that is taken was asked for as a whole: no mixture of two requests."""
    asked = [Request(vx=k / 1000, vy=-k / 1000, yaw_rate=k / 1000) for k in range(400)]
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(hub.put, f"source {k % 4}", wish, HOLD) for k, wish in enumerate(asked)]
        taken = [hub.take(0.002 * tick) for tick in range(200)]
        for future in futures:
            future.result()
    for command in taken:
        vx, vy, yaw_rate = velocity(command)
        assert vx == -vy == yaw_rate


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(numbers, numbers, numbers, numbers, st.one_of(st.none(), numbers), st.one_of(st.none(), numbers))
def test_whatever_is_asked_for_what_is_taken_is_within_the_limits(
    vx: float, vy: float, yaw_rate: float, height: float, duration: float | None, pitch: float | None
) -> None:
    hub = CommandHub(HUMANOID, Command())
    request = Request(vx=vx, vy=vy, yaw_rate=yaw_rate, body_height=height, step_duration=duration, trunk_pitch=pitch)
    command = hub.put("fuzz", request).command
    limits = HUMANOID.limits
    assert limits.forward[0] <= command.velocity_H[0] <= limits.forward[1]
    assert abs(command.velocity_H[1]) <= limits.sideways and abs(command.yaw_rate) <= limits.yaw_rate
    assert limits.body_height[0] <= command.body_height <= limits.body_height[1]
    low, high = limits.step_duration
    assert command.step_duration is None or low <= command.step_duration <= high


def test_a_command_survives_the_way_through_a_request() -> None:
    command = Command(
        velocity_H=np.array([0.1, 0.2]),
        yaw_rate=0.3,
        body_height=0.9,
        step_duration=0.55,
        posture=Posture(trunk_yaw=0.1, arms="bent", lifted_foot="left_foot", lift_height=0.2),
    )
    assert as_request(as_request(command).onto(Command(step_width=0.3))) == as_request(command)
