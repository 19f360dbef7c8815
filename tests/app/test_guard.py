"""The guard: what goes wrong in a tick stays in it; what goes on being wrong ends in a safe stop that says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hmpc.app.guard import is_finite
from hmpc.app.session import Session
from hmpc.params import Params
from hmpc.types import Limbs, RobotState, Torques

HOLD = Params().safety.hold_time
NAN_FIELDS = ("qpos", "qvel", "limb")


def spoiled(state: RobotState, field: str) -> RobotState:
    if field == "limb":
        name, limb = next(iter(state.limbs.items()))
        spoiled_limb = replace(limb, normal_W=np.array([0.0, np.inf, 1.0]))
        return replace(state, limbs=Limbs.of({**state.limbs, name: spoiled_limb}))
    values = getattr(state, field).copy()
    values[-1] = np.nan
    return replace(state, **{field: values})


def broken_for(session: Session, monkeypatch: pytest.MonkeyPatch, ticks: int, how: str) -> None:
    """Let the next `ticks` answers of the stack fail."""
    step, left = session.stack.step, ticks

    def broken(*args: Any) -> Torques:
        nonlocal left
        left -= 1
        if left < 0:
            return step(*args)
        if how == "raises":
            raise ZeroDivisionError("a plug-in")
        torques = step(*args)
        return replace(torques, tau=np.full_like(torques.tau, np.nan))

    monkeypatch.setattr(session.stack, "step", broken)


@pytest.mark.parametrize("field", NAN_FIELDS)
def test_a_state_is_finite_only_if_every_number_is(field: str) -> None:
    state = Session("stand").state
    assert is_finite(state) and not is_finite(spoiled(state, field))


@pytest.mark.parametrize("how", ["raises", "torques"])
def test_a_moment_without_torques_is_bridged_by_the_last_ones(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    session = Session("stand")
    session.run(0.1)
    before = session.simulator.data.ctrl.copy()
    broken_for(session, monkeypatch, 3, how)
    for _ in range(3):
        session.tick()
        np.testing.assert_array_equal(session.simulator.data.ctrl, before)
    summary = session.run(0.3)
    assert summary.success and summary.faults == 3 and session.fault is None


@pytest.mark.parametrize("field", NAN_FIELDS)
def test_a_state_that_is_not_finite_never_reaches_the_stack(monkeypatch: pytest.MonkeyPatch, field: str) -> None:
    session = Session("stand")
    session.run(0.1)
    observe, step, seen = session.simulator.observe, session.stack.step, []

    def watched(state: RobotState, command: Any) -> Torques:
        seen.append(state)
        return step(state, command)

    monkeypatch.setattr(session.stack, "step", watched)
    monkeypatch.setattr(session.simulator, "observe", lambda: spoiled(observe(), field))
    session.tick()
    monkeypatch.setattr(session.simulator, "observe", observe)
    assert not seen
    assert session.run(0.1).success and seen


@pytest.mark.sim
@pytest.mark.parametrize("how", ["raises", "torques"])
def test_a_controller_that_goes_on_failing_is_given_up_and_the_motors_bring_the_character_to_rest(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    session = Session("stand")
    session.run(0.1)
    broken_for(session, monkeypatch, 10**6, how)
    robot, data = session.simulator.robot, session.simulator.data

    def watch(session: Session) -> None:
        assert (np.abs(data.ctrl) <= robot.torque_limit).all()

    summary = session.run(10.0, watch)
    assert session.over and not summary.success
    assert summary.seconds == pytest.approx(0.1 + HOLD + session.params.safety.stop_time, abs=0.01)
    assert "is brought to a stop" in summary.reason and ("a plug-in" in summary.reason) == (how == "raises")
    assert session.state.body.com_W[2] < 0.6  # crouched or lying
    assert np.linalg.norm(session.state.body.vel_W) < 0.02


def test_a_controller_that_fails_at_once_has_nothing_to_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("stand")
    broken_for(session, monkeypatch, 1, "raises")
    session.tick()
    assert session.fault is not None and "test_guard.py, line" in session.fault
    assert np.isfinite(session.simulator.data.ctrl).all()


def test_a_saved_safe_stop_continues_bit_by_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("stand")
    session.run(0.1)
    broken_for(session, monkeypatch, 10**6, "raises")
    session.run(0.2)
    snapshot = session.save()
    expected = session.run(0.2).state_hash
    session.restore(snapshot)
    assert session.run(0.2).state_hash == expected
