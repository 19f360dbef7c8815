from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hmpc.errors import InputError, UnknownNameError
from hmpc.frb.model import Rollouts
from hmpc.frb.planner import FrbProblem, PlanSearch, plan
from hmpc.params import FrbParams
from hmpc.types import ContactPhase, FrbState, Status, TargetState

Walking = Callable[..., FrbProblem]


def pushed(problem: FrbProblem) -> FrbProblem:
    """The same problem, a little off course and left to CMA alone."""
    moved = problem.state.vel_W + np.array([0.1, 0.03, 0.0])
    return replace(problem, state=replace(problem.state, vel_W=moved, omega_W=[0.1, 0.2, 0.0]), newton=False)


def high_on_average(x: Rollouts) -> np.ndarray:
    return 1e4 * (x.com_W[..., 2].mean(axis=1) - 0.90) ** 2


def never_finite(x: Rollouts) -> np.ndarray:
    return np.full(len(x.com_W), np.nan)


def test_cost_falls_and_is_never_worse_than_the_guess(walking: Walking, params: FrbParams) -> None:
    search = PlanSearch(pushed(walking(0.6)), params, seed=3)
    costs = [search.cost]
    for _ in range(6):
        search.iterate(5)
        costs.append(search.cost)
    assert np.all(np.diff(costs) <= 0.0)
    assert costs[-1] < 0.2 * costs[0]
    assert search.best().cost == costs[-1]


def test_no_iterations_give_the_guess_itself(walking: Walking, params: FrbParams) -> None:
    problem = replace(walking(0.6), newton=False)
    found = plan(problem, params, seed=0, iterations=0)
    for a, b in zip(found.phases, problem.phases, strict=True):
        np.testing.assert_allclose(a.f_l, b.f_l)
        np.testing.assert_allclose(a.cop_W, b.cop_W, atol=1e-9)


def test_same_seed_same_plan_other_seed_other_plan(walking: Walking, params: FrbParams) -> None:
    problem = pushed(walking(0.6))
    np.random.seed(1)  # noqa: NPY002 - pycma draws from this state unless it is told otherwise
    first = plan(problem, params, seed=7, iterations=6)
    np.random.seed(2)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    second = plan(problem, params, seed=7, iterations=6)
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002
    np.testing.assert_array_equal(first.com_W, second.com_W)
    assert first.cost == second.cost
    assert plan(problem, params, seed=8, iterations=6).cost != first.cost


def test_search_can_be_continued(walking: Walking, params: FrbParams) -> None:
    problem = pushed(walking(0.6))
    search = PlanSearch(problem, params, seed=7, short=True)
    search.iterate(2)
    search.best()
    search.iterate(4)
    assert search.cost == plan(problem, params, seed=7, iterations=6).cost


def test_search_starts_at_the_best_guess(walking: Walking, params: FrbParams) -> None:
    problem = walking(0.6)
    weak = tuple(replace(p, f_l=0.5 * p.f_l) for p in problem.phases)
    good = PlanSearch(problem, params, seed=0).cost
    both = replace(problem, phases=weak, other_guesses=(problem.phases,))
    assert PlanSearch(both, params, seed=0).cost == pytest.approx(good)
    assert PlanSearch(replace(problem, phases=weak), params, seed=0).cost > 10.0 * good


def test_user_objective_changes_the_plan(walking: Walking, params: FrbParams) -> None:
    problem = walking(0.6)
    free = plan(problem, params, seed=0, iterations=30)
    low = plan(replace(problem, objectives=(high_on_average,)), params, seed=0, iterations=30)
    assert abs(low.com_W[:, 2].mean() - 0.90) < 0.5 * abs(free.com_W[:, 2].mean() - 0.90)


def test_jump_is_ballistic_between_its_contacts(
    params: FrbParams, walking: Walking, phase: Callable[..., ContactPhase], standing: Callable[..., FrbState]
) -> None:
    """Push off, fly, land 0.3 m further: the search finds how, and only gravity acts in the gap."""
    body = walking(0.0).body
    feet = {"left_foot": 0.09, "right_foot": -0.09}
    half_weight = 0.5 * body.mass * params.gravity

    def contact(limb: str, x: float, fixed: bool, **when: float) -> ContactPhase:
        center = np.array([x, feet[limb], 0.0])
        return phase(limb=limb, cop_W=[center] * 2, center_W=center, fixed=fixed, f_l=[1.3 * half_weight] * 2, **when)

    push = [contact(limb, 0.0, True, t_start=-0.1, t_end=0.35) for limb in feet]
    land = [contact(limb, 0.3, False, t_start=0.5, t_end=1.0) for limb in feet]
    problem = FrbProblem(
        state=standing(com_W=[0.0, 0.0, 0.8]),
        t0=0.0,
        horizon=0.9,
        body=body,
        phases=(*push, *land),
        targets=(
            TargetState(t=0.45, com_W=np.array([0.15, 0.0, 0.95]), R_WB=np.eye(3)),
            TargetState(t=0.9, com_W=np.array([0.3, 0.0, 0.85]), vel_W=np.zeros(3), R_WB=np.eye(3)),
        ),
    )
    found = plan(problem, replace(params, time_step=1.0 / 60.0, time_unit=0.03), seed=0, iterations=150)
    assert found.status is Status.OK
    take_off = max(p.t_end for p in found.phases[:2])
    touch_down = min(p.t_start for p in found.phases[2:])
    flight = (found.t[:-1] >= take_off) & (found.t[1:] <= touch_down)
    assert flight.sum() >= 3
    np.testing.assert_allclose(found.acc_W[:-1][flight], np.tile([0.0, 0.0, -9.81], (flight.sum(), 1)), atol=1e-9)
    assert found.com_W[-1, 0] == pytest.approx(0.3, abs=0.05)


def test_objective_that_is_never_finite_gives_a_fallback(walking: Walking, params: FrbParams) -> None:
    found = plan(replace(walking(0.6), objectives=(never_finite,)), params, seed=0, iterations=3)
    assert found.status is Status.FALLBACK
    assert np.all(np.isfinite(found.com_W))


def test_missed_target_gives_a_fallback(walking: Walking, params: FrbParams) -> None:
    far = TargetState(t=0.5, com_W=np.array([5.0, 0.0, 0.93]))
    assert plan(replace(walking(0.6), targets=(far,)), params, seed=0, iterations=3).status is Status.FALLBACK


def test_plan_without_contacts_is_free_fall(walking: Walking, params: FrbParams) -> None:
    found = plan(replace(walking(0.6), phases=(), targets=()), params, seed=0, iterations=3)
    np.testing.assert_allclose(found.acc_W, np.tile([0.0, 0.0, -9.81], (len(found.t), 1)))


def test_bad_problems_are_refused(walking: Walking, phase: Callable[..., ContactPhase]) -> None:
    problem = walking(0.6)
    with pytest.raises(UnknownNameError, match="left_foot"):
        replace(problem, phases=(phase(limb="left_fot"),))
    with pytest.raises(InputError, match="horizon"):
        replace(problem, horizon=0.0)
    with pytest.raises(InputError, match="not finite"):
        replace(problem, state=replace(problem.state, vel_W=[np.nan, 0.0, 0.0]))
    with pytest.raises(InputError, match="order of time"):
        replace(problem, phases=(phase(t_start=0.5), phase(t_start=0.0, t_end=0.2)))
    with pytest.raises(InputError, match="before its start"):
        replace(problem, phases=(phase(t_end=-1.0),))
    with pytest.raises(InputError, match="as many points"):
        replace(problem, phases=(phase(f_r_W=np.zeros((3, 3))),))
