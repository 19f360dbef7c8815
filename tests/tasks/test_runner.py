"""A task whose planner fails is planned again, and given up when that does not help."""

from __future__ import annotations

from typing import Any

import pytest

from hmpc.app.session import Session
from hmpc.tasks.runner import Progress, TaskRunner
from hmpc.tasks.task import Stage, Task
from hmpc.types import Bearing, FrbPlan

LONGEST = 0.2  # [s] that any of this may take: the character rests on its chair


def run_until(session: Session, *ends: Progress) -> TaskRunner:
    task = session.stack.task
    while task is None or (task.progress not in ends and session.time < LONGEST):
        session.tick()
        task = session.stack.task
    return task


def lose_searches(session: Session, monkeypatch: pytest.MonkeyPatch, *, lost: int, accepted: bool) -> None:
    """The first ones have no answer: with a process that took them and died, or with one that takes none."""
    searcher, asked = session.stack._searcher, 0
    search = searcher.submit

    def submit(*problem: Any) -> bool:
        nonlocal asked
        asked += 1
        return accepted if asked <= lost else search(*problem)

    monkeypatch.setattr(searcher, "submit", submit)


@pytest.mark.sim
def test_a_search_that_was_lost_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("chair")
    lose_searches(session, monkeypatch, lost=2, accepted=True)
    task = run_until(session, Progress.MOVING, Progress.FAILED)
    assert task.progress is Progress.MOVING
    assert sum("the planner did not answer" in words for words in task.words) == 2


@pytest.mark.parametrize("accepted", [True, False])
def test_a_task_without_a_planner_is_given_up_and_says_so(monkeypatch: pytest.MonkeyPatch, accepted: bool) -> None:
    session = Session("chair")
    lose_searches(session, monkeypatch, lost=1000, accepted=accepted)
    task = run_until(session, Progress.FAILED)
    assert task.progress is Progress.FAILED and "does not answer" in task.words[-1]
    assert session.fall is None and session.fault is None


@pytest.mark.sim
def test_answers_that_nobody_waits_for_any_more_do_not_keep_a_task_from_planning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who falls in the middle of a walk leaves searches behind whose answers nobody takes."""
    session = Session("chair")
    searcher, full = session.stack._searcher, True
    search, take = searcher.submit, searcher.poll

    def poll() -> FrbPlan | None:
        nonlocal full
        full = False
        return take()

    monkeypatch.setattr(type(searcher), "busy", property(lambda _: full))
    monkeypatch.setattr(searcher, "submit", lambda *problem: not full and search(*problem))
    monkeypatch.setattr(searcher, "poll", poll)
    task = run_until(session, Progress.MOVING, Progress.FAILED)
    assert task.progress is Progress.MOVING and not task.words


@pytest.mark.parametrize(("floor", "falls"), [(0.0, False), (0.5, True)])
def test_who_lies_below_the_floor_of_its_stage_has_fallen(floor: float, falls: bool) -> None:
    session = Session("ground")
    stage = Stage(name="lie", duration=1.0, poses=(("prone", 1.0),), bearing=Bearing.LYING, floor=floor)
    session.task(Task(name="lie", description="lie", stages=(lambda now: stage,), begins_lying=True))
    for _ in range(5):
        session.tick()
    assert (session.fall is not None) == falls
