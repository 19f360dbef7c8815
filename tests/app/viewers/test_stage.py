"""The stage: playing, swapping, tuning, pushing; what goes wrong is said and nothing is lost."""

from __future__ import annotations

import logging
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hmpc.app.commands.request import Request
from hmpc.app.viewers.history import History, Sample
from hmpc.app.viewers.keys import press
from hmpc.app.viewers.recovery import LONGEST, STRIDE, Recovery
from hmpc.app.viewers.stage import NoticeHandler, Setting, Stage
from hmpc.app.viewers.status import as_html, as_text
from hmpc.params import Params
from hmpc.sim.simulator import Push
from hmpc.types import ContactRegion
from hmpc_envs.flat import Flat


def test_simulation_stops_at_the_deadline_and_at_the_budget(stage: Stage) -> None:
    assert stage.simulate(0.1, deadline=-math.inf) == 0.0
    assert stage.simulate(0.02, deadline=math.inf) == pytest.approx(0.02)


def test_a_single_step_is_one_tick_and_pauses(stage: Stage) -> None:
    stage.step_once()
    assert stage.session.time == pytest.approx(stage.session.simulator.control_period)
    stage.play_frame()
    assert stage.paused and stage.session.time == pytest.approx(stage.session.simulator.control_period)


def test_a_swap_that_cannot_be_had_changes_nothing(stage: Stage) -> None:
    before = stage.session
    assert not stage.swap(Setting("moon"))
    assert not stage.swap(Setting("slope", {"angle": 89.0}))
    assert stage.session is before and stage.setting == Setting("flat")
    assert [notice.split()[0] for notice in stage.notices] == ["Unknown", "Parameter"]


class Swamp(Flat):
    """Somebody's environment that can be loaded, and not be built."""

    name = "swamp"

    def regions(self) -> tuple[ContactRegion, ...]:
        raise ZeroDivisionError("no ground")


def test_a_place_whose_code_fails_is_said_and_not_gone_to(stage: Stage) -> None:
    before = stage.session
    assert not stage.swap(Setting(f"{__name__}:Swamp"))
    assert stage.session is before
    assert "'swamp' failed with ZeroDivisionError('no ground') in test_stage.py" in stage.notices[0]


def test_another_seed_is_another_run(stage: Stage) -> None:
    first = stage.session.simulator.data.qvel.copy()
    stage.reseed(7)
    assert stage.session.seed == 7 and (stage.session.simulator.data.qvel != first).any()


def test_an_exception_in_a_tick_is_contained_and_said(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a plug-in")

    stage.session.stack.step = broken  # type: ignore[assignment, method-assign]
    stage.simulate(0.1, deadline=math.inf)
    assert stage.session.fault is not None and "a plug-in" in stage.session.fault
    assert "Stopped" in as_html(stage) and "Reset" in as_text(stage)
    stage.reset()
    assert stage.simulate(0.01, deadline=math.inf) > 0.0


def test_a_machine_that_is_too_slow_is_said_so(stage: Stage) -> None:
    assert "too slow" not in as_html(stage)
    stage.real_time_factor = 0.5
    assert "too slow" in as_html(stage)
    stage.speed = 0.5
    assert "too slow" not in as_html(stage), "slow motion is as it should be"


def test_who_stands_though_asked_to_walk_says_why(stage: Stage) -> None:
    stage.session.stack.barrier = "There is nothing to step on ahead."
    assert "nothing to step on" not in as_html(stage), "nobody wants to go there"
    stage.session.command = replace(stage.session.command, velocity_H=np.array([0.5, 0.0]))
    assert "standing: There is nothing to step on ahead." in as_html(stage)


def test_a_command_beyond_the_limits_is_shown_as_it_holds(stage: Stage) -> None:
    stage.session.hub.put("network", Request(vx=9.0))
    assert "asked 2.00 0.00 m/s, 0.00 rad/s (network, clipped)" in as_text(stage)


def test_what_the_log_warns_of_reaches_the_window(stage: Stage) -> None:
    log = logging.getLogger("hmpc.test")
    handler = NoticeHandler(stage)
    log.addHandler(handler)
    log.warning("Robot %r clips.", "humanoid")
    log.removeHandler(handler)
    assert list(stage.notices) == ["Robot 'humanoid' clips."]


def test_new_parameters_hold_at_once_and_the_motion_goes_on(stage: Stage) -> None:
    session = stage.session
    session.run(0.1)
    before = session.state.t
    params = replace(
        Params(),
        tracking=replace(Params().tracking, kp_force=3000.0),
        executor=replace(Params().executor, standing=replace(Params().executor.standing, com_offset=0.0)),
        footsteps=replace(Params().footsteps, steps=4),
    )
    assert stage.retune(params)
    session.run(0.1)
    stack: Any = session.stack
    assert session.params is params and stack._params is params
    assert stack._executor._standing._params.com_offset == 0.0
    assert stack._long_term.params.steps == 4
    assert session.state.t > before and session.fall is None


def test_parameters_that_make_no_sense_are_refused(stage: Stage) -> None:
    before = stage.session.stack
    assert not stage.retune(replace(Params(), forces=replace(Params().forces, regulariser=0.0)))
    assert stage.session.stack is before and "must be positive" in stage.notices[0]


def test_a_key_begins_the_next_task_that_is_offered(stage: Stage) -> None:
    press("T", stage)
    assert stage.session.stack.task is None and "no task" in stage.notices[-1]
    assert stage.swap(Setting("chair"))
    for name in ("sit_down", "stand_up", "sit_down"):  # it stands up from the chair by itself
        press("T", stage)
        assert stage.session.stack.task is not None and stage.session.stack.task.task.name == name


# ----- recovery


def after_a_push(
    velocity_of: Any, seconds: float = 8.0, fell_at: float = math.inf, asked: tuple[float, float] = (0.0, 0.0)
) -> Recovery:
    """A recovery that has watched a character whose forward velocity is a function of the time since the push."""
    history = History()
    session: Any = SimpleNamespace(
        time=0.0,
        over=False,
        falls=SimpleNamespace(down=False),
        stack=SimpleNamespace(steps=3),
        command=SimpleNamespace(velocity_H=np.array(asked)),
    )

    def see(t: float) -> None:
        session.time = t
        history.samples.append(Sample(t, np.array([velocity_of(t), 0.0, 0.0]), np.zeros(3), 1.0, np.zeros(0), ()))

    for t in np.arange(-2.0, 0.0, 0.05):
        see(float(t))
    recovery = Recovery(Push(0.0, 20.0, 0.0), session, history)
    for t in np.arange(0.05, seconds, 0.05):
        see(float(t))
        session.falls.down = t >= fell_at
        recovery.watch(history)
    return recovery


def test_a_push_that_changes_nothing_scores_full_marks() -> None:
    assert after_a_push(lambda t: 0.0).score == 100.0


def test_the_score_falls_with_the_time_it_takes() -> None:
    quick, slow = (after_a_push(lambda t, T=T: 0.5 if 0.0 < t < T else 0.0).score for T in (1.0, 3.0))
    assert quick is not None and slow is not None
    assert 100.0 > quick > slow > 0.0
    assert slow == pytest.approx(100.0 * (1.0 - 3.0 / LONGEST), abs=100.0 * 0.25 * STRIDE / LONGEST)


def test_the_swing_of_a_gait_is_no_disturbance() -> None:
    assert after_a_push(lambda t: 0.5 + 0.2 * math.sin(2.0 * math.pi * t / 0.5)).score == 100.0


def test_who_was_still_getting_faster_is_itself_again_at_the_speed_that_is_asked_for() -> None:
    score = after_a_push(lambda t: min(0.5, 0.3 + 0.2 * (t + 1.0)), asked=(0.5, 0.0)).score
    assert score is not None and score > 80.0


def test_a_fall_and_a_push_that_never_ends_score_nothing() -> None:
    assert after_a_push(lambda t: 0.0, fell_at=1.0).score == 0.0
    assert after_a_push(lambda t: 0.5 if t > 0.0 else 0.0).score == 0.0


def test_a_push_from_the_network_is_watched_as_one_from_a_button_is(stage: Stage) -> None:
    stage.session.hub.post(Push(0.0, 5.0, 0.0))
    stage.play_frame()
    first = stage.recovery
    assert first is not None and str(first).startswith("5 N s")
    stage.play_frame()
    assert stage.recovery is first
    stage.push(10.0, 0.0)
    stage.play_frame()
    assert str(stage.recovery).startswith("10 N s")
    stage.reset()
    stage.play_frame()
    assert stage.recovery is None


# ----- tasks


def test_a_task_that_does_not_exist_is_said(stage: Stage) -> None:
    stage.begin("fly")
    assert "fly" in stage.notices[0] and stage.session.stack.task is None


def test_the_status_tells_what_the_character_does(stage: Stage) -> None:
    assert "standing" in as_text(stage)
    assert stage.swap(Setting("chair"))
    assert "stand up" in as_text(stage) or "resting" in as_text(stage)
