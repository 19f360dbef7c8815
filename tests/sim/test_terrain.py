"""Terrain, as physical simulations: crossed where it can be, refused in words where it cannot."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hmpc.app.metrics import Summary
from hmpc.app.session import Session

pytestmark = pytest.mark.sim


def walk(env: str, vx: float, seconds: float, **parameters: Any) -> tuple[Session, Summary]:
    session = Session(env, parameters=parameters)
    session.command = replace(session.command, velocity_H=np.array([vx, 0.0]))
    return session, session.run(seconds)


@pytest.mark.parametrize(("riser", "direction"), [(0.2, "up"), (0.22, "down")])
def test_stairs_without_hands(riser: float, direction: str) -> None:
    session, summary = walk("stairs", 0.6, 9.5, riser=riser, count=4, direction=direction)
    assert summary.success, summary.reason
    assert summary.foot_slip < 0.03
    height = 4 * riser * (1.0 if direction == "up" else -1.0)
    assert session.state.body.com_W[2] == pytest.approx(height + 0.97, abs=0.06)


@pytest.mark.parametrize("riser", [0.1, 0.2])
def test_stairs_are_climbed_from_wherever_the_walk_begins(riser: float) -> None:
    """From here, the leg behind was dragged along by the first long step on top, and its toes caught the last edge."""
    session = Session("stairs", parameters={"riser": riser, "run_up": 1.6}, seed=1)
    session.command = replace(session.command, velocity_H=np.array([0.6, 0.0]))
    summary = session.run(12.0)
    assert summary.success, summary.reason


def test_hands_carry_load_on_rails() -> None:
    """Both hands take hold in turn, bear a part of the weight, and have let go of several holds."""
    held: list[tuple[str, float]] = []
    session = Session("stairs", parameters={"riser": 0.2, "count": 4, "rails": "both"})
    session.command = replace(session.command, velocity_H=np.array([0.6, 0.0]))

    def note_holds(session: Session) -> None:
        for hand in session.simulator.grips.closed():
            place = round(float(session.state.limbs[hand].p_W[0]), 1)
            if session.state.limbs[hand].force_W[2] > 50.0 and (hand, place) not in held:
                held.append((hand, place))

    summary = session.run(8.0, note_holds)
    assert summary.success, summary.reason
    assert summary.hand_force_mean > 40.0
    assert {hand for hand, _ in held} == {"left_hand", "right_hand"}
    assert len(held) >= 3


def test_steps_too_high_to_walk_up_are_climbed_with_both_hands_for_as_long_as_the_way_leads_on() -> None:
    """A step of half a metre: hands ahead, one foot, the other; then it is told to stop, and stands there."""
    session = Session("stairs", parameters={"riser": 0.5, "tread": 0.5, "rails": "both"})
    session.command = replace(session.command, velocity_H=np.array([0.6, 0.0]))
    while session.stack.doing != "climb stairs: moving" and not session.over:
        session.run(0.1)
    assert session.time < 12.0
    session.command = replace(session.command, velocity_H=np.zeros(2))
    summary = session.run(12.0)
    assert not summary.fell, summary.reason
    assert session.stack.doing == "standing"
    assert summary.hand_force_mean > 40.0 and summary.hand_force_max < 600.0  # which a grip would not bear
    feet = [session.state.limbs[foot].p_W for foot in ("left_foot", "right_foot")]
    assert [foot[2] for foot in feet] == pytest.approx([0.5, 0.5], abs=0.01)
    assert session.state.body.com_W[2] == pytest.approx(0.5 + 0.99, abs=0.03)


@pytest.mark.parametrize("angle", [15.0, -15.0])
def test_slopes(angle: float) -> None:
    _, summary = walk("slope", 0.8, 6.0, angle=angle)
    assert summary.success, summary.reason
    assert summary.distance > 2.5


def test_random_stones_are_crossed_without_a_foot_beside_them() -> None:
    session = Session("stones", parameters={"length": 3.0, "seed": 1})
    session.command = replace(session.command, velocity_H=np.array([1.0, 0.0]))
    stones = [region for region in session.stack.scene.regions if region.half_extent.max() < 0.2]
    used: set[int] = set()

    def watch(watched: Session) -> None:
        for foot in (watched.state.limbs[name] for name in ("left_foot", "right_foot")):
            on = [(np.abs(foot.p_W - stone.p_W)[:2] <= stone.half_extent).all() for stone in stones]
            over_stones = stones[0].p_W[0] - 0.15 < foot.p_W[0] < stones[-1].p_W[0] + 0.15
            assert any(on) or not (foot.touching and over_stones)
            used.update(i for i, there in enumerate(on) if there and foot.touching)

    summary = session.run(8.0, watch)
    assert summary.success, summary.reason
    assert used == set(range(len(stones)))


@pytest.mark.parametrize(
    ("width", "vx", "run_up", "flight"), [(0.8, 1.2, 4.0, 0.1), (1.1, 1.5, 4.0, 0.2), (1.1, 1.5, 4.43, 0.2)]
)
def test_a_gap_too_wide_for_a_step_is_leapt(width: float, vx: float, run_up: float, flight: float) -> None:
    session = Session("gap", parameters={"width": width, "run_up": run_up})
    session.command = replace(session.command, velocity_H=np.array([vx, 0.0]))
    near, far = (region for region in session.stack.scene.regions)
    edges = near.p_W[0] + near.half_extent[0], far.p_W[0] - far.half_extent[0]
    in_the_air = 0.0

    def watch(watched: Session) -> None:
        nonlocal in_the_air
        feet = [watched.state.limbs[foot] for foot in ("left_foot", "right_foot")]
        over_gap = edges[0] < watched.state.body.com_W[0] < edges[1]
        in_the_air += 0.002 * (over_gap and not any(foot.touching for foot in feet))
        assert not any(foot.touching and edges[0] < foot.p_W[0] < edges[1] for foot in feet)

    summary = session.run(8.0, watch)
    assert summary.success, summary.reason
    assert in_the_air > flight


def test_a_quick_walk_does_not_stop_short_at_a_gap() -> None:
    session = Session("gap", parameters={"width": 0.5}, seed=1)
    session.command = replace(session.command, velocity_H=np.array([1.2, 0.0]))
    session.run(3.0)
    slowest = math.inf

    def watch(watched: Session) -> None:
        nonlocal slowest
        slowest = min(slowest, float(watched.state.body.vel_W[0]))

    summary = session.run(5.0, watch)
    assert summary.success, summary.reason
    assert slowest > 0.6


def assert_stopped(session: Session, summary: Summary) -> None:
    """It stands still before what it cannot pass, and says so."""
    assert not summary.fell
    assert not summary.success
    assert "next place to step on" in summary.reason
    steps, where = summary.steps, session.state.body.com_W
    assert session.run(1.0).steps == steps
    assert np.linalg.norm(session.state.body.com_W - where) < 0.005


def test_a_wall_is_not_climbed() -> None:
    assert_stopped(*walk("stairs", 1.0, 6.0, riser=1.0))


def test_a_wide_gap_is_refused_until_something_else_is_commanded() -> None:
    session, summary = walk("gap", 1.0, 6.0, width=3.0, run_up=2.0)
    assert_stopped(session, summary)
    where = session.state.body.com_W
    session.command = replace(session.command, velocity_H=np.array([-0.5, 0.0]))
    session.run(3.0)
    assert session.fall is None
    assert session.state.body.com_W[0] < where[0] - 0.2
