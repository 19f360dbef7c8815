"""Scanning the surroundings for something to hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.tasks.handholds import reachable_handholds
from hmpc.tasks.situation import Scene, Situation, situation
from hmpc.tasks.stand_up import LEAN, STAND_UP, shoulders_when
from hmpc.types import ContactRegion
from hmpc_envs.chair import Chair


def situation_in(environment: Chair) -> Situation:
    simulator = Simulator(environment, HUMANOID)
    scene = Scene(regions=environment.regions(), handholds=environment.handholds(), seats=environment.seats())
    return situation(simulator.robot, simulator.body_model, scene, simulator.observe(), {}, 9.81)


def test_each_hand_finds_the_armrest_on_its_side() -> None:
    now = situation_in(Chair(layout="armrests"))
    found = reachable_handholds(now, shoulders_when(now, LEAN))
    assert set(found) == {"left_hand", "right_hand"}
    assert found["left_hand"].p_W[1] > 0.2 > -0.2 > found["right_hand"].p_W[1]
    for hold in found.values():
        offset = hold.region.R_WR.T @ (hold.p_W - hold.region.p_W)
        assert (np.abs(offset[:2]) <= hold.region.half_extent).all() and offset[2] == pytest.approx(0.0)


@pytest.mark.parametrize("chair", [Chair(layout="none"), Chair(layout="armrests", holds="forbidden")])
def test_nothing_is_found_where_there_is_nothing_to_use(chair: Chair) -> None:
    now = situation_in(chair)
    assert reachable_handholds(now, shoulders_when(now, LEAN)) == {}


def test_what_is_out_of_reach_is_left_alone() -> None:
    now = situation_in(Chair(layout="none"))
    far = ContactRegion(p_W=np.array([2.0, 0.4, 0.7]), R_WR=np.eye(3), half_extent=np.array([0.1, 0.1]))
    scene = Scene(regions=now.scene.regions, handholds=(far,), seats=now.scene.seats)
    moved = replace(now, scene=scene)
    assert reachable_handholds(moved, shoulders_when(moved, LEAN)) == {}


def test_hands_begin_with_zero_force() -> None:
    now = situation_in(Chair(layout="bars"))
    stage = STAND_UP.stages[0](now)
    hands = [phase for phase in stage.phases if phase.limb in now.hands]
    assert len(hands) == 2 and all((phase.f_r_W == 0.0).all() and (phase.f_l == 0.0).all() for phase in hands)
