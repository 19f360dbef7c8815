"""Hands on bars: they close on touch, hold up to their limit, and let go."""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np
import pytest

from hmpc.errors import UnknownNameError
from hmpc.geometry import rotation_z
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.grip import MAX_FORCE, Grips, Hand, add_grip
from hmpc.sim.scenery import Bar, Block, add_sky_and_light, region
from hmpc.sim.simulator import Simulator
from hmpc_envs.flat import Flat

HAND = Hand("hand", ("palm",))
BAR_HEIGHT = 2.0  # [m] of its top


class Scene:
    """A ball that can close around a bar, with a weight hanging from it."""

    def __init__(self, height: float, mass: float):
        spec = mujoco.MjSpec()
        spec.option.timestep = 0.002
        add_sky_and_light(spec)
        Bar(top=region((0.0, 0.0, BAR_HEIGHT), (0.5, 0.0), 0.8)).add_to(spec)
        body = spec.worldbody.add_body(name="hand", pos=[0.0, 0.0, height])
        body.add_freejoint()
        body.add_geom(name="palm", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.05, 0, 0], mass=mass)
        add_grip(spec, "hand", HAND)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.grips = Grips(self.model, self.data, {"hand": HAND})

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / self.model.opt.timestep)):
            mujoco.mj_step(self.model, self.data)
            self.grips.release_overloaded()

    @property
    def height(self) -> float:
        return float(self.data.qpos[2])


def touching_from_below(mass: float) -> Scene:
    """It just touches the bar's lower side: without a grip it falls."""
    scene = Scene(BAR_HEIGHT - 0.04 - 0.0499, mass)
    mujoco.mj_step1(scene.model, scene.data)
    return scene


def test_a_hand_does_not_close_at_a_distance() -> None:
    scene = Scene(BAR_HEIGHT - 0.1, 1.0)
    mujoco.mj_step1(scene.model, scene.data)
    assert not scene.grips.close("hand")
    scene.run(0.2)
    assert scene.height < BAR_HEIGHT - 0.2


def test_a_closed_hand_carries_a_weight_and_feels_it() -> None:
    scene = touching_from_below(30.0)
    assert scene.grips.close("hand")
    start = scene.height
    scene.run(1.0)
    assert scene.grips.is_closed("hand")
    assert scene.height == pytest.approx(start, abs=0.01)
    np.testing.assert_allclose(scene.grips.force_W("hand"), [0.0, 0.0, 30.0 * 9.81], rtol=0.02, atol=2.0)


def test_a_hand_lets_go_when_told() -> None:
    scene = touching_from_below(30.0)
    scene.grips.close("hand")
    scene.run(0.1)
    scene.grips.open("hand")
    scene.run(0.3)
    assert scene.height < BAR_HEIGHT - 0.2
    assert not scene.grips.force_W("hand").any()


def test_a_hand_lets_go_past_its_limit() -> None:
    scene = touching_from_below(1.05 * MAX_FORCE / 9.81)
    assert scene.grips.close("hand")
    scene.run(0.5)
    assert not scene.grips.is_closed("hand")
    assert scene.height < BAR_HEIGHT - 0.2


def test_a_hand_that_was_torn_open_closes_again_only_after_it_has_let_go() -> None:
    scene = touching_from_below(1.05 * MAX_FORCE / 9.81)
    scene.grips.hold({"hand"})
    assert scene.grips.is_closed("hand")
    while not scene.grips.torn and scene.data.time < 0.5:
        scene.run(scene.model.opt.timestep)
    mujoco.mj_resetData(scene.model, scene.data)  # back at the bar
    mujoco.mj_step1(scene.model, scene.data)
    scene.grips.hold({"hand"})
    assert not scene.grips.is_closed("hand")
    scene.grips.hold(())
    scene.grips.hold({"hand"})
    assert scene.grips.is_closed("hand")


def test_a_hand_holds_with_its_middle_wherever_it_touched_first() -> None:
    """A tilted palm touches the bar with an edge; what hangs from its middle does not turn it then."""
    spec = mujoco.MjSpec()
    add_sky_and_light(spec)
    Bar(top=region((0.0, 0.0, BAR_HEIGHT), (0.5, 0.0), 0.8)).add_to(spec)
    body = spec.worldbody.add_body(
        name="hand", pos=[0.1, 0.0, BAR_HEIGHT + 0.0165], quat=[math.cos(0.025), 0.0, math.sin(0.025), 0.0]
    )
    body.add_freejoint()
    body.add_geom(name="palm", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.045, 0.04, 0.015], mass=1.0)
    add_grip(spec, "hand", HAND)
    model = spec.compile()
    data = mujoco.MjData(model)
    grips = Grips(model, data, {"hand": HAND})
    mujoco.mj_step1(model, data)
    assert grips.close("hand")
    assert data.contact.pos[:, 0].max() < 0.1 - 0.02 or data.contact.pos[:, 0].min() > 0.1 + 0.02
    assert grips.save().anchors[0, 3:6] == pytest.approx([0.1, 0.0, BAR_HEIGHT], abs=2e-3)


def test_a_hand_that_does_not_exist_lists_the_ones_that_do() -> None:
    with pytest.raises(UnknownNameError, match="Available: hand"):
        touching_from_below(1.0).grips.close("paw")


@dataclass(frozen=True, eq=False, kw_only=True)
class HighBar(Flat):
    """A bar across the palms of a standing character."""

    name = "high bar"
    description = "a bar in front of the hands"

    def blocks(self) -> tuple[Block | Bar, ...]:
        bar = Bar(top=region((0.06, 0.0, 0.87), (0.5, 0.0), self.friction, rotation_z(np.pi / 2)), radius=0.03)
        return (*super().blocks(), bar)


def test_the_hands_of_a_character_hold_a_bar_and_a_snapshot_remembers_it() -> None:
    simulator = Simulator(HighBar(), HUMANOID)
    assert len(simulator.environment.handholds()) == 1
    hands = ["left_hand", "right_hand"]
    for _ in range(100):  # it sinks onto the bar
        simulator.observe()
        for hand in hands:
            simulator.grips.close(hand)
        if simulator.grips.closed() == hands:
            break
        simulator.apply(np.zeros(simulator.robot.nu))
    assert simulator.grips.closed() == hands
    snapshot = simulator.save()
    ends = []
    for _ in range(2):
        for _ in range(20):
            state = simulator.observe()
            simulator.apply(np.zeros(simulator.robot.nu))
        assert state.limbs["left_hand"].touching
        ends.append(simulator.data.qpos.copy())
        for hand in hands:
            simulator.grips.open(hand)
        simulator.restore(snapshot)
    np.testing.assert_array_equal(ends[0], ends[1])
