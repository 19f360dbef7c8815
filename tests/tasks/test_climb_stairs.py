"""Before a high step between two rails: what is seen of it, where hands, feet and hips belong, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hmpc.geometry import rotation_zyx
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.tasks.climb_stairs import CLIMB_STAIRS, HIGHEST, SHALLOWEST
from hmpc.tasks.riser import Riser
from hmpc.tasks.situation import Scene, Situation, situation
from hmpc_envs.stairs import Stairs

EDGE = 1.5  # [m] from the start to the first step


def situation_before(stairs: Stairs) -> Situation:
    simulator = Simulator(stairs, HUMANOID)
    scene = Scene(regions=stairs.regions(), handholds=stairs.handholds())
    return situation(simulator.robot, simulator.body_model, scene, simulator.observe(), {}, 9.81)


def riser_of(stairs: Stairs) -> Riser:
    riser = Riser.of(situation_before(stairs))
    assert riser is not None
    return riser


def test_the_first_step_is_seen_where_it_begins_midway_between_the_rails() -> None:
    riser = riser_of(Stairs(riser=0.4, tread=0.5, rails="both"))
    assert riser.height == pytest.approx(0.4, abs=1e-3)
    assert riser.edge_W == pytest.approx([EDGE, 0.0, 0.4], abs=1e-3)
    assert riser.place_of(riser.at(0.1, -0.2)) == pytest.approx((0.1, -0.2))


@pytest.mark.parametrize("rails", ["none", "left", "right"])
def test_without_two_rails_there_is_no_step_to_climb(rails: str) -> None:
    now = situation_before(Stairs(riser=0.4, tread=0.5, rails=rails))
    assert Riser.of(now) is None
    refusal = CLIMB_STAIRS.refusal(now)
    assert refusal is not None and "between two rails" in refusal


def test_hands_find_their_own_rail_at_the_same_distance_ahead() -> None:
    stairs = Stairs(riser=0.4, tread=0.5, rails="both", rail_height=0.85)
    riser = riser_of(stairs)
    for hand, y in (("left_hand", 0.4), ("right_hand", -0.4)):
        # A rail is 0.85 m above the edges, and climbs as the stairs do.
        assert riser.hold(hand, 0.25) == pytest.approx([EDGE + 0.25, y, 0.4 + 0.85 + 0.25 * 0.4 / 0.5], abs=1e-3)


def test_a_body_before_a_step_has_its_com_where_it_should_be_and_is_as_high_as_its_legs_reach() -> None:
    riser = riser_of(Stairs(riser=0.4, tread=0.5, rails="both"))
    now = riser.now
    goals = {hips: riser.posture(1.0, (-EDGE + 0.05, 0.02), hips, 0.3, now.ankles_W, now.feet) for hips in (0.3, 5.0)}
    for goal in goals.values():
        assert goal.com_W is not None and goal.R_WB is not None
        assert riser.place_of(goal.com_W) == pytest.approx((-EDGE + 0.05, 0.02), abs=5e-3)
        assert pytest.approx(rotation_zyx(0.0, 0.3, 0.0), abs=1e-2) == goal.R_WB
    assert 0.1 < goals[5.0].com_W[2] - goals[0.3].com_W[2] < 0.3  # not the 4.7 m that were asked for


def test_a_step_that_is_too_high_is_refused_with_what_is_possible() -> None:
    refusal = CLIMB_STAIRS.refusal(situation_before(Stairs(riser=1.0, tread=0.5, rails="both")))
    assert refusal is not None and "1.00 m is too high" in refusal and f"{HIGHEST:.2f} m" in refusal


def test_a_tread_without_room_for_a_knee_is_refused() -> None:
    refusal = CLIMB_STAIRS.refusal(situation_before(Stairs(riser=0.4, tread=0.3, rails="both")))
    assert refusal is not None and "0.30 m has too little room" in refusal and f"{SHALLOWEST:.2f} m" in refusal


def test_the_task_suits_high_stairs_with_rails_only() -> None:
    now = situation_before(Stairs(riser=0.4, tread=0.5, rails="both"))
    assert CLIMB_STAIRS.suits(now.scene) and CLIMB_STAIRS.again(now)
    assert not CLIMB_STAIRS.suits(replace(now.scene, handholds=()))
    low = Stairs(riser=0.1, rails="both")
    assert not CLIMB_STAIRS.suits(Scene(regions=low.regions(), handholds=low.handholds()))


def test_every_stage_before_the_step_keeps_the_hands_within_reach() -> None:
    """From where the task begins, with the body leaning over its feet, arms are not stretched."""
    riser = riser_of(Stairs(riser=0.4, tread=0.5, rails="both"))
    way = CLIMB_STAIRS.approach(riser.now)
    stage = CLIMB_STAIRS.stages[0](riser.now)
    assert stage is not None and way.left == pytest.approx(0.0, abs=1e-3)
    goal = stage.targets[-1]
    for phase in stage.phases:
        if phase.limb in riser.now.hands:
            hand = riser.now.body.limb(phase.limb)
            moved_W = np.array([way.forward, 0.0, 0.0])  # as if the walk there had been made
            assert np.linalg.norm(goal.com_W + moved_W + goal.R_WB @ hand.root_B - phase.center_W) < 0.9 * hand.reach
