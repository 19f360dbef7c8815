"""What the contact reader says, against the weight that the ground has to carry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.environment import BaseEnvironment
from hmpc.sim.parameters import parameter
from hmpc.sim.scenery import Block, region
from hmpc.sim.simulator import Simulator
from hmpc_envs.flat import Flat
from hmpc_envs.slope import Slope
from hmpc_envs.stand import Stand


def test_standing_feet_touch_and_hands_do_not() -> None:
    simulator = Simulator(Stand(), HUMANOID)
    state = simulator.observe()
    assert {name for name, limb in state.limbs.items() if limb.touching} == {"left_foot", "right_foot"}
    assert simulator.contacts.other_segments() == []
    for limb in state.limbs.values():
        np.testing.assert_allclose(limb.normal_W, [0.0, 0.0, 1.0], atol=1e-9)


def test_contact_forces_are_what_accelerates_the_com() -> None:
    """Newton: sum of contact forces = m (a - g), also while the character collapses."""
    simulator = Simulator(Stand(), HUMANOID)
    mass, dt = simulator.robot.mass, simulator.model.opt.timestep
    before = simulator.observe().body.vel_W
    for _ in range(30):
        simulator.apply(np.zeros(simulator.robot.nu))
        after = simulator.observe().body.vel_W
        expected = mass * (after - before) / dt + [0.0, 0.0, mass * 9.81]
        np.testing.assert_allclose(simulator.forces_W.sum(axis=0), expected, atol=0.02 * mass * 9.81)
        before = after


def test_a_character_on_the_ground_touches_it_with_more_than_feet() -> None:
    simulator = Simulator(Stand(), HUMANOID)
    for _ in range(900):
        simulator.observe()
        simulator.apply(np.zeros(simulator.robot.nu))
    simulator.observe()
    others = simulator.contacts.other_segments()
    assert others
    assert not set(others) & {"left_sole", "right_sole", "left_palm", "right_palm"}
    assert simulator.forces_W[-1, 2] > 50.0


def test_the_normal_is_that_of_the_surface() -> None:
    simulator = Simulator(Slope(angle=10.0), HUMANOID)
    simulator.data.qpos[0] += 4.0  # onto the ramp, pelvis first
    simulator.data.qpos[2] += 0.4
    for _ in range(60):
        state = simulator.observe()
        simulator.apply(np.zeros(simulator.robot.nu))
        if state.limbs["left_foot"].touching:
            break
    normal = state.limbs["left_foot"].normal_W
    assert np.degrees(np.arccos(normal[2])) == pytest.approx(10.0, abs=0.1)
    assert normal[0] < 0.0


def test_toes_that_meet_a_wall_do_not_turn_the_ground_that_the_foot_stands_on() -> None:
    @dataclass(frozen=True, eq=False, kw_only=True)
    class Kerb(BaseEnvironment):
        distance: float = parameter(1.0, 0.0, 2.0, "m", "of its edge from the middle of the feet")

        def blocks(self) -> tuple[Block, ...]:
            kerb = region((self.distance + 0.5, 0.0, 0.2), (0.5, 1.0), self.friction)
            return (*Flat().blocks(), Block(top=kerb, depth=0.2))

    away = Simulator(Kerb(), HUMANOID)
    foot = away.observe().limbs["left_foot"]
    toes = away.robot.corners_W("left_foot", foot)[:, 0].max()
    near = Simulator(Kerb(distance=float(toes) - 0.001), HUMANOID)
    touched = near.observe().limbs["left_foot"]
    assert near.data.contact.frame[:, 0].min() < -0.9  # the kerb is in their way
    assert touched.touching
    np.testing.assert_allclose(touched.normal_W, [0.0, 0.0, 1.0], atol=1e-9)
