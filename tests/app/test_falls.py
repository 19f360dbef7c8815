"""After a fall: the motors brake, the fall stays in the report, and the character may be asked to get up."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from hmpc.app.commands.deeds import Begin
from hmpc.app.commands.rerun import read_run
from hmpc.app.commands.tape import CommandTape
from hmpc.app.falls import Fall
from hmpc.app.records.log import read_log
from hmpc.app.records.takes import Takes
from hmpc.app.session import Session
from hmpc.app.viewers.status import health
from hmpc.errors import InputError
from hmpc.sim.simulator import Push
from hmpc.types import Command


@pytest.fixture(scope="module")
def shared() -> Session:
    return Session("flat")


@pytest.fixture
def fallen(shared: Session) -> Session:
    shared.reset()
    shared.falls.add(Fall(0.0, "pushed over"))
    return shared


def test_who_has_fallen_is_offered_to_get_up_and_nothing_else(fallen: Session) -> None:
    assert fallen.tasks_now() == ("get_up",) and fallen.over
    assert health(fallen) == ("Fallen after 0.0 s: pushed over. Press Reset or Get up.", False)
    with pytest.raises(InputError, match="cannot begin 'climb'"):
        fallen.task("climb")


def test_who_stands_is_not_offered_to_get_up(shared: Session) -> None:
    shared.reset()
    assert "get_up" in shared.tasks() and "get_up" not in shared.tasks_now()


def test_the_motors_brake_until_the_body_lies_still(fallen: Session) -> None:
    fallen.task("get_up")
    assert not fallen.over and "lies still" in health(fallen)[0]
    fallen.simulator.data.qvel[:] = 0.2
    fallen.tick()
    assert fallen.falls.down and fallen.stack.task is None
    fallen.simulator.data.qvel[:] = 0.0
    fallen.tick()
    assert not fallen.falls.down and fallen.stack.task is not None and fallen.stack.task.task.name == "get_up"


def test_a_second_fall_is_counted_and_the_first_one_is_reported(fallen: Session) -> None:
    fallen.falls.add(Fall(3.0, "again"))
    summary = fallen.summary()
    assert (summary.falls, summary.fell, summary.fell_at, summary.success) == (2, True, 0.0, False)
    assert "pushed over" in summary.reason and "again" in health(fallen)[0]


def test_a_run_goes_on_after_a_fall_if_its_tape_still_asks_to_get_up(fallen: Session) -> None:
    assert fallen.over
    fallen.follow(CommandTape((0.0,), (Command(),), ((2.0, Begin("get_up")),)))
    assert not fallen.over


def test_a_snapshot_remembers_who_is_down(fallen: Session) -> None:
    before = fallen.save()
    fallen.task("get_up")
    fallen.restore(before)
    assert fallen.over and fallen.falls.last == Fall(0.0, "pushed over")


@pytest.mark.sim
def test_pushed_over_it_gets_up_and_its_tape_does_all_of_it_again(tmp_path: Path) -> None:
    session = Session("flat")
    takes = Takes(["demo"], tmp_path)
    session.push(Push(0.5, 80.0, math.radians(180.0)))
    session.run(3.0, takes)
    assert session.fall is not None and session.time < 2.0
    session.task("get_up")
    session.run(26.0, takes)
    takes.cut(session)
    summary = session.summary()
    assert session.stack.task is not None and session.stack.task.words[-1] == "Task 'get_up' is done."
    assert not summary.success and summary.falls == 1 and summary.reason.endswith("It got up again.")
    t = read_log(tmp_path / "001-flat")["t"]
    assert len(t) == round(summary.seconds * 500.0) and np.diff(t).max() < 0.0021  # the fall is on record, too
    again = read_run(tmp_path / "001-flat").session(None, None, tmp_path)
    assert again.run(summary.seconds).state_hash == summary.state_hash
    assert np.array_equal(again.simulator.data.qpos, session.simulator.data.qpos)
