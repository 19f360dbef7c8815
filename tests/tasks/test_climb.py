"""Before a platform: where to stand, what to refuse, and a first guess in balance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hmpc.forces.distribution import ForceDistributor
from hmpc.geometry import rotation_z
from hmpc.params import ForceParams, FrbParams, TaskParams
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.tasks.approach import Approach, velocity_there
from hmpc.tasks.balance import balanced
from hmpc.tasks.climb import CLIMB, HIGHEST
from hmpc.tasks.climb_low import lower_foot
from hmpc.tasks.edge import Edge
from hmpc.tasks.situation import Scene, Situation, situation
from hmpc.types import Limbs, RobotState
from hmpc_envs.platform import Platform

PARAMS = TaskParams()


def situation_before(platform: Platform) -> Situation:
    simulator = Simulator(platform, HUMANOID)
    scene = Scene(regions=platform.regions(), handholds=platform.handholds())
    return situation(simulator.robot, simulator.body_model, scene, simulator.observe(), {}, 9.81)


def test_the_edge_is_seen_where_the_platform_begins() -> None:
    edge = Edge.of(situation_before(Platform(height=0.4, distance=0.7)))
    assert edge is not None
    assert edge.distance == pytest.approx(0.7, abs=1e-3) and edge.height == pytest.approx(0.4)
    assert edge.at(0.1, 0.2) == pytest.approx([0.8, 0.2, 0.4], abs=1e-3)


def test_the_way_to_a_platform_leads_straight_to_its_edge_from_any_heading() -> None:
    way = CLIMB.approach(situation_before(Platform(distance=1.0, turn=10.0)))
    assert way.turn == pytest.approx(np.radians(-10.0), abs=0.01)
    assert np.hypot(way.forward, way.left) == pytest.approx(0.66, abs=0.01)
    assert way.left < -0.1  # the character looks to the left of it


def test_two_metres_are_refused_with_what_is_possible() -> None:
    refusal = CLIMB.refusal(situation_before(Platform(height=2.0)))
    assert refusal is not None and "2.00 m is too high" in refusal and f"{HIGHEST:.2f} m" in refusal


@pytest.mark.parametrize(
    ("height", "second"), [(0.5, "over the lower foot"), (0.6, "over the edge"), (0.8, "over the edge")]
)
def test_above_what_a_foot_reaches_the_chest_goes_first(height: float, second: str) -> None:
    now = situation_before(Platform(height=height, distance=0.34))
    found = [stage for make in CLIMB.stages[:12] if (stage := make(now)) is not None]
    assert [stage.name for stage in found[:2]] == ["hands on", second]


@pytest.mark.parametrize("height", [0.3, 0.5])
def test_before_the_left_foot_goes_up_the_weight_is_inside_of_the_right_one_and_both_hands(height: float) -> None:
    now = situation_before(Platform(height=height, distance=0.35))
    hands_on, over_lower = CLIMB.stages[0](now), CLIMB.stages[1](now)
    assert hands_on is not None and over_lower is not None and over_lower.targets[-1].com_W is not None
    hand_W = next(phase.center_W for phase in hands_on.phases if phase.limb == "left_hand")
    sole_W = now.state.limbs["right_foot"].p_W + now.forward(0.0, float(now.body.limb("right_foot").half_extent[1]))
    along, way = (hand_W - sole_W)[:2], (over_lower.targets[-1].com_W - sole_W)[:2]
    assert (along[1] * way[0] - along[0] * way[1]) / np.linalg.norm(along) > 0.03


@pytest.mark.parametrize("distance", [0.30, 0.40])
def test_the_lower_foot_steps_to_its_place_before_a_high_platform(distance: float) -> None:
    stage = lower_foot(situation_before(Platform(height=0.5, distance=distance)))
    assert stage is not None
    leaves, lands = (phase for phase in stage.phases if phase.limb == "right_foot")
    assert leaves.t_end < lands.t_start
    assert lands.center_W[0] == pytest.approx(distance - 0.33, abs=1e-3) and lands.center_W[2] == pytest.approx(0.0)


def test_the_lower_foot_steps_nearer_to_the_upper_one_that_stands_aside() -> None:
    now = situation_before(Platform(height=0.5, distance=0.33))
    limbs = dict(now.state.limbs)
    limbs["left_foot"] = replace(limbs["left_foot"], p_W=limbs["left_foot"].p_W + np.array([0.0, 0.1, 0.0]))
    stage = lower_foot(replace(now, state=replace(now.state, limbs=Limbs.of(limbs))))
    assert stage is not None
    lands = max((phase for phase in stage.phases if phase.limb == "right_foot"), key=lambda phase: phase.t_start)
    assert lands.center_W[1] > limbs["right_foot"].p_W[1] + 0.02


@pytest.mark.parametrize(("height", "distance"), [(0.5, 0.33), (0.4, 0.40)])
def test_the_lower_foot_stays_where_it_is_well_or_the_platform_is_low(height: float, distance: float) -> None:
    assert lower_foot(situation_before(Platform(height=height, distance=distance))) is None


@pytest.mark.parametrize("number", [0, 3], ids=["hands on", "hands ahead"])
@pytest.mark.parametrize("turned_out", [0.0, 0.6])
def test_hands_go_side_by_side_before_a_chest_that_faces_the_edge_however_the_feet_are_turned(
    number: int, turned_out: float
) -> None:
    now = situation_before(Platform(height=0.5, distance=0.34))
    stage = CLIMB.stages[number](replace(now, state=with_turned_foot(now, turned_out)))
    assert stage is not None and stage.targets[-1].R_WB is not None
    left, right = (
        max((phase for phase in stage.phases if phase.limb == hand), key=lambda phase: phase.t_start).center_W
        for hand in now.hands
    )
    chest_W = stage.targets[-1].R_WB[:, 1]  # to its left
    assert (left - right) / np.linalg.norm(left - right) == pytest.approx(chest_W, abs=1e-6)
    assert min(left[0], right[0]) > 0.34 + 0.045  # both pads are on the platform


def with_turned_foot(now: Situation, angle: float) -> RobotState:
    """The state with the left foot turned out by an angle [rad]."""
    limbs = dict(now.state.limbs)
    limbs["left_foot"] = replace(limbs["left_foot"], R_WL=rotation_z(angle))
    return replace(now.state, limbs=Limbs.of(limbs))


def test_level_ground_has_nothing_to_climb() -> None:
    now = situation_before(Platform(height=0.5))
    level = replace(now, scene=Scene(regions=now.scene.regions[:1], handholds=()))
    assert not CLIMB.suits(level.scene)
    refusal = CLIMB.refusal(level)
    assert refusal is not None and "nothing around it" in refusal


@pytest.mark.parametrize(("forward", "sign"), [(0.5, 1.0), (-0.3, -1.0)])
def test_the_walk_there_leads_towards_it_and_ends_near_it(forward: float, sign: float) -> None:
    way = velocity_there(Approach(forward, 0.0, 0.0), 0.0, PARAMS.arrival, PARAMS)
    assert way is not None and np.sign(way[0][0]) == sign
    assert velocity_there(Approach(0.01, 0.0, 0.0), 0.0, PARAMS.arrival, PARAMS) is None


def test_who_walks_fast_is_told_to_slow_down_before_it_is_there() -> None:
    slow = velocity_there(Approach(0.5, 0.0, 0.0), 0.1, PARAMS.arrival, PARAMS)
    fast = velocity_there(Approach(0.5, 0.0, 0.0), 0.4, PARAMS.arrival, PARAMS)
    assert slow is not None and fast is not None and fast[0][0] < slow[0][0]


def test_a_balanced_guess_bears_the_weight_and_spares_what_comes_and_goes() -> None:
    now = situation_before(Platform(height=0.5, distance=0.34))
    stage = CLIMB.stages[0](now)
    params = FrbParams()
    phases = balanced(stage.phases, now, stage.targets[-1], ForceDistributor(ForceParams()), params)
    feet = [phase for phase in phases if phase.limb in now.feet]
    hands = [phase for phase in phases if phase.limb in now.hands]
    middle = sum(phase.f_l[1] for phase in feet)  # halfway, where the motion neither speeds up nor slows down
    assert middle == pytest.approx(now.weight, rel=0.02)
    assert all(phase.f_r_W[0] == pytest.approx(np.zeros(3), abs=1.0) for phase in hands)  # they come gently
