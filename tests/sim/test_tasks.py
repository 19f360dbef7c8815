"""Hands and feet together: tasks as physics."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from hmpc.app.session import Session
from hmpc.errors import InputError
from hmpc.sim.simulator import Push
from hmpc.tasks.get_up import GET_UP, push_up
from hmpc.tasks.lying import free_hands, lie_flat
from hmpc.tasks.runner import Progress
from hmpc.tasks.situation import Situation
from hmpc.tasks.task import Stage
from hmpc.types import Bearing

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
    closest = min(_arms_to_legs(session) for _ in range(70) if session.run(0.05))
    summary = session.summary()
    assert summary.success, summary.reason
    assert summary.hand_force_max == 0.0
    assert closest > -0.003  # the hands lie on the thighs at first, not in them


def _arms_to_legs(session: Session) -> float:
    """[m] between the nearest of hands, forearms, thighs and shanks; negative where they pass through each other."""
    model, data = session.simulator.model, session.simulator.data
    bodies = {geom: model.body(model.geom_bodyid[geom]).name for geom in np.flatnonzero(model.geom_conaffinity)}
    arms = [geom for geom, body in bodies.items() if body.endswith(("_forearm", "_hand"))]
    legs = [geom for geom, body in bodies.items() if body.endswith(("_thigh", "_shank"))]
    return min(mujoco.mj_geomDistance(model, data, arm, leg, 1.0, None) for arm in arms for leg in legs)


def test_hands_that_are_torn_off_their_bars_take_hold_again_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hmpc.sim.grip.MAX_FORCE", 60.0)
    session = Session("chair", parameters={"layout": "bars"})
    summary = session.run(3.0)
    assert summary.success, summary.reason
    assert 0.0 < summary.hand_force_max < 60.0
    assert session.stack.task is not None
    words = session.stack.task.words
    assert "left_hand lost hold in stage 'lean'." in words and words[-1] == "Task 'stand_up' is done."


def test_who_does_not_sit_is_refused_to_stand_up() -> None:
    session = Session("flat")
    assert "stand_up" not in session.tasks()
    session.task("stand_up")
    assert session.stack.task is not None and "does not sit" in session.stack.task.words[0]
    assert session.run(0.2).success


def test_an_unknown_task_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="stand_up"):
        Session("flat").task("fly")


def test_sits_down_again_and_rests_on_the_seat() -> None:
    session = Session("chair", parameters={"layout": "none"})
    session.run(3.2)
    session.task("sit_down")
    session.run(4.0)
    task, seat = session.stack.task, session.state.limbs["seat"]
    assert session.fall is None
    assert task is not None and task.words[-1] == "Task 'sit_down' is done."
    assert seat.touching and seat.force_W[2] > 150.0
    assert session.state.body.R_WB[2, 2] > 0.95  # upright


def test_sitting_down_without_a_seat_is_refused() -> None:
    session = Session("flat")
    session.task("sit_down")
    assert session.stack.task is not None and "there is no seat" in session.stack.task.words[0]


def test_climbs_a_platform_with_its_hands_and_walks_on_by_command() -> None:
    session = Session("platform", parameters={"height": 0.5, "distance": 0.36})
    loads: list[float] = []  # [N] on both hands while one foot is on the platform and the other one changes level

    def watch(session: Session) -> None:
        limbs = session.state.limbs
        levels = sorted(limbs[foot].p_W[2] for foot in ("left_foot", "right_foot"))
        if levels[1] > 0.45 and 0.05 < levels[0] < 0.45:
            loads.append(sum(limbs[hand].force_W[2] for hand in ("left_hand", "right_hand")))

    summary = session.run(16.5, watch)
    assert summary.success, summary.reason
    assert loads and np.mean(loads) > 50.0
    session.command = replace(session.command, velocity_H=np.array([0.4, 0.0]))
    before = session.state.body.com_W[0]
    session.run(3.0)
    assert session.fall is None
    assert session.state.body.com_W[0] > before + 0.2


@pytest.mark.parametrize(("height", "friction"), [(0.6, 0.6), (0.8, 0.9)])
def test_slides_onto_a_high_platform_chest_first_and_takes_its_knees_after_it(height: float, friction: float) -> None:
    session = Session("platform", parameters={"height": height, "distance": 0.36, "friction": friction})
    task = session.stack.task
    assert task is not None
    while task.plans < 3 and session.time < 14.0 and session.fall is None:  # the third one is to push up
        session.tick()
        assert "head" not in session.simulator.contacts.other_segments()
    assert session.fall is None and not task.over
    assert session.state.body.R_WB[2, 0] < -0.9  # on its front
    knees = [session.state.limbs[knee].p_W for knee in ("left_knee", "right_knee")]
    assert all(p_W[0] > 0.36 + 0.05 and p_W[2] > height for p_W in knees)
    assert not task.words  # at the first try


def test_walks_to_the_platform_and_stops_before_it() -> None:
    session = Session("platform", parameters={"height": 0.5, "distance": 1.01, "turn": -3.0})
    task = session.stack.task
    while task is not None and task.progress is Progress.APPROACHING and session.time < 15.0:
        session.tick()
    assert session.fall is None and session.time < 15.0
    feet = [session.state.limbs[foot].p_W[0] for foot in ("left_foot", "right_foot")]
    assert np.mean(feet) == pytest.approx(1.01 - 0.34, abs=0.03)


def test_a_platform_of_two_metres_is_refused() -> None:
    session = Session("platform", parameters={"height": 2.0})
    summary = session.run(0.2)
    assert not summary.success and not summary.fell
    assert "too high" in summary.reason


def test_gets_up_from_lying_on_its_front_and_walks_on_by_command() -> None:
    session = Session("ground")
    on_knees = 0  # ticks with the weight on hands and knees alone

    def watch(session: Session) -> None:
        nonlocal on_knees
        limbs = session.state.limbs
        on_knees += sum(limbs[knee].force_W[2] for knee in ("left_knee", "right_knee")) > 200.0

    summary = session.run(14.0, watch)
    assert summary.success, summary.reason
    assert on_knees > 500
    session.command = replace(session.command, velocity_H=np.array([0.4, 0.0]))
    before = session.state.body.com_W[0]
    session.run(4.0)
    assert session.fall is None
    assert session.state.body.com_W[0] > before + 0.2


def test_rolls_over_from_its_back_to_its_front_before_it_gets_up() -> None:
    session = Session("ground", parameters={"pose": "back"})
    task = session.stack.task
    assert task is not None and session.state.body.R_WB[2, 0] > 0.9
    while task.plans == 0 and session.time < 8.0:
        session.tick()
    assert session.state.body.R_WB[2, 0] < -0.9
    assert task.progress is Progress.MOVING and not task.words


def fallen_onto_its_right_arm() -> Session:
    session = Session("flat")
    session.push(Push(0.5, 80.0, 0.0))
    while session.fall is None and session.time < 2.0:
        session.tick()
    return session


def pushes_up(session: Session, seconds: float) -> bool:
    """Whether the body comes off the ground with both hands on it."""
    end = session.time + seconds
    while session.time < end and not (session.stack.task and session.stack.task.over):
        session.tick()
    hands = [session.state.limbs[name] for name in ("left_hand", "right_hand")]
    return session.state.body.com_W[2] > 0.3 and all(hand.touching and hand.R_WL[2, 2] > 0.9 for hand in hands)


def test_pushed_over_forwards_it_takes_the_arm_below_over_its_head_before_it_pushes_up() -> None:
    session = fallen_onto_its_right_arm()
    session.task(replace(GET_UP, stages=(lie_flat, push_up)))
    assert pushes_up(session, 12.0)
    assert session.stack.task is not None and session.stack.task.words == ["Task 'get_up' is done."]  # at the first try


def test_an_arm_that_is_caught_under_the_chest_is_freed_before_it_pushes_up() -> None:
    session = fallen_onto_its_right_arm()
    onto_the_arm = Stage(name="stretch", duration=2.3, poses=(("arms out", 1.5), ("prone", 0.8)), bearing=Bearing.LYING)
    caught: list[float] = []  # cosine of the slope of the palm before it is freed

    def free(now: Situation) -> Stage | None:
        caught.append(now.state.limbs["right_hand"].R_WL[2, 2])
        return free_hands(now)

    session.task(replace(GET_UP, stages=(lambda now: onto_the_arm, free, push_up)))
    assert pushes_up(session, 15.0)
    assert caught[0] < 0.0
