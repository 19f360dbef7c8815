"""On the ground: who stretches, who rolls over, and whose hands have to be freed before they can push."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.tasks.get_up import GET_UP
from hmpc.tasks.lying import free_hands, lie_flat, roll_over
from hmpc.tasks.situation import Scene, Situation, situation
from hmpc.tasks.task import Stage
from hmpc_envs.ground import Ground


def situation_of(simulator: Simulator) -> Situation:
    scene = Scene(regions=Ground().regions(), handholds=(), lying=True)
    return situation(simulator.robot, simulator.body_model, scene, simulator.observe(), {}, 9.81)


def names(stage: Stage | None) -> list[str]:
    return [pose for pose, _ in stage.poses] if stage else []


@pytest.fixture(scope="module")
def front() -> Simulator:
    return Simulator(Ground(), HUMANOID)


@pytest.fixture
def prone(front: Simulator) -> Iterator[Simulator]:
    yield front
    front.reset()


@pytest.fixture
def supine() -> Simulator:
    return Simulator(Ground(pose="back"), HUMANOID)


def turn_palm(simulator: Simulator, hand: str) -> None:
    """The elbow stretches, and the palm leaves the ground."""
    simulator.data.qpos[simulator.robot.qadr[simulator.robot.joint_names.index(f"{hand}_elbow")]] -= 1.0


def roll(simulator: Simulator, angle: float) -> None:
    """About the long axis of the body [rad]: of who lies on the front the left side comes up."""
    w, x, y, z = simulator.data.qpos[3:7]
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    simulator.data.qpos[3:7] = w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s


def test_who_lies_on_its_back_rolls_over_and_who_lies_on_its_front_need_not(
    prone: Simulator, supine: Simulator
) -> None:
    on_back, on_front = situation_of(supine), situation_of(prone)
    assert GET_UP.refusal(on_back) is None
    rolling = roll_over(on_back)
    assert rolling is not None and rolling.check(on_back) == "the body did not come over"
    assert roll_over(on_front) is None and rolling.check(on_front) is None


def test_who_lies_flat_need_not_stretch_and_who_crouches_on_its_back_does(supine: Simulator) -> None:
    assert lie_flat(situation_of(supine)) is None
    supine.data.qpos[supine.robot.qadr] = supine.robot.named_pose("crouch")
    assert names(lie_flat(situation_of(supine))) == ["supine"]


@pytest.mark.parametrize(("turned", "below"), [(1.2, "right"), (-1.2, "left")])
def test_who_crouches_on_its_side_takes_the_arm_below_over_its_head(
    prone: Simulator, turned: float, below: str
) -> None:
    prone.data.qpos[prone.robot.qadr] = prone.robot.named_pose("crouch")
    roll(prone, turned)
    now = situation_of(prone)
    assert np.sign(now.state.body.R_WB[2, 1]) == np.sign(turned)
    assert names(lie_flat(now))[0] == f"{below} arm overhead"


def test_hands_that_lie_flat_are_free(prone: Simulator) -> None:
    assert free_hands(situation_of(prone)) is None


@pytest.mark.parametrize("caught", ["left", "right"])
def test_a_hand_that_is_not_flat_on_the_ground_is_freed_before_the_push_up(prone: Simulator, caught: str) -> None:
    turn_palm(prone, caught)
    now = situation_of(prone)
    assert roll_over(now) is None
    freeing = free_hands(now)
    assert freeing is not None and freeing.check(now) == f"{caught}_hand is not flat on the ground"
    assert names(freeing)[0] == f"{caught} arm overhead" and names(freeing)[-1] == "prone"


def test_a_palm_under_the_chest_is_caught_however_flat_it_lies(prone: Simulator) -> None:
    now = situation_of(prone)
    hand = now.state.limbs["left_hand"]
    below_W = hand.p_W - 0.2 * now.state.body.R_WB[:, 1]
    state = replace(now.state, limbs={**now.state.limbs, "left_hand": replace(hand, p_W=below_W)})
    assert names(free_hands(replace(now, state=state)))[0] == "left arm overhead"


def test_a_hand_in_the_air_beside_the_chest_is_only_put_down(prone: Simulator) -> None:
    now = situation_of(prone)
    hand = replace(now.state.limbs["left_hand"], touching=False)
    state = replace(now.state, limbs={**now.state.limbs, "left_hand": hand})
    assert names(free_hands(replace(now, state=state)))[0] == "arms out"


def test_two_hands_that_are_not_flat_come_out_to_the_sides(prone: Simulator) -> None:
    turn_palm(prone, "left")
    turn_palm(prone, "right")
    assert names(free_hands(situation_of(prone)))[0] == "arms out"


def test_off_the_left_arm_is_the_mirror_image_of_off_the_right_one() -> None:
    right, left = (HUMANOID.poses[f"{side} arm overhead"] for side in ("right", "left"))
    assert left["left_shoulder_flexion"] == right["right_shoulder_flexion"] > 2.0
    assert left["right_elbow"] == right["left_elbow"]
    assert left["thoracic_rotation"] == -right["thoracic_rotation"] != 0.0
