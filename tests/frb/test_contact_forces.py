"""What a plan wants from the ground explains how it moves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.frb.contact_forces import force_history, planned_forces
from hmpc.frb.planner import FrbProblem, plan
from hmpc.params import FrbParams
from hmpc.types import BodyModel, Status

Walking = Callable[..., FrbProblem]
FEET = ("left_foot", "right_foot")


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9])
def test_planned_forces_give_the_planned_acceleration(
    walking: Walking, body: BodyModel, params: FrbParams, share: float
) -> None:
    problem = walking(0.8)
    found = plan(problem, params, seed=0, iterations=20)
    k = int(share * (len(found.t) - 1))
    forces = planned_forces(found, 0.5 * float(found.t[k] + found.t[k + 1]), FEET, body, params)
    net = forces.force_W.sum(axis=0) / body.mass - (0.0, 0.0, params.gravity)
    np.testing.assert_allclose(net, found.acc_W[k], atol=0.5)  # the plan has the mean over a step of 1/30 s
    assert forces.status is Status.OK


def test_only_the_limbs_asked_for_push(walking: Walking, body: BodyModel, params: FrbParams) -> None:
    found = plan(walking(0.8), params, seed=0, iterations=0)
    both = planned_forces(found, float(found.t[0]) + 0.01, FEET, body, params)
    one = planned_forces(found, float(found.t[0]) + 0.01, FEET[:1], body, params)
    none = planned_forces(found, float(found.t[0]) + 0.01, (), body, params)
    assert set(both.contacts.limb) == set(FEET)
    assert set(one.contacts.limb) == {"left_foot"}
    assert none.status is Status.NO_CONTACT and len(none.force_W) == 0


def test_the_history_of_a_plan_is_what_it_wants_at_every_moment(
    walking: Walking, body: BodyModel, params: FrbParams
) -> None:
    found = plan(walking(0.8), params, seed=0, iterations=20)
    net = sum(force_W for _, force_W in force_history(found, body, params)) / body.mass
    np.testing.assert_allclose(net - (0.0, 0.0, params.gravity), found.acc_W[:-1], atol=0.5)
