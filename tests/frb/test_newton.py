"""A guess brought to its targets by Gauss-Newton steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hmpc.frb.planner import FrbProblem, PlanSearch
from hmpc.params import FrbParams

Walking = Callable[..., FrbProblem]


def test_a_polished_guess_is_closer_to_its_targets(walking: Walking, params: FrbParams) -> None:
    problem = walking(0.6)
    moved = replace(problem.state, vel_W=problem.state.vel_W + np.array([0.1, 0.05, 0.0]))
    off_course = replace(problem, state=moved, newton=False)
    rough = PlanSearch(off_course, params, seed=0)
    polished = PlanSearch(replace(off_course, polish=3), params, seed=0)
    assert polished.cost < 0.2 * rough.cost


def test_a_walk_keeps_its_footholds_when_newton_steps_bring_it_to_its_targets(
    walking: Walking, params: FrbParams
) -> None:
    problem = walking(0.6)
    moved = replace(problem.state, vel_W=problem.state.vel_W + np.array([0.1, 0.05, 0.0]))
    off_course = replace(problem, state=moved, newton=True)
    found, guess = PlanSearch(off_course, params, seed=0), PlanSearch(replace(off_course, newton=False), params, seed=0)
    assert found.cost < 0.5 * guess.cost
    for after, before in zip(found.best().phases, problem.phases, strict=True):
        if before.t_start > problem.t0:
            np.testing.assert_allclose(after.cop_W, before.cop_W, atol=1e-9)
            assert after.t_start == before.t_start
