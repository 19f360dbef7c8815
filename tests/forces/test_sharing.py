"""The simpler ways to share a wrench that Eq. 4 is compared with."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.forces.distribution import ForceDistributor
from hmpc.forces.sharing import equal_shares
from hmpc.params import ForceParams
from hmpc.types import ContactSet, Status

COM_W = np.array([0.0, 0.0, 0.9])
WEIGHT = 700.0


def standing(*feet_y: float, cap: float = np.inf) -> ContactSet:
    """Four corners of a sole at every y."""
    corners = np.array([[x, y, 0.0] for x in (-0.1, 0.1) for y in (-0.04, 0.04)])
    points = np.concatenate([corners + np.array([0.0, y, 0.0]) for y in feet_y])
    n = len(points)
    return ContactSet(
        limb=tuple(f"foot_{k}" for k in range(len(feet_y)) for _ in range(4)),
        p_W=points,
        normal_W=np.tile([0.0, 0.0, 1.0], (n, 1)),
        mu=np.full(n, 0.8),
        bilateral=np.zeros(n, dtype=bool),
        max_force=np.full(n, cap),
    )


@pytest.fixture
def distributor() -> ForceDistributor:
    return ForceDistributor(ForceParams())


def test_both_feet_give_the_same_force(distributor: ForceDistributor) -> None:
    wrench = np.array([20.0, 0.0, WEIGHT, 0.0, 5.0, 0.0])
    answer = equal_shares(distributor, standing(0.02, -0.02), COM_W, wrench)
    left, right = answer.force_W[:4].sum(axis=0), answer.force_W[4:].sum(axis=0)
    np.testing.assert_allclose(left, right, atol=2.0)
    np.testing.assert_allclose(left + right, wrench[:3], atol=2.0)
    assert answer.status is Status.OK


def test_equal_shares_cannot_use_one_foot_more_than_the_other(distributor: ForceDistributor) -> None:
    feet, sideways = standing(0.1, -0.1), np.array([0.0, 0.0, WEIGHT, 40.0, 0.0, 0.0])
    shared, best = equal_shares(distributor, feet, COM_W, sideways), distributor.distribute(feet, COM_W, sideways)
    assert np.linalg.norm(best.residual_W) < 5.0 < np.linalg.norm(shared.residual_W)


def test_a_single_foot_gives_all_of_it(distributor: ForceDistributor) -> None:
    foot, wrench = standing(0.0), np.array([0.0, 0.0, WEIGHT, 0.0, 0.0, 0.0])
    shared, best = equal_shares(distributor, foot, COM_W, wrench), distributor.distribute(foot, COM_W, wrench)
    np.testing.assert_array_equal(shared.force_W, best.force_W)
