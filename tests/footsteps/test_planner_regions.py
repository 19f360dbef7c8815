"""Footsteps over gaps, stairs, stones and blocks."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.footsteps.gait import LEFT
from hmpc.footsteps.rehearsal import steady_start
from hmpc.footsteps.routes import plans_along_routes
from hmpc.geometry import rotation_z
from hmpc.params import FootstepParams
from hmpc.types import Command, ContactRegion, Status
from tests.footsteps.scenes import FLAT, all_plans, forward, level, walk

SOLE, MARGIN = 0.1275, 0.03


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


@pytest.mark.parametrize(("edge", "open_"), [(1.0, False), (2.0, False), (9.0, True)])
def test_a_walk_is_in_the_open_while_no_edge_is_within_its_steps(planner_on, edge, open_):
    planner, command = planner_on(level(-5.0, edge), level(edge, edge + 10.0, z=0.1)), forward(0.7)
    best = planner.plan(steady_start(planner, command), command).best
    assert best.status is Status.OK
    assert best.in_the_open is open_


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


def test_knees_have_room_before_a_wall_that_they_would_hit(planner_on):
    """Also where the feet do not climb: a knee bends whenever its foot leaves the ground."""
    wall = 1.0
    plans = walk(planner_on(level(-5.0, wall), level(wall, wall + 2.0, z=0.5)), forward(0.6), 6)
    nearest = max(plan.foot_W[1][0] for plan in plans)
    assert 0.1 < wall - (nearest + SOLE) < 0.3
    assert wall - (nearest + SOLE) >= FootstepParams().knee_room - 0.025  # as finely as it looks for the wall


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


@pytest.mark.parametrize("stones", [True, False])
def test_routes_are_compiled_in_advance_where_there_are_stones_to_come(planner_on, monkeypatch, stones):
    """It takes seconds, which a walk that has come to them does not have."""
    looked = []

    def look(*arguments):
        looked.append(arguments)
        return plans_along_routes(*arguments)

    monkeypatch.setattr("hmpc.footsteps.planner.plans_along_routes", look)
    far_stone = ContactRegion(p_W=np.array([20.0, 0.0, 0.0]), R_WR=np.eye(3), half_extent=np.array([0.15, 0.15]))
    planner = planner_on(level(-5.0, 10.0), *([far_stone] if stones else []))
    start = steady_start(planner, forward(0.5))
    planner.plan(start, forward(0.5))
    assert not looked
    planner.warm_up(start, forward(0.5))
    assert bool(looked) is stones


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
