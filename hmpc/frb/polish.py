"""A guess brought to its targets by damped Gauss-Newton steps, before CMA searches on from there.

A body on its feet is unstable: over a second, millimetres of a first guess become decimetres. The target objective is
a sum of squares, and its Jacobian costs no more rollouts than three populations of CMA:

    u <- u - (JᵀJ + λ I)⁻¹ Jᵀ r(u),    r = what is missing to the target states

with the damping λ, out of a few, that gives the lowest cost of all objectives.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hmpc.frb.model import Rollouts
from hmpc.frb.objectives import target_residuals

if TYPE_CHECKING:
    from hmpc.frb.objectives import TargetTable
    from hmpc.types import Array

_DIFFERENCE = 0.05  # units of the search, over which the Jacobian is taken
_DAMPINGS = np.geomspace(1e-3, 1e3, 13)  # λ

_SETTLED = 0.9  # of the cost before, above which further steps do not pay


def polish(
    u: Array,
    iterations: int,
    roll_out: Callable[[Array], Rollouts],
    costs: Callable[[Rollouts], Array],
    targets: TargetTable,
) -> Array:
    """A better search vector than u (d,).

    Straight for all targets at once; and target by target, which also works where the body falls in between and its
    later states tell nothing. The better one of the two.
    """
    grown = u
    for k in range(1, len(targets.node) + 1):
        first = targets._replace(**{name: getattr(targets, name)[:k] for name in targets._fields})
        grown = _descend(grown, iterations, roll_out, partial(_distance, targets=first), first)
    tried = np.array([_descend(start, iterations, roll_out, costs, targets) for start in (u, grown)])
    return tried[int(np.argmin(costs(roll_out(tried))))]


def _descend(
    u: Array,
    iterations: int,
    roll_out: Callable[[Array], Rollouts],
    costs: Callable[[Rollouts], Array],
    targets: TargetTable,
) -> Array:
    cost = np.inf
    for _ in range(iterations):
        around = np.vstack([u, u + _DIFFERENCE * np.eye(len(u))])
        r = target_residuals(roll_out(around), targets)
        J = (r[1:] - r[0]).T / _DIFFERENCE
        if not np.isfinite(r).all():
            break
        normal, gradient = J.T @ J, J.T @ r[0]
        tried = u - np.array([np.linalg.solve(normal + damping * np.eye(len(u)), gradient) for damping in _DAMPINGS])
        tried = np.vstack([u, tried])
        found = costs(roll_out(tried))
        best = int(np.argmin(found))
        if best == 0:
            break
        settled = found[best] > _SETTLED * cost
        u, cost = tried[best], float(found[best])
        if settled:
            break
    return u


def _distance(x: Rollouts, targets: TargetTable) -> Array:
    return (target_residuals(x, targets) ** 2).sum(axis=1)
