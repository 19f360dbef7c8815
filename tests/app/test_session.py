"""A session is reproducible, can be continued, and stops when numbers go wrong."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

import hmpc
from hmpc.app.black_box import HISTORY
from hmpc.app.commands.tape import CommandTape
from hmpc.app.session import Session
from hmpc.errors import InputError, SimulationError, UnknownNameError
from hmpc.sim.simulator import Push
from hmpc.types import Command

KEYS = {
    "env", "robot", "seed", "seconds", "success", "reason", "fell", "fell_at", "command", "mean_velocity",
    "velocity_error", "distance", "heading_drift", "com_drift", "foot_slip", "steps", "flight_time",
    "hand_force_mean", "hand_force_max", "torque_saturation", "unplanned_contacts", "late_plans", "faults",
    "state_hash", "real_time_factor", "tick_us", "plan_ms", "metrics",
}  # fmt: skip


def pushed(seed: int = 0) -> Session:
    session = Session("stand", seed=seed)
    session.push(Push(0.05, 10.0, 0.3))
    return session


def test_the_same_seed_gives_the_same_bits_and_another_one_does_not() -> None:
    first, second, other = pushed().run(0.3), pushed().run(0.3), pushed(seed=1).run(0.3)
    assert first.state_hash == second.state_hash != other.state_hash


def test_a_saved_session_continues_bit_by_bit() -> None:
    session = pushed()
    session.run(0.08)  # in the middle of the push
    snapshot = session.save()
    expected = session.run(0.2)
    session.run(0.1)
    for _ in range(2):  # a snapshot can be used again
        session.restore(snapshot)
        again = session.run(0.2)
        assert again.state_hash == expected.state_hash
        assert again.seconds == expected.seconds
        assert again.com_drift == expected.com_drift


@pytest.mark.sim
@pytest.mark.parametrize("plan", ["lip", "frb"])
def test_a_walking_session_continues_bit_by_bit(plan: str) -> None:
    """Planners, step phases and all: in the middle of a step, over the next touch-down."""
    session = Session("flat", plan=plan)
    session.command = Command(velocity_H=np.array([0.5, 0.0]))
    session.run(1.6)
    snapshot = session.save()
    expected = session.run(0.8)
    session.restore(snapshot)
    again = session.run(0.8)
    assert expected.success and expected.steps > 0
    assert again.state_hash == expected.state_hash


def test_warming_up_leaves_no_trace() -> None:
    warm = pushed()
    warm.warm_up()
    assert warm.run(0.2).state_hash == pushed().run(0.2).state_hash


def test_reset_starts_the_same_run_again() -> None:
    session = Session("stand")
    first = session.run(0.1)
    session.reset()
    assert session.run(0.1).state_hash == first.state_hash


def test_the_summary_has_every_key_and_is_json() -> None:
    summary = pushed().run(0.1)
    record = json.loads(json.dumps(asdict(summary)))
    assert set(record) >= KEYS
    assert record["env"] == "stand" and record["success"] is True and record["faults"] == 0
    assert record["tick_us"]["p99"] >= record["tick_us"]["p50"] > 0.0


def test_physics_that_is_not_finite_ends_the_run_within_a_tick(tmp_path: Path) -> None:
    session = Session("stand", fault_folder=tmp_path)
    session.run(0.25)
    session.simulator.data.qvel[10] = np.nan
    with pytest.raises(SimulationError, match=r"state was not finite at 0\.250 s"):
        session.tick()
    summary = session.summary()
    assert not summary.success and summary.faults == 1 and "not finite" in summary.reason
    (file,) = tmp_path.glob("hmpc-fault-*.npz")
    with np.load(file) as saved:
        assert len(saved["t"]) == HISTORY
        assert np.isfinite(saved["qpos"]).all()
        assert not np.isfinite(saved["fault"]).all()


def test_run_ends_with_a_fault_instead_of_raising(tmp_path: Path) -> None:
    session = Session("stand", fault_folder=tmp_path)
    session.simulator.data.qpos[9] = np.inf
    summary = session.run(1.0)
    assert not summary.success and summary.seconds == 0.0 and session.over


def test_after_a_fall_the_motors_brake() -> None:
    session = Session("stand")
    robot, data = session.simulator.robot, session.simulator.data
    data.qpos[3:7] = [0.7071, 0.0, 0.7071, 0.0]  # lying on its face in the air
    data.qvel[robot.dof] = 100.0  # far more than the pull towards the crouch could outweigh
    session.tick()
    assert session.fall is not None
    assert (data.ctrl < 0.0).all() and (np.abs(data.ctrl) <= robot.torque_limit).all()
    assert not session.summary().success


def test_a_tape_writes_the_command() -> None:
    session = Session("stand")
    session.follow(CommandTape((0.0, 0.05), (Command(body_height=0.95), Command(body_height=0.9))))
    session.run(0.04)
    assert session.command.body_height == 0.95
    session.run(0.04)
    assert session.command.body_height == 0.9


def test_a_command_beyond_the_limits_is_clipped_with_a_word(caplog: pytest.LogCaptureFixture) -> None:
    session = Session("stand")
    with caplog.at_level(logging.WARNING):
        session.command = Command(body_height=0.2)
    assert session.command.body_height == 0.75
    assert "body height 0.2 to 0.75" in caplog.text


@pytest.mark.parametrize(
    "options", [{"qp": "magic"}, {"pd": "none"}, {"plan": "dream"}, {"robot": "giant"}, {"parameters": {"size": 1}}]
)
def test_a_name_that_does_not_exist_lists_the_ones_that_do(options: dict[str, object]) -> None:
    with pytest.raises(UnknownNameError, match="Available"):
        Session("stand", **options)


def test_numbers_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="seed"):
        Session("stand", seed=-1)
    with pytest.raises(InputError, match="seconds"):
        Session("stand").run(float("nan"))


def test_the_public_names_exist() -> None:
    for name in hmpc.__all__:
        assert getattr(hmpc, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = hmpc.nothing  # type: ignore[attr-defined]
