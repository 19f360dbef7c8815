"""Every solver finds the same optimum of Eq. 4: ours, and those that it replaces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmpc.errors import UnknownNameError
from hmpc.forces.distribution import ForceDistributor, TrackingRows, limb_load_rows
from hmpc.forces.solvers import available_solvers
from hmpc.params import ForceParams
from hmpc.types import ContactForces, ContactSet, Status

if TYPE_CHECKING:
    from hmpc.types import Array

WEIGHT = 690.0  # [N]
SEEDS = st.integers(0, 2**32 - 1)
BATCH = 10  # problems an example: drawing a seed costs more than solving


def random_points(rng: np.random.Generator, kind: str, n: int) -> tuple[Array, Array]:
    """Positions and normals (N, 3) of contacts around the feet of a character whose COM is at the origin."""
    p_W = rng.normal(size=(n, 3)) * [0.4, 0.4, 0.1] - [0, 0, 0.9]
    normal_W = np.tile([0.0, 0.0, 1.0], (n, 1))
    if kind == "collinear":
        p_W = np.outer(rng.uniform(-1, 1, n), rng.normal(size=3)) - [0, 0, 0.9]
    elif kind == "coincident":
        p_W[:] = p_W[0]
    elif kind == "tilted":
        normal_W += 0.4 * rng.normal(size=(n, 3))
    elif kind == "any direction":
        normal_W = rng.normal(size=(n, 3))
    return p_W, normal_W / np.linalg.norm(normal_W, axis=1, keepdims=True)


def random_contacts(rng: np.random.Generator, kind: str) -> ContactSet:
    n = int(rng.integers(1, 17))
    p_W, normal_W = random_points(rng, kind, n)
    return ContactSet(
        limb=("foot",) * n,
        p_W=p_W,
        normal_W=normal_W,
        mu=rng.uniform(0.0, 1.2, n) * rng.choice([0.0, 1.0], p=[0.1, 0.9]),
        bilateral=rng.random(n) < rng.choice([0.0, 0.3, 1.0]),
        max_force=np.where(rng.random(n) < 0.5, rng.uniform(0.0, 400.0, n), np.inf),
    )


def random_wrench(rng: np.random.Generator) -> Array:
    """From a hundredth of a body weight to a hundred: most of them cannot be had."""
    return (
        10.0 ** rng.uniform(-2, 2) * (rng.normal(size=6) * [0.3, 0.3, 0.3, 0.1, 0.1, 0.1] + [0, 0, 1, 0, 0, 0]) * WEIGHT
    )


def random_rows(rng: np.random.Generator, n: int) -> TrackingRows:
    k = int(rng.integers(0, 5))
    return TrackingRows(
        matrix=rng.normal(size=(k, 3 * n)) * (rng.random((k, 3 * n)) < 0.3),
        target=100.0 * rng.normal(size=k),
        weight=10.0 ** rng.uniform(-2, 1, k),
    )


def solve_batch(seed: int, kind: str, solvers: tuple[str, ...]) -> list[list[ContactForces]]:
    rng = np.random.default_rng(seed)
    batch = []
    for _ in range(BATCH):
        params = replace(ForceParams(), regulariser=10.0 ** rng.uniform(-4, -2))
        contacts, wrench_W = random_contacts(rng, kind), random_wrench(rng)
        rows, penalty = random_rows(rng, len(contacts)), 10.0 ** rng.uniform(-0.5, 0.5, len(contacts))
        batch.append(
            [
                ForceDistributor(params, name).distribute(contacts, np.zeros(3), wrench_W, rows, penalty)
                for name in solvers
            ]
        )
    return batch


KINDS = ["flat", "tilted", "any direction", "collinear", "coincident"]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(seed=SEEDS)
def test_newton_agrees_with_an_active_set_solver(kind: str, seed: int) -> None:
    for ours, theirs in solve_batch(seed, kind, ("newton", "daqp")):
        assert ours.status is theirs.status is Status.OK
        scale = max(WEIGHT, float(np.abs(ours.residual_W).max()))
        np.testing.assert_allclose(ours.residual_W, theirs.residual_W, atol=1e-8 * scale, rtol=0)
        np.testing.assert_allclose(ours.force_W, theirs.force_W, atol=1e-6 * scale, rtol=0)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=100)
@given(seed=SEEDS)
def test_newton_always_converges_within_cones_and_caps(kind: str, seed: int) -> None:
    for (answer,) in solve_batch(seed, kind, ("newton",)):
        assert answer.status is Status.OK
        assert_within_cones(answer)


def assert_within_cones(answer: ContactForces) -> None:
    contacts, params = answer.contacts, ForceParams()
    normal = np.einsum("ij,ij->i", answer.force_W, contacts.normal_W)
    tangential = np.linalg.norm(answer.force_W - normal[:, None] * contacts.normal_W, axis=1)
    push = ~contacts.bilateral
    tolerance = 1e-9 * WEIGHT + 1e-9 * np.abs(answer.force_W).max()
    assert (normal[push] >= -tolerance).all()
    assert (np.abs(normal) <= contacts.max_force + tolerance).all()
    assert (tangential[push] <= params.cone_safety * contacts.mu[push] * normal[push] + tolerance).all()
    assert (tangential[~push] <= np.sqrt(2.0) * contacts.max_force[~push] + tolerance).all()


def standing_contacts() -> ContactSet:
    corners = np.array([[x, y + side, -0.9] for side in (-0.1, 0.1) for x in (-0.1, 0.1) for y in (-0.04, 0.04)])
    n = len(corners)
    return ContactSet(
        limb=("left",) * 4 + ("right",) * 4,
        p_W=corners,
        normal_W=np.tile([0.0, 0.0, 1.0], (n, 1)),
        mu=np.full(n, 0.8),
        bilateral=np.zeros(n, dtype=bool),
        max_force=np.full(n, np.inf),
    )


@pytest.mark.parametrize("name", available_solvers())
@pytest.mark.parametrize("wrench", [[20, 10, 700, 5, 10, 2], [100, 0, 700, 80, -60, 20], [0, 0, -300, 0, 0, 0]])
def test_every_installed_solver_gives_the_same_forces(name: str, wrench: list[float]) -> None:
    contacts, wrench_W = standing_contacts(), np.array(wrench, dtype=float)
    ours = ForceDistributor(ForceParams()).distribute(contacts, np.zeros(3), wrench_W)
    theirs = ForceDistributor(ForceParams(), name).distribute(contacts, np.zeros(3), wrench_W)
    assert theirs.status is Status.OK
    np.testing.assert_allclose(theirs.force_W, ours.force_W, atol=1e-2)  # osqp is of first order


def test_newton_converges_where_a_foot_and_two_tilted_hands_cannot_give_all_that_is_asked() -> None:
    """On a platform, with the other foot in the air: Newton's method alone zigzags here."""
    foot = [[1.2456, 0.1975, 0.5005], [1.2512, 0.1237, 0.4998], [1.0073, 0.1793, 0.4990], [1.0129, 0.1055, 0.4983]]
    left = [[1.2911, 0.3133, 0.5123], [1.3104, 0.2523, 0.5157], [1.2216, 0.2906, 0.5011], [1.2409, 0.2297, 0.5045]]
    right = [[1.2784, -0.1591, 0.5008], [1.2758, -0.2230, 0.4998], [1.2044, -0.1561, 0.4995], [1.2019, -0.2200, 0.4986]]
    contacts = ContactSet(
        limb=("foot",) * 4 + ("left",) * 4 + ("right",) * 4,
        p_W=np.array([*foot, *left, *right]),
        normal_W=np.tile([0.0, 0.0, 1.0], (12, 1)),
        mu=np.full(12, 0.8),
        bilateral=np.zeros(12, dtype=bool),
        max_force=np.repeat([np.inf, 87.5, 87.5], 4),
    )
    loads = {"left": np.array([-23.2, -0.7, 67.8]), "right": np.array([-6.6, 0.7, 153.0])}
    com_W, wrench_W = np.array([1.0734, 0.0681, 0.92]), np.array([93.5, -0.5, 644.4, -6.1, 78.0, -10.2])
    rows = limb_load_rows(contacts, loads, 1.0)
    ours, theirs = (
        ForceDistributor(ForceParams(), name).distribute(contacts, com_W, wrench_W, rows) for name in ("newton", "daqp")
    )
    assert ours.status is theirs.status is Status.OK
    np.testing.assert_allclose(ours.force_W, theirs.force_W, atol=1e-6 * WEIGHT, rtol=0)


def test_an_unknown_solver_names_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"newton.*quadprog"):
        ForceDistributor(ForceParams(), "newtn")


def test_our_own_solver_comes_first() -> None:
    assert available_solvers()[0] == "newton"
    assert {"daqp", "osqp", "quadprog"} <= set(available_solvers())
