"""What ships can be stood on, its regions lie on its geometry, and no parameter escapes its range."""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np
import pytest

from hmpc.errors import InputError, SpecError
from hmpc.registry import list_environments, make_environment
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.environment import BaseEnvironment, Environment, RunFacts
from hmpc.sim.parameters import parameter, parameters_of
from hmpc.sim.scenery import Block, region
from hmpc_envs.beam import Beam
from hmpc_envs.course import Course
from hmpc_envs.flat import Flat
from hmpc_envs.gap import Gap
from hmpc_envs.rough import Rough
from hmpc_envs.slope import Slope
from hmpc_envs.stairs import Stairs
from hmpc_envs.stand import Stand
from hmpc_envs.stones import Stones

NAMES = [info.name for info in list_environments()]


def compiled(environment: Environment) -> tuple[mujoco.MjModel, mujoco.MjData]:
    spec = mujoco.MjSpec()
    environment.build(spec)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def height_at(model: mujoco.MjModel, data: mujoco.MjData, p_W: np.ndarray) -> float:
    """Height of the geometry below a point, by a ray."""
    above = p_W + np.array([0.0, 0.0, 1.0])
    distance = mujoco.mj_ray(model, data, above, np.array([0.0, 0.0, -1.0]), None, True, -1, np.zeros(1, np.int32))
    assert distance >= 0.0, f"nothing below {p_W}"
    return float(above[2] - distance)


@pytest.mark.parametrize("name", NAMES)
def test_the_start_is_on_the_ground(name: str) -> None:
    environment = make_environment(name)
    start = environment.start()
    assert height_at(*compiled(environment), start.position_W) == pytest.approx(start.position_W[2], abs=1e-9)


GROUNDS = [
    Flat(),
    Stand(),
    Slope(),
    Slope(angle=-12.0),
    Rough(bump=0.0),
    Gap(),
    Stairs(),
    Stairs(direction="down"),
    Stones(),
    Beam(),
    Course(),
]


@pytest.mark.parametrize("environment", GROUNDS, ids=repr)
def test_regions_lie_on_the_geometry(environment: Environment) -> None:
    model, data = compiled(environment)
    for place in environment.regions():
        for corner in ([0, 0], [0.9, 0.9], [0.9, -0.9], [-0.9, 0.9], [-0.9, -0.9]):
            p_W = place.p_W + place.R_WR[:, :2] @ (np.array(corner) * place.half_extent)
            assert height_at(model, data, p_W) == pytest.approx(p_W[2], abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_regions_have_a_right_handed_frame_and_the_friction_of_the_geometry(name: str) -> None:
    environment = make_environment(name, {"friction": 0.6})
    for place in (*environment.regions(), *environment.handholds()):
        np.testing.assert_allclose(place.R_WR @ place.R_WR.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(place.R_WR) == pytest.approx(1.0)
        assert place.mu == 0.6
    model, _ = compiled(environment)
    assert np.all(model.geom_friction[:, 0] == 0.6)


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_refused_outside_its_range(name: str) -> None:
    for item in parameters_of(make_environment(name)):
        bad = ["no such choice"] if item.choices else [item.low - 1, item.high + 1, math.nan, math.inf, None, True]
        for value in bad:
            with pytest.raises(InputError, match=f"'{item.name}' must be .*(from|one of)"):
                make_environment(name, {item.name: value})


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_good_at_both_ends_of_its_range(name: str) -> None:
    for item in parameters_of(make_environment(name)):
        for value in item.choices or (item.low, item.high):
            environment = make_environment(name, {item.name: value})
            model, _ = compiled(environment)
            assert getattr(environment, item.name) == value
            assert model.ngeom > 0 and environment.regions()


def test_text_becomes_a_number_or_a_complaint() -> None:
    assert make_environment("rough", {"seed": "7"}).seed == 7  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="whole number"):
        make_environment("rough", {"seed": "7.5"})
    with pytest.raises(InputError, match="'angle' must be a number from -20 to 20 deg, got 'steep'"):
        make_environment("slope", {"angle": "steep"})


def test_a_field_without_a_range_is_refused() -> None:
    @dataclass(frozen=True, eq=False, kw_only=True)
    class Careless(BaseEnvironment):
        height: float = 0.3

    with pytest.raises(SpecError, match="'height'"):
        Careless()


def test_a_block_cannot_have_more_friction_than_rubber_on_concrete() -> None:
    with pytest.raises(InputError, match="friction"):
        Block(top=region((0, 0, 0), (1, 1), mu=1.5)).add_to(mujoco.MjSpec())


def test_what_hands_may_hold_is_no_place_for_feet() -> None:
    @dataclass(frozen=True, eq=False, kw_only=True)
    class Table(BaseEnvironment):
        height: float = parameter(0.9, 0.5, 1.2, "m", "of the table")

        def blocks(self) -> tuple[Block, ...]:
            top = region((0.5, 0.0, self.height), (0.3, 0.6), self.friction)
            return (*Flat().blocks(), Block(top=top, depth=0.04, use="hands"))

    table = Table(height=0.8)
    assert [place.p_W[2] for place in table.regions()] == [0.0]
    assert [place.p_W[2] for place in table.handholds()] == [0.8]


@pytest.mark.parametrize("seed", range(4))
def test_rough_ground_stays_within_its_bumps_and_tilt(seed: int) -> None:
    ground = Rough(seed=seed, bump=0.02, tilt=3.0)
    slabs, plates = ([b.top for b in ground.blocks() if b.use == use] for use in ("feet", "none"))
    assert all(slab.R_WR[2, 2] >= math.cos(math.radians(3.0)) - 1e-12 for slab in slabs)
    for plate in plates:
        under = min(slabs[1:], key=lambda slab: np.linalg.norm(slab.p_W - plate.p_W))
        assert 0.0 <= under.R_WR[:, 2] @ (plate.p_W - under.p_W) <= 0.02


def test_the_same_seed_gives_the_same_ground_and_another_seed_another() -> None:
    first, again, other = (Rough(seed=seed).blocks() for seed in (3, 3, 4))
    assert all(np.array_equal(a.top.p_W, b.top.p_W) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a.top.p_W, b.top.p_W) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("angle", [-15.0, 0.0, 10.0])
def test_the_ramp_meets_both_level_stretches(angle: float) -> None:
    low, ramp, high = Slope(angle=angle).regions()
    along = ramp.R_WR[:, 0] * ramp.half_extent[0]
    x = np.array([1.0, 0.0, 0.0])
    end_of_low = low.p_W + low.half_extent[0] * x
    start_of_high = high.p_W - high.half_extent[0] * x
    np.testing.assert_allclose(ramp.p_W - along, end_of_low, atol=1e-12)
    np.testing.assert_allclose(ramp.p_W + along, start_of_high, atol=1e-12)
    assert math.degrees(math.atan2(along[2], along[0])) == pytest.approx(angle)


def test_stand_passes_its_posture_on_in_radians() -> None:
    posture = Stand(lift="left", yaw=30.0, pitch=10.0, arms="forward").posture()
    assert posture.lifted_foot == "left_foot"
    assert posture.trunk_yaw == pytest.approx(math.pi / 6)
    assert posture.trunk_pitch == pytest.approx(math.radians(10.0))
    assert posture.arms == "forward"
    assert Stand().posture().lifted_foot is None


def test_the_humanoid_knows_every_arm_pose_that_can_be_asked_for() -> None:
    arms = next(item for item in parameters_of(Stand) if item.name == "arms")
    assert set(arms.choices) <= set(HUMANOID.arm_poses)


def test_a_fall_is_no_success() -> None:
    def facts(fell: bool) -> RunFacts:
        return RunFacts(seconds=2.0, fell=fell, start_com_W=np.array([0, 0, 0.9]), end_com_W=np.array([3, 4, 0.1]))

    assert Flat().success(facts(fell=False)).success
    assert not Flat().success(facts(fell=True)).success
    assert facts(fell=False).distance == pytest.approx(5.0)


@pytest.mark.sim
@pytest.mark.parametrize(("friction", "slides"), [(0.1, True), (0.8, False)])
def test_a_box_slides_down_the_ramp_only_if_it_is_steeper_than_the_friction_cone(friction: float, slides: bool) -> None:
    """The ground's friction counts, whatever the box brings along: tan(15 deg) = 0.27."""
    environment = Slope(angle=15.0, friction=friction)
    spec = mujoco.MjSpec()
    environment.build(spec)
    ramp = environment.regions()[1]
    box = spec.worldbody.add_body(name="box", pos=ramp.p_W + 0.05 * ramp.R_WR[:, 2])
    box.quat = [math.cos(math.radians(-7.5)), 0.0, math.sin(math.radians(-7.5)), 0.0]
    box.add_freejoint()
    box.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.1, 0.05], friction=[1.0, 0.005, 0.0001])
    model = spec.compile()
    data = mujoco.MjData(model)
    while data.time < 1.0:
        mujoco.mj_step(model, data)
    travelled = float(np.linalg.norm(data.body("box").xpos - (ramp.p_W + 0.05 * ramp.R_WR[:, 2])))
    # from rest: s = g (sin a - mu cos a) t^2 / 2
    expected = 0.5 * 9.81 * (math.sin(math.radians(15.0)) - friction * math.cos(math.radians(15.0)))
    assert travelled == pytest.approx(expected, rel=0.05) if slides else travelled < 0.02


def rise_and_distance(environment: Environment) -> tuple[np.ndarray, np.ndarray]:
    """From each region to the next along x: step up [m], and distance of the edges [m]."""
    low = np.array([place.p_W[0] - place.half_extent[0] for place in environment.regions()])
    high = np.array([place.p_W[0] + place.half_extent[0] for place in environment.regions()])
    return np.diff([place.p_W[2] for place in environment.regions()]), low[1:] - high[:-1]


def test_stairs_have_as_many_steps_as_told_each_as_high() -> None:
    for direction, sign in (("up", 1.0), ("down", -1.0)):
        rise, distance = rise_and_distance(Stairs(riser=0.2, count=5, direction=direction))
        np.testing.assert_allclose(rise, np.full(5, sign * 0.2))
        np.testing.assert_allclose(distance, 0.0, atol=1e-9)


@pytest.mark.parametrize(("rails", "count"), [("none", 0), ("left", 1), ("right", 1), ("both", 2)])
def test_rails_follow_the_stairs(rails: str, count: int) -> None:
    stairs = Stairs(rails=rails, riser=0.2, tread=0.4)
    assert len(stairs.handholds()) == count
    for rail in stairs.handholds():
        assert rail.bilateral
        assert rail.R_WR[2, 0] / rail.R_WR[0, 0] == pytest.approx(0.5)
        assert rail.p_W[1] * (-1.0 if rails == "right" else 1.0) > 0.0 or rails == "both"


def test_stones_keep_their_distances_and_heights() -> None:
    for seed in range(5):
        stones = Stones(seed=seed)
        _, distance = rise_and_distance(stones)
        assert np.all((distance > 0.2 - 1e-9) & (distance < 0.5 + 1e-9))
        assert all(abs(place.p_W[2]) <= 0.1 for place in stones.regions())
    assert Stones(seed=1).regions()[3].p_W[0] != Stones(seed=2).regions()[3].p_W[0]


def test_a_gap_is_as_wide_as_told() -> None:
    np.testing.assert_allclose(rise_and_distance(Gap(width=0.8))[1], 0.8)


@pytest.mark.parametrize("environment", [Gap(), Stairs(), Stones(), Beam(), Course()], ids=repr)
def test_a_crossing_succeeds_only_beyond_its_goal_and_without_a_fall(environment: Environment) -> None:
    goal = environment.goal()
    assert goal is not None
    for beyond, fell, success in ((0.1, False, True), (-0.1, False, False), (0.1, True, False)):
        end = goal + np.array([beyond, 0.0, 1.0])
        facts = RunFacts(seconds=9.0, fell=fell, start_com_W=np.array([0.0, 0.0, 1.0]), end_com_W=end)
        assert environment.success(facts).success is success


def test_rails_that_are_forbidden_are_there_but_no_handholds() -> None:
    assert Stairs(rails="both", holds="forbidden").handholds() == ()
    assert len(Stairs(rails="both", holds="forbidden").blocks()) == len(Stairs(rails="both").blocks())
