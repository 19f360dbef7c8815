"""Eqs. 3 and 4: the forces at the contact points that give the body a wanted wrench."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.errors import InputError, UnknownNameError
from hmpc.forces.solvers import NEWTON, solver_named
from hmpc.forces.solvers.problem import (
    BILATERAL,
    CAP,
    COLUMNS,
    MU,
    NORMAL,
    POSITION,
    WEIGHT,
    ForceTask,
    wrench_error,
)
from hmpc.types import ContactForces, Status, read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.params import ForceParams
    from hmpc.types import Array, ContactSet


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TrackingRows:
    """Further wishes for the forces of N contacts: the cost Σ_k weight_k (matrix_k f − target_k)²."""

    matrix: Array  # (k, 3 N) acts on the stacked world-frame forces
    target: Array  # (k,)
    weight: Array  # (k,) against the weights of Eq. 4

    def __post_init__(self) -> None:
        k = len(self.target)
        object.__setattr__(self, "matrix", read_only(np.ascontiguousarray(self.matrix), k, None))
        object.__setattr__(self, "target", read_only(self.target, k))
        object.__setattr__(self, "weight", read_only(self.weight, k))


def limb_load_rows(contacts: ContactSet, load_W: Mapping[str, Array], weight: float) -> TrackingRows:
    """Rows that ask each limb named to carry a net force (3,) [N], such as the planned load of a hand.

    Without them the regulariser alone decides what a hand carries.
    """
    matrix = np.zeros((len(load_W), 3, len(contacts), 3))
    for row, name in zip(matrix, load_W, strict=True):
        points = [i for i, limb in enumerate(contacts.limb) if limb == name]
        if not points:
            raise UnknownNameError("limb in contact", name, set(contacts.limb))
        row[:, points, :] = np.eye(3)[:, None, :]
    return TrackingRows(
        matrix=matrix.reshape(3 * len(load_W), 3 * len(contacts)),
        target=np.concatenate([np.zeros(0), *load_W.values()]),
        weight=np.full(3 * len(load_W), weight),
    )


class ForceDistributor:
    """The short-term planner: shares a wrench among contact points.

    [Zimmermann, Eq. 4]  min_f |A f − b|²_S + |f|²_W  subject to  fᵢ ∈ Kᵢ

    A f is the net wrench about the COM (Eq. 3), b the wanted one. Kᵢ is the friction pyramid inscribed
    in the cone about the normal, with a cap on the normal force; for a point that can be pulled on, a
    box with that cap in all three contact axes.
    """

    def __init__(self, params: ForceParams, solver: str = NEWTON):
        if not min(params.linear_weight, params.angular_weight, params.regulariser) > 0.0:
            raise InputError("The weights of Eq. 4 (linear_weight, angular_weight, regulariser) must be positive.")
        self._params = params
        self._solve = solver_named(solver)
        self._mu_scale = params.cone_safety / math.sqrt(2.0)  # the pyramid lies inside the cone

    def distribute(
        self,
        contacts: ContactSet,
        com_W: Array,
        wrench_W: Array,
        tracking_rows: TrackingRows | None = None,
        penalty: Array | None = None,
    ) -> ContactForces:
        """The forces on the character at this tick, from this tick's numbers alone.

        `wrench_W` (6,) is about `com_W`. `penalty` (N,) multiplies the regulariser of each point, to use
        points that are trusted little only where others do not suffice. Numbers that cannot be used, or
        a solver that fails, give the safe forces of `_fallback` and Status.FALLBACK; only arrays of
        wrong shape raise.
        """
        n = len(contacts)
        task = self._task(contacts, com_W, wrench_W, tracking_rows or _no_rows(n), penalty)
        if n == 0:
            return ContactForces(
                contacts=contacts, force_W=np.empty((0, 3)), residual_W=-task.wrench_W, status=Status.NO_CONTACT
            )
        force_W, residual_W, solved = self._solve(task)
        if not solved:
            force_W, residual_W = self._fallback(task)
        status = Status.OK if solved else Status.FALLBACK
        return ContactForces(contacts=contacts, force_W=force_W, residual_W=residual_W, status=status)

    def _task(
        self, contacts: ContactSet, com_W: Array, wrench_W: Array, rows: TrackingRows, penalty: Array | None
    ) -> ForceTask:
        params, n = self._params, len(contacts)
        _check_shapes(contacts, com_W, wrench_W, rows)
        points, body = np.empty((n, COLUMNS)), np.empty(9)
        of_points = contacts.p_W, contacts.normal_W, contacts.mu, contacts.max_force, contacts.bilateral
        _fill_points(*of_points, self._mu_scale, params.regulariser, points)
        if penalty is not None:
            points[:, WEIGHT] *= penalty
        body[:3], body[3:] = com_W, wrench_W
        return ForceTask(
            points,
            body[:3],
            body[3:],
            rows.matrix,
            rows.target,
            rows.weight,
            params.linear_weight,
            params.angular_weight,
        )

    def _fallback(self, task: ForceTask) -> tuple[Array, Array]:
        """The character's weight in equal shares, along the normals of the points that can be pushed on.

        Within their caps. Points with a number that is not finite get nothing.
        """
        points, force_W = task.points, np.zeros((len(task.points), 3))
        length = np.linalg.norm(points[:, NORMAL], axis=1)
        usable = np.isfinite(points[:, POSITION]).all(axis=1) & (length > 0.0) & (length < np.inf)
        usable &= (points[:, BILATERAL] == 0.0) & (points[:, CAP] > 0.0)
        if usable.any():
            share = np.minimum(points[usable, CAP], self._params.fallback_load / np.count_nonzero(usable))
            force_W[usable] = points[usable, NORMAL] * (share / length[usable])[:, None]
        return force_W, wrench_error(force_W, points, task.com_W, task.wrench_W)


@njit(cache=True)
def _fill_points(
    p: Array,
    normal: Array,
    mu: Array,
    cap: Array,
    bilateral: NDArray[np.bool_],
    mu_scale: float,
    weight: float,
    points: Array,
) -> None:
    """The table of contact points that the kernels read."""
    for i in range(points.shape[0]):
        points[i, POSITION], points[i, NORMAL] = p[i], normal[i]
        points[i, MU], points[i, CAP], points[i, BILATERAL] = mu_scale * mu[i], cap[i], bilateral[i]
        points[i, WEIGHT] = weight


def _check_shapes(contacts: ContactSet, com_W: Array, wrench_W: Array, rows: TrackingRows) -> None:
    n = len(contacts)
    if not (
        contacts.p_W.shape == contacts.normal_W.shape == (n, 3)
        and contacts.mu.shape == contacts.max_force.shape == contacts.bilateral.shape == (n,)
    ):
        raise InputError(f"The arrays of a set of {n} contacts need {n} rows each.")
    if com_W.shape != (3,) or wrench_W.shape != (6,):
        raise InputError(f"A COM has shape (3,) and a wrench (6,), got {com_W.shape} and {wrench_W.shape}.")
    if rows.matrix.shape[1] != 3 * n:
        raise InputError(f"Tracking rows for {n} contacts need {3 * n} columns, got {rows.matrix.shape[1]}.")


@lru_cache(maxsize=64)
def _no_rows(n: int) -> TrackingRows:
    return TrackingRows(matrix=np.empty((0, 3 * n)), target=np.empty(0), weight=np.empty(0))
