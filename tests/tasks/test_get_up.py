"""On the ground: how the character lies there, what it may do, and what counts as a fall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from hmpc.app.fall_watch import FallWatch
from hmpc.executor.holding import Holding
from hmpc.forces.distribution import ForceDistributor
from hmpc.params import ForceParams, FrbParams
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.environment import Environment
from hmpc.sim.scenery import region
from hmpc.sim.simulator import Simulator
from hmpc.tasks.balance import balanced
from hmpc.tasks.get_up import GET_UP, over_left, push_up, right_forward
from hmpc.tasks.situation import Scene, Situation, situation
from hmpc.tasks.task import Stage
from hmpc.types import Bearing, ContactRegion, Limbs
from hmpc_envs.flat import Flat
from hmpc_envs.ground import Ground


def situation_on(simulator: Simulator, environment: Environment) -> Situation:
    scene = Scene(regions=environment.regions(), handholds=(), lying=True)
    return situation(simulator.robot, simulator.body_model, scene, simulator.observe(), {}, 9.81)


@pytest.fixture(scope="module")
def lying() -> Simulator:
    return Simulator(Ground(), HUMANOID)


def test_who_lies_rests_on_the_ground_with_all_its_weight_and_does_not_move(lying: Simulator) -> None:
    before = lying.observe().body.com_W
    assert "thorax" in lying.contacts.other_segments()
    for _ in range(25):
        weight, _, _ = lying.robot.inverse_dynamics(np.zeros(3), np.zeros(lying.robot.nu))
        lying.apply(weight)
        state = lying.observe()
    assert state.body.com_W == pytest.approx(before, abs=0.01)
    assert lying.forces_W[:, 2].sum() == pytest.approx(lying.robot.mass * 9.81, rel=0.1)
    lying.reset()


def test_different_seeds_lie_differently_and_equal_ones_alike() -> None:
    first, again, other = (Simulator(Ground(pose_seed=seed), HUMANOID).data.qpos for seed in (1, 1, 2))
    assert (first == again).all()
    assert np.abs(first - other).max() > 0.02


def test_the_push_up_is_carried_by_hands_and_knees(lying: Simulator) -> None:
    now = situation_on(lying, Ground())
    stage = push_up(now)
    phases = balanced(stage.phases, now, stage.targets[-1], ForceDistributor(ForceParams()), FrbParams())
    assert {phase.limb for phase in phases} == {*now.hands, *now.knees}
    assert all(phase.f_r_W[1, 2] > 20.0 for phase in phases)
    assert sum(phase.f_r_W[1, 2] for phase in phases) == pytest.approx(now.weight, rel=0.05)  # halfway, not accelerated
    goal = stage.targets[-1]
    assert goal.com_W is not None and goal.com_W[2] > now.state.body.com_W[2] + 0.2


@pytest.fixture
def half_kneeling(lying: Simulator) -> Situation:
    """On the right knee, the left foot and both hands, which have come down a little turned against the body."""
    now = situation_on(lying, Ground())
    limbs, knee_W = dict(now.state.limbs), now.state.limbs["right_knee"].p_W
    for name, (ahead, left) in {"left_foot": (0.2, 0.2), "left_hand": (0.6, 0.5), "right_hand": (0.7, 0.0)}.items():
        p_W = np.array([*(knee_W + now.forward(ahead, left))[:2], 0.0])
        force_W = np.array([0.0, 0.0, 100.0])
        limbs[name] = replace(limbs[name], p_W=p_W, R_WL=np.eye(3), force_W=force_W, touching=True)
    return replace(now, state=replace(now.state, limbs=Limbs.of(limbs)))


@pytest.mark.parametrize("make", [over_left, right_forward])
def test_before_the_right_knee_leaves_the_weight_is_well_inside_of_the_left_foot_and_both_hands(
    half_kneeling: Situation, make: Callable[[Situation], Stage]
) -> None:
    goal = make(half_kneeling).targets[-1]
    corners = [half_kneeling.state.limbs[name].p_W[:2] for name in ("left_foot", "right_hand", "left_hand")]
    assert goal.com_W is not None
    for corner, following in pairwise([*corners, corners[0]]):
        along = (following - corner) / np.linalg.norm(following - corner)
        inside = along[0] * (goal.com_W[1] - corner[1]) - along[1] * (goal.com_W[0] - corner[0])
        assert inside > 0.03


def test_the_knee_that_leaves_next_has_handed_over_its_load_when_the_weight_is_over_the_left_foot(
    half_kneeling: Situation,
) -> None:
    stage, distributor = over_left(half_kneeling), ForceDistributor(ForceParams())
    phases = balanced(stage.phases, half_kneeling, stage.targets[-1], distributor, FrbParams())
    knee = next(phase for phase in phases if phase.limb == "right_knee")
    assert knee.f_r_W[0, 2] > 50.0 and knee.f_r_W[-1, 2] < 5.0


def test_who_stands_is_refused() -> None:
    standing = GET_UP.refusal(situation_on(Simulator(Flat(), HUMANOID), Flat()))
    assert standing is not None and "does not lie" in standing


@pytest.mark.parametrize(
    ("place", "room"),
    [(region((0, 0, 0), (1.5, 5), 0.8), True), (region((0.8, 0, 0), (1.5, 5), 0.8), False)],
)
def test_level_ground_is_needed_all_around(lying: Simulator, place: ContactRegion, room: bool) -> None:
    now = situation_on(lying, Ground())
    here = replace(now, scene=Scene(regions=(place,), handholds=()))
    step = region((now.state.body.com_W[0] + 1.5, 0, 0.2), (0.6, 1), 0.8)
    beside = replace(now, scene=Scene(regions=(place, step), handholds=()))
    assert (GET_UP.refusal(here) is None) == room
    assert "no level ground" in (GET_UP.refusal(beside) or "")


def test_who_lies_and_waits_pushes_with_no_limb(lying: Simulator) -> None:
    state = lying.observe()
    assert "right_knee" in Holding(lying.robot, state).update(state).support
    assert not Holding(lying.robot, state, lying=True).update(state).support


@pytest.mark.parametrize(
    ("bearing", "touching", "fallen"),
    [
        (Bearing.KNEELING, "left_shank", False),
        (Bearing.KNEELING, "thorax", True),
        (Bearing.LEANING, "left_shank", True),
    ],
)
def test_on_hands_and_knees_legs_may_touch_the_ground_and_the_trunk_may_not(
    lying: Simulator, bearing: Bearing, touching: str, fallen: bool
) -> None:
    reason = FallWatch(lying).fall(lying.observe(), [touching], bearing)
    assert (reason is not None) == fallen


def test_a_planned_knee_is_no_unplanned_contact_and_who_lies_has_none(lying: Simulator) -> None:
    watch = FallWatch(lying)
    lying.observe()
    assert watch.unplanned(Bearing.LYING, ()) == []
    assert "right_knee" in watch.unplanned(Bearing.KNEELING, ())
    assert "right_knee" not in watch.unplanned(Bearing.KNEELING, ("right_knee",))
