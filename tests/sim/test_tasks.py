"""Hands and feet together: tasks as physics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hmpc.app.session import Session
from hmpc.errors import InputError

pytestmark = pytest.mark.sim


def test_stands_up_with_the_help_of_armrests_and_then_walks_by_command() -> None:
    session = Session("chair", parameters={"layout": "armrests"})
    summary = session.run(3.5)
    assert summary.success, summary.reason
    assert summary.hand_force_max > 20.0
    session.command = replace(session.command, velocity_H=np.array([0.4, 0.0]))
    before = session.state.body.com_W[0]
    session.run(3.5)
    assert session.fall is None
    assert session.state.body.com_W[0] > before + 0.2


def test_stands_up_where_there_is_nothing_to_hold() -> None:
    session = Session("chair", parameters={"layout": "none"})
    summary = session.run(3.5)
    assert summary.success, summary.reason
    assert summary.hand_force_max == 0.0


def test_who_does_not_sit_is_refused_to_stand_up() -> None:
    session = Session("flat")
    assert "stand_up" not in session.tasks()
    session.task("stand_up")
    assert session.stack.task is not None and "does not sit" in session.stack.task.words[0]
    assert session.run(0.2).success


def test_an_unknown_task_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="stand_up"):
        Session("flat").task("fly")
