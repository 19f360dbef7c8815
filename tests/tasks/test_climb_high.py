"""Over the edge of a platform that is too high for a foot: what is planned, what is posed, and what is a fall."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.tasks.climb_high import STAGES, further, hands_on, lie_down, over_the_edge, slide, tuck
from hmpc.tasks.situation import Scene, Situation, situation
from hmpc.types import Bearing, Limbs
from hmpc_envs.platform import Platform

HEIGHT, DISTANCE = 0.8, 0.34


@pytest.fixture(scope="module")
def now() -> Situation:
    platform = Platform(height=HEIGHT, distance=DISTANCE)
    simulator = Simulator(platform, HUMANOID)
    scene = Scene(regions=platform.regions(), handholds=platform.handholds())
    return situation(simulator.robot, simulator.body_model, scene, simulator.observe(), {}, 9.81)


def moved(now: Situation, ahead: float) -> Situation:
    """The same with everything further ahead."""
    step_W = np.array([ahead, 0.0, 0.0])
    limbs = {name: replace(limb, p_W=limb.p_W + step_W) for name, limb in now.state.limbs.items()}
    roots_W = {name: root_W + step_W for name, root_W in now.roots_W.items()}
    return replace(now, state=replace(now.state, limbs=Limbs.of(limbs)), roots_W=roots_W)


def test_the_weight_is_over_the_feet_until_the_hands_are_on_the_platform_and_goes_ahead_then(now: Situation) -> None:
    first, second = hands_on(now), over_the_edge(now)
    for stage in (first, second):
        hands = [phase for phase in stage.phases if phase.limb in now.hands]
        assert all(phase.center_W[0] > DISTANCE and phase.center_W[2] == pytest.approx(HEIGHT) for phase in hands)
    toes = now.between_feet_W[0] + 0.1275
    assert first.targets[-1].com_W[0] < toes < second.targets[-1].com_W[0] < DISTANCE
    assert first.bearing is Bearing.LEANING  # with nothing but hands and feet


@pytest.mark.parametrize("make", [lie_down, slide, tuck])
def test_the_poses_of_who_lies_on_the_edge_are_the_robot_s(now: Situation, make: object) -> None:
    stage = make(now)  # type: ignore[operator]
    assert stage.poses and {name for name, _ in stage.poses} <= set(HUMANOID.poses)
    assert stage.duration == pytest.approx(sum(seconds for _, seconds in stage.poses))


def test_a_slide_that_leaves_the_hips_before_the_edge_has_failed(now: Situation) -> None:
    complaint = slide(now).check(now)
    assert complaint is not None and "hips" in complaint
    assert slide(now).check(moved(now, DISTANCE + 0.3)) is None


def test_knees_that_stay_behind_the_edge_are_complained_about(now: Situation) -> None:
    complaint = tuck(now).check(now)
    assert complaint is not None and "knees" in complaint
    assert tuck(now).check(moved(now, DISTANCE + 0.3)) is None


def test_it_goes_further_until_no_foot_is_behind_the_edge(now: Situation) -> None:
    assert further(moved(now, DISTANCE + 0.2)) is not None
    assert further(moved(now, DISTANCE + 0.6)) is None


def test_who_drops_off_the_platform_has_fallen_at_every_stage(now: Situation) -> None:
    stages = [stage for make in STAGES if (stage := make(now)) is not None]
    assert len(stages) > 10
    assert all(stage.floor == pytest.approx(HEIGHT - 0.25) for stage in stages)
