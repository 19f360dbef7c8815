"""Who leans on its hands keeps them where they are, and puts them back when they slip off."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.tasks.on_hands import SPINE, keep_hands, on_hands, side
from hmpc.tasks.situation import Scene, Situation, situation
from hmpc.types import Bearing
from hmpc_envs.flat import Flat
from hmpc_envs.ground import Ground


def situation_in(environment: Flat | Ground) -> Situation:
    simulator = Simulator(environment, HUMANOID)
    scene = Scene(regions=environment.regions(), handholds=())
    return situation(simulator.robot, simulator.body_model, scene, simulator.observe(), {}, 9.81)


def test_a_hand_on_the_ground_stays_where_it_is() -> None:
    now = situation_in(Ground())
    held = keep_hands(now, now.scene.regions[0], lambda hand: np.zeros(3), now.t + 1.0)
    assert [phase.limb for phase in held] == list(now.hands)
    for phase in held:
        assert phase.fixed and phase.t_start == now.t
        assert phase.center_W == pytest.approx(now.state.limbs[phase.limb].p_W)


def test_a_hand_in_the_air_reaches_for_its_place_if_there_is_time() -> None:
    now = situation_in(Flat())
    place_W = np.array([0.3, 0.2, 0.0])
    held = keep_hands(now, now.scene.regions[0], lambda hand: place_W, now.t + 1.0)
    assert all(not phase.fixed and phase.t_start > now.t and (phase.center_W == place_W).all() for phase in held)
    assert keep_hands(now, now.scene.regions[0], lambda hand: place_W, now.t + 0.1) == []


def test_the_spine_bends_the_same_however_far_the_body_leans() -> None:
    now = situation_in(Ground())
    for pitch in (0.7, 1.4):
        goal = now.at_rest(now.t + 1.2, now.state.body.com_W, pitch)
        stage = on_hands(now, "lean", (), goal, pitch, Bearing.LEANING)
        assert stage.bend * pitch == pytest.approx(SPINE)
        assert stage.duration == pytest.approx(1.2) and stage.needs_hands


def test_sides_are_left_and_right() -> None:
    now = situation_in(Ground())
    assert [side(now, hand) for hand in now.hands] == [1.0, -1.0]
