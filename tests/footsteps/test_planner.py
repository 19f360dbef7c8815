from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.errors import InputError, UnknownNameError
from hmpc.footsteps.gait import LEFT, RIGHT
from hmpc.footsteps.planner import FootstepPlanner
from hmpc.footsteps.rehearsal import rehearse, steady_start
from hmpc.geometry import rotation_z
from hmpc.params import FootstepParams
from hmpc.types import Command, ContactRegion, Status
from tests.footsteps.scenes import FLAT, level

SOLE, MARGIN = 0.1275, 0.03


def forward(vx, vy=0.0, yaw_rate=0.0, **kwargs):
    return Command(velocity_H=np.array([vx, vy]), yaw_rate=yaw_rate, **kwargs)


def all_plans(options):
    return (options.best, *options.alternatives)


def walk(planner, command, steps):
    return [options.best for options in islice(rehearse(planner, command), steps)]


def pushed(start, dv):
    return replace(start, com_vel_W=start.com_vel_W + np.array([*dv, 0.0]))


# --- level ground ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [LEFT, RIGHT])
@pytest.mark.parametrize("velocity", [(0.6, 0.0, 0.0), (-0.5, 0.0, 0.0), (0.0, 0.2, 0.0), (0.7, 0.0, 0.7), (0, 0, 0)])
def test_a_steady_walk_goes_on(planner_on, velocity, side):
    planner, command = planner_on(), forward(*velocity)
    plan = planner.plan(steady_start(planner, command, side), command).best
    gait = planner.gait(command)
    assert plan.status is Status.OK
    assert plan.cost < 0.02  # long steps stretch the leg a little
    assert len(plan.limb) == FootstepParams().steps + 1
    foot = plan.foot_W[:, 0] + 1j * plan.foot_W[:, 1]
    for k in range(1, len(foot)):
        step = gait.step(side if k % 2 == 0 else -side)
        assert foot[k] - foot[k - 1] == pytest.approx(step * np.exp(1j * (k - 0.5) * gait.turn), abs=1e-6)


def test_feet_alternate_and_times_join(planner_on):
    planner, command = planner_on(), forward(0.6)
    start = replace(steady_start(planner, command), t=3.0, remaining=0.2)
    plan = planner.plan(start, command).best
    assert plan.limb[:3] == ("left_foot", "right_foot", "left_foot")
    assert plan.t_start[0] == 3.0
    assert plan.t_end[0] == pytest.approx(3.2)
    assert plan.t_start[1:] == pytest.approx(plan.t_end[:-1])
    assert plan.t_end[1:] - plan.t_start[1:] == pytest.approx(planner.gait(command).timing.duration)


def test_a_zero_command_steps_in_place(planner_on):
    planner = planner_on()
    plan = planner.plan(steady_start(planner, Command()), Command()).best
    assert plan.foot_W[:, 0] == pytest.approx(0.0, abs=1e-9)
    assert np.abs(plan.foot_W[:, 1]) == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize("dv", [(0.25, 0.0), (-0.25, 0.0), (0.0, 0.08), (0.0, -0.2), (0.15, -0.1)])
def test_a_push_is_forgotten_within_the_horizon(planner_on, dv):
    planner, command = planner_on(), forward(0.6)
    plan = planner.plan(pushed(steady_start(planner, command), dv), command).best
    velocity = planner.gait(command).end_velocity(LEFT)  # the last phase stands on the left foot, like the first
    assert plan.status is Status.OK
    assert complex(*plan.com_vel_W[-1, :2]) == pytest.approx(velocity, abs=2e-3)


def test_a_forward_push_is_caught_by_a_longer_step(planner_on):
    planner, command = planner_on(), forward(0.4)
    start = steady_start(planner, command)
    calm, hit = planner.plan(start, command).best, planner.plan(pushed(start, (0.3, 0.0)), command).best
    assert hit.foot_W[1, 0] > calm.foot_W[1, 0] + 0.05


@given(st.floats(-0.6, 0.6), st.floats(-0.5, 0.3), st.floats(-0.3, 0.3), st.floats(0.0, 0.5))
def test_on_open_ground_nothing_is_out_of_reach(planner_on, dvx, dvy, vx, remaining):
    planner, command = planner_on(), forward(vx)
    start = replace(pushed(steady_start(planner, command), (dvx, dvy)), remaining=remaining)
    assert planner.plan(start, command).best.status in (Status.OK, Status.FALLBACK)


def test_feet_do_not_cross_however_hard_the_push(planner_on):
    planner, command = planner_on(), forward(0.3)
    plan = planner.plan(pushed(steady_start(planner, command), (0.0, 0.6)), command).best
    assert plan.status is Status.FALLBACK  # beyond capture without crossing
    lateral = np.diff(plan.foot_W[:, 1]) * np.array([-1, 1] * 3)
    assert np.all(lateral > 2 * 0.045)


def test_a_command_beyond_the_limbs_is_slowed_down(planner_on):
    planner, command = planner_on(), forward(3.0)
    gait = planner.gait(command)
    assert gait.path_step.real < FootstepParams().max_forward * 0.925
    assert planner.plan(steady_start(planner, command), command).best.status is Status.OK


def test_lower_bodies_are_quicker_pendulums(planner_on):
    planner = planner_on()
    low = Command(body_height=0.8)
    plan = planner.plan(steady_start(planner, low), low).best
    assert plan.omega == pytest.approx(math.sqrt(9.81 / (0.8 * 0.97)))
    assert plan.com_W[-1, 2] == pytest.approx(0.8 * 0.97)


@given(st.floats(-0.3, 0.3), st.floats(-0.05, 0.05), st.floats(0.0, 0.4), st.floats(-0.5, 0.5))
def test_left_and_right_mirror_each_other(planner_on, dvx, dvy, remaining, yaw_rate):
    planner, mirror = planner_on(), np.array([1.0, -1.0, 1.0])
    command = forward(0.5, 0.1, yaw_rate)
    mirrored_command = forward(0.5, -0.1, -yaw_rate)
    start = pushed(replace(steady_start(planner, command), remaining=remaining), (dvx, dvy))
    other = pushed(replace(steady_start(planner, mirrored_command, RIGHT), remaining=remaining), (dvx, -dvy))
    plan, mirrored = planner.plan(start, command).best, planner.plan(other, mirrored_command).best
    assert mirrored.foot_W * mirror == pytest.approx(plan.foot_W, abs=1e-9)
    assert mirrored.yaw == pytest.approx(-plan.yaw, abs=1e-9)
    assert mirrored.cost == pytest.approx(plan.cost, abs=1e-9)


def turned(region, R):
    return replace(region, p_W=R @ region.p_W, R_WR=R @ region.R_WR)


@pytest.mark.parametrize("angle", [0.3, 2.0, -2.9])
def test_turning_the_world_turns_the_plan(planner_on, angle):
    regions, R = (level(-3.0, 0.9), level(1.2, 5.0, z=0.1)), rotation_z(angle)
    planner, turned_planner = planner_on(*regions), planner_on(*(turned(r, R) for r in regions))
    command = forward(0.6, 0.05, 0.1)
    start = steady_start(planner, command)
    turned_start = replace(
        start,
        com_W=R @ start.com_W,
        com_vel_W=R @ start.com_vel_W,
        stance_foot_W=R @ start.stance_foot_W,
        yaw=start.yaw + angle,
        stance_yaw=start.stance_yaw + angle,
    )
    plan, other = planner.plan(start, command).best, turned_planner.plan(turned_start, command).best
    assert other.foot_W == pytest.approx(plan.foot_W @ R.T, abs=1e-9)
    assert other.com_W == pytest.approx(plan.com_W @ R.T, abs=1e-9)
    assert other.yaw == pytest.approx(plan.yaw + angle)


# --- regions --------------------------------------------------------------------------------------------------------


def gap_planner(planner_on, edge, width, **params):
    return planner_on(level(-5.0, edge), level(edge + width, 10.0), **params)


@pytest.mark.parametrize("edge", [0.9, 1.0, 1.1, 1.2, 1.3])
@pytest.mark.parametrize("width", [0.1, 0.3, 0.45])
def test_no_foot_stands_in_a_gap(planner_on, edge, width):
    planner, command = gap_planner(planner_on, edge, width), forward(0.7)
    options = planner.plan(steady_start(planner, command), command)
    assert options.best.status is Status.OK
    assert options.best.foot_W[-1, 0] > edge + width
    for plan in all_plans(options):
        toe, heel = plan.foot_W[1:, 0] + SOLE, plan.foot_W[1:, 0] - SOLE
        before, after = toe <= edge - MARGIN + 1e-9, heel >= edge + width + MARGIN - 1e-9
        assert np.all(before | after)


def test_a_gap_can_be_stepped_over_early_or_late(planner_on):
    """Fig. 3b: the first step that falls into the gap is put before it in one plan and behind it in another."""
    edge, width = 0.95, 0.2
    planner, command = gap_planner(planner_on, edge, width), forward(0.7)
    options = planner.plan(steady_start(planner, command), command)
    first_behind = {int(np.argmax(plan.foot_W[:, 0] > edge)) for plan in all_plans(options)}
    assert len(first_behind) >= 2
    assert [plan.cost for plan in all_plans(options)] == sorted(plan.cost for plan in all_plans(options))


def test_replanning_the_previous_cop_keeps_the_velocity(planner_on):
    """Fig. 3c against Fig. 3b: the same gap with the re-planned COP all but frozen by its damping."""
    command, search_alone = forward(0.6), {"routes": 0, "stop_tolerance": 10.0, "max_lag": 10.0}

    def worst_velocity_error(damping):
        planner = gap_planner(planner_on, 1.0, 0.15, cop_move_damping=damping, **search_alone)
        plan = planner.plan(steady_start(planner, command), command).best
        wanted = planner.gait(command).end_velocity(LEFT).real
        return np.abs(plan.com_vel_W[:, 0] - wanted).max()

    assert worst_velocity_error(3.0) < 0.6 * worst_velocity_error(1e6)


@pytest.mark.parametrize("edge", [0.9, 1.05, 1.2, 1.35, 1.5])
def test_in_front_of_a_gap_that_is_too_wide_the_plan_stops(planner_on, edge):
    planner, command = gap_planner(planner_on, edge, 1.0), forward(0.7)
    plans = walk(planner, command, 12)
    assert plans[3].status is Status.UNREACHABLE
    last = plans[-1]
    assert last.status is Status.UNREACHABLE
    assert np.all(last.foot_W[:, 0] + SOLE <= edge)
    assert last.foot_W[0, 0] > edge - 0.6  # in front of the gap, not far from it
    assert last.foot_W[0, 0] == pytest.approx(last.foot_W[1, 0], abs=0.02)  # feet side by side
    assert np.abs(last.com_vel_W[:, 0]).max() < 0.02


def test_a_body_that_falls_off_a_pillar_gets_a_plan_all_the_same(planner_on):
    """With a status that says what it is worth."""
    pillar = ContactRegion(p_W=np.array([0.0, 0.1, 0.0]), R_WR=np.eye(3), half_extent=np.array([0.2, 0.09]))
    planner = planner_on(pillar)
    plan = planner.plan(steady_start(planner, Command()), Command()).best
    assert plan.status is Status.FALLBACK
    assert len(plan.limb) == planner.params.steps + 1


@pytest.mark.parametrize(("riser", "tread", "speed"), [(0.17, 0.28, 0.4), (0.25, 0.28, 0.4), (0.17, 0.3, 0.5)])
def test_stairs_are_climbed_on_their_treads(planner_on, riser, tread, speed):
    count, first = 6, 1.0
    treads = [level(first + i * tread, first + (i + 1) * tread, z=(i + 1) * riser) for i in range(count)]
    top = level(first + count * tread, 10.0, z=(count + 1) * riser)
    planner = planner_on(level(-5.0, first), *treads, top)
    plans = walk(planner, forward(speed), 16)
    assert all(plan.status is Status.OK for plan in plans)
    for plan in plans:
        for foot, region in zip(plan.foot_W, plan.region, strict=True):
            assert foot[2] == region.p_W[2]
            assert abs(foot[0] - region.p_W[0]) <= region.half_extent[0] - MARGIN
    assert plans[-1].foot_W[0, 2] == pytest.approx(top.p_W[2])
    climbing = next(plan for plan in plans if plan.foot_W[0, 2] > 0)
    assert np.all(np.diff(climbing.com_W[:, 2]) >= -1e-3)  # the COM rises with the feet


@pytest.mark.parametrize("edge", [0.9, 1.05, 1.2])
def test_a_deep_step_down_is_taken_from_near_its_edge(planner_on, edge):
    """From far behind it, the ankle of the leg that stands would have to bend further than it can."""
    treads = [level(edge + 0.3 * k, edge + 0.3 * (k + 1), z=-0.25 * (k + 1)) for k in range(6)]
    planner = planner_on(level(-5.0, edge), *treads)
    steps = [(plan.foot_W[0], plan.foot_W[1]) for plan in walk(planner, forward(0.5), 8)]
    down = next(after - before for before, after in steps if after[2] < before[2] - 0.1)
    assert down[0] < 0.37


def test_knees_have_room_before_the_next_high_step(planner_on):
    riser, tread, first = 0.3, 0.45, 1.0
    treads = [level(first + i * tread, first + (i + 1) * tread, z=(i + 1) * riser) for i in range(8)]
    plans = walk(planner_on(level(-5.0, first), *treads), forward(0.6), 10)
    climbing = [after for before, after in (plan.foot_W[:2] for plan in plans) if after[2] > before[2]]
    assert len(climbing) >= 3
    for foot in climbing:
        wall = first + tread * round(foot[2] / riser)
        assert wall - (foot[0] + SOLE) >= FootstepParams().knee_room - 0.025  # as finely as it looks for the wall


def test_stepping_stones_are_walked_on(planner_on):
    rng = np.random.default_rng(3)
    stones = [
        ContactRegion(
            p_W=np.array([0.9 + 0.38 * i + 0.19 * (s > 0), 0.14 * s, 0.0]) + rng.uniform(-0.04, 0.04, 3),
            R_WR=rotation_z(rng.uniform(-0.2, 0.2)),
            half_extent=np.array([0.16, 0.12]),
        )
        for i in range(20)
        for s in (-1.0, 1.0)
    ]
    planner = planner_on(level(-5.0, 0.6), *stones, level(8.4, 12.0))
    plans = walk(planner, forward(0.5), 24)
    assert all(plan.status is Status.OK for plan in plans)
    assert plans[-1].foot_W[0, 0] > 4.0


def test_the_cop_stays_within_the_sole(planner_on):
    stones = [
        ContactRegion(p_W=np.array([0.3 * i, 0.1 * (-1) ** i, 0.0]), R_WR=np.eye(3), half_extent=np.array([0.16, 0.08]))
        for i in range(12)
    ]
    planner, command = planner_on(*stones), forward(0.55)
    plan = planner.plan(steady_start(planner, command), command).best
    offset = np.abs(plan.cop_W - plan.foot_W)
    assert offset.max() > 0.0  # footholds are given, so the balance has to come from the COP
    assert np.all(offset[:, 0] <= FootstepParams().sole_use * SOLE + 1e-9)
    assert np.all(offset[:, 1] <= FootstepParams().sole_use * 0.045 + 1e-9)


def test_a_block_on_the_floor_is_stepped_onto_not_into(planner_on):
    floor, block = FLAT[0], level(0.8, 2.0, z=0.15)
    planner, command = planner_on(floor, block), forward(0.6)
    plan = planner.plan(steady_start(planner, command), command).best
    on_block = (plan.foot_W[:, 0] > 0.8) & (plan.foot_W[:, 0] < 2.0)
    assert on_block.any()
    assert plan.foot_W[on_block, 2] == pytest.approx(0.15)


def test_a_wall_is_not_climbed(planner_on):
    planner, command = planner_on(level(-5.0, 1.0), level(1.0, 5.0, z=0.8)), forward(0.6)
    plan = walk(planner, command, 8)[-1]
    assert plan.status is Status.UNREACHABLE
    assert np.all(plan.foot_W[:, 2] == 0.0)


# --- bad input ------------------------------------------------------------------------------------------------------


def test_unknown_feet_are_named(planner_on):
    planner = planner_on()
    start = replace(steady_start(planner, Command()), stance_limb="left_hand")
    with pytest.raises(UnknownNameError, match="left_foot, right_foot"):
        planner.plan(start, Command())


def test_a_foot_cannot_stand_and_swing(planner_on):
    planner = planner_on()
    start = replace(steady_start(planner, Command()), swing_limb="left_foot")
    with pytest.raises(InputError, match="stand and swing"):
        planner.plan(start, Command())


@pytest.mark.parametrize(
    "change", [{"remaining": -0.1}, {"double_support": 0.2}, {"com_W": [np.nan, 0.0, 1.0]}, {"com_W": [0.0, 1.0]}]
)
def test_impossible_starts_are_refused(planner_on, change):
    with pytest.raises(InputError):
        replace(steady_start(planner_on(), Command()), **change)


def test_a_world_without_ground_is_refused(body):
    with pytest.raises(InputError, match="stepped on"):
        FootstepPlanner(body, [], FootstepParams())
