"""Walking over small regions: which of them, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hmpc.footsteps.planner import FootstepPlanner, FootstepStart
from hmpc.footsteps.rehearsal import steady_start, touch_down
from hmpc.types import Command, ContactRegion, FootstepPlan, Status
from tests.footsteps.scenes import level

COMMAND = Command(velocity_H=np.array([1.0, 0.0]))


def stones(seed: int) -> list[ContactRegion]:
    """10 m of stones of 0.3 m, 0.2 to 0.5 m apart, 0.1 m up, down and sideways, between level ground."""
    rng, x, side, regions = np.random.default_rng(seed), 2.0, 1.0, [level(-2.0, 2.0)]
    while x < 12.0:
        gap, rise, offset = rng.uniform((0.2, -0.1, -0.1), (0.5, 0.1, 0.1))
        middle = np.array([x + gap + 0.15, 0.1 * side + offset, rise])
        regions.append(ContactRegion(p_W=middle, R_WR=np.eye(3), half_extent=np.full(2, 0.15)))
        x, side = x + gap + 0.3, -side
    return [*regions, level(x + 0.2, x + 5.0)]


def at_next_touch_down(planner: FootstepPlanner, start: FootstepStart, plan: FootstepPlan) -> FootstepStart:
    """Where the plan leads to, with the next step still to be timed."""
    timing = planner.gait(COMMAND).timing
    return replace(touch_down(start, plan), remaining=timing.duration, double_support=timing.double_support)


def first_stones(planner_on: Callable[..., FootstepPlanner]) -> tuple[FootstepPlanner, FootstepStart]:
    """Two steps before the stones."""
    planner = planner_on(*stones(0))
    start = steady_start(planner, COMMAND)
    for _ in range(3):
        start = at_next_touch_down(planner, start, planner.plan(start, COMMAND).best)
    return planner, start


@pytest.mark.parametrize("seed", range(5))
def test_random_stones_are_crossed_whatever_the_landings_do(
    planner_on: Callable[..., FootstepPlanner], seed: int
) -> None:
    """Each touch-down throws the capture point off by centimetres; the pendulum walks on as planned."""
    planner, rng = planner_on(*stones(seed)), np.random.default_rng(seed)
    start = steady_start(planner, COMMAND)
    while start.stance_foot_W[0] < 12.0:
        plan = planner.plan(start, COMMAND).best
        assert plan.status is Status.OK
        start = at_next_touch_down(planner, start, plan)
        off = rng.normal(size=2) * (0.02, 0.01) * plan.omega
        start = replace(start, com_vel_W=start.com_vel_W + np.append(off, 0.0))


def test_feet_and_cops_stay_on_the_stones(planner_on: Callable[..., FootstepPlanner]) -> None:
    planner, start = first_stones(planner_on)
    plan = planner.plan(start, COMMAND).best
    for foot_W, cop_W, region in zip(plan.foot_W[1:], plan.cop_W[1:], plan.region[1:], strict=True):
        assert (np.abs(foot_W - region.p_W)[:2] <= region.half_extent).all()
        assert (np.abs(cop_W - region.p_W)[:2] <= region.half_extent).all()
        assert foot_W[2] == pytest.approx(region.p_W[2])


def test_the_plan_starts_as_the_body_moves(planner_on: Callable[..., FootstepPlanner]) -> None:
    planner, start = first_stones(planner_on)
    plan = planner.plan(start, COMMAND).best
    assert plan.constrained
    assert plan.com_vel_W[0] == pytest.approx(start.com_vel_W)
    assert plan.com_W[0] == pytest.approx(start.com_W)


def test_longer_steps_take_longer(planner_on: Callable[..., FootstepPlanner]) -> None:
    planner, start = first_stones(planner_on)
    plan = planner.plan(start, COMMAND).best
    way = 0.5 * (plan.foot_W[2:, 0] - plan.foot_W[:-2, 0])  # of the COM over each foot, from midway to midway
    assert np.corrcoef(way, (plan.t_end - plan.t_start)[1:-1])[0, 1] > 0.9


def test_a_body_that_is_behind_steps_later_and_one_ahead_earlier(planner_on: Callable[..., FootstepPlanner]) -> None:
    planner, start = first_stones(planner_on)

    def first_step(push: float) -> float:
        plan = planner.plan(replace(start, com_vel_W=start.com_vel_W + np.array([push, 0.0, 0.0])), COMMAND).best
        return float(plan.t_end[0] - plan.t_start[0])

    assert first_step(-0.1) > first_step(0.0) > first_step(0.1)


def test_treading_at_an_edge_is_no_route(planner_on: Callable[..., FootstepPlanner]) -> None:
    planner = planner_on(level(-2.0, 1.0), level(4.0, 6.0))
    assert planner.plan(steady_start(planner, COMMAND), COMMAND).best.status is Status.UNREACHABLE
