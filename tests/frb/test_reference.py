from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.frb.planner import FrbProblem, plan
from hmpc.frb.reference import capture_points, sample_plan
from hmpc.params import FrbParams
from hmpc.types import FrbPlan


@pytest.fixture(scope="module")
def found(walking: Callable[..., FrbProblem], params: FrbParams) -> FrbPlan:
    return plan(walking(1.5), params, seed=0, iterations=5)


def test_sample_hits_the_nodes(found: FrbPlan) -> None:
    for k in (0, 5, len(found.t) - 1):
        state, _ = sample_plan(found, float(found.t[k]))
        np.testing.assert_allclose(state.com_W, found.com_W[k], atol=1e-12)
        np.testing.assert_allclose(state.vel_W, found.vel_W[k], atol=1e-12)
        np.testing.assert_allclose(state.R_WB, found.R_WB[k], atol=1e-9)
        np.testing.assert_allclose(state.omega_W, found.omega_W[k], atol=1e-12)


def test_velocity_and_acceleration_are_the_derivatives_of_position(found: FrbPlan) -> None:
    h = 1e-5
    for t in found.t[0] + np.array([0.0101, 0.2001, 0.4567]):
        (before, _), (now, acc), (after, _) = (sample_plan(found, t + dt) for dt in (-h, 0.0, h))
        np.testing.assert_allclose((after.com_W - before.com_W) / (2 * h), now.vel_W, atol=1e-7)
        np.testing.assert_allclose((after.vel_W - before.vel_W) / (2 * h), acc, atol=1e-7)
        np.testing.assert_allclose(now.R_WB @ now.R_WB.T, np.eye(3), atol=1e-12)


def test_capture_points_are_those_of_the_sampled_states(found: FrbPlan) -> None:
    times, omega = found.t[0] + np.array([-1.0, 0.0, 0.3, 0.71, 9.0]), 3.1
    states = [sample_plan(found, float(t))[0] for t in times]
    expected = [(state.com_W + state.vel_W / omega)[:2] for state in states]
    points = capture_points(times, found.t, found.com_W, found.vel_W, found.acc_W, omega)
    np.testing.assert_allclose(points, expected, atol=1e-12)


def test_beyond_its_ends_a_plan_holds(found: FrbPlan) -> None:
    for t, end in ((found.t[0] - 1.0, found.t[0]), (found.t[-1] + 1.0, found.t[-1])):
        np.testing.assert_array_equal(sample_plan(found, t)[0].com_W, sample_plan(found, end)[0].com_W)
