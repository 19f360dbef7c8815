"""A guess brought to its targets by damped Gauss-Newton steps, before CMA searches on from there.

A body on its feet is unstable: over a second, millimetres of a first guess become decimetres. The target objective is
a sum of squares, and its Jacobian costs no more rollouts than three populations of CMA:

    u <- u - D (JᵀJ + λ I)⁻¹ Jᵀ r(u),    r = what is missing to the target states,    J = ∂r/∂u D

along the directions D, with the damping λ and the share of the step, out of a few, that give the lowest cost of all
objectives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hmpc.frb.model import Rollouts
from hmpc.frb.objectives import target_residuals

if TYPE_CHECKING:
    from hmpc.frb.objectives import TargetTable
    from hmpc.types import Array


@dataclass(frozen=True, eq=False, slots=True)
class Descent:
    """Where and how steps are taken."""

    roll_out: Callable[[Array], Rollouts]  # of search vectors (n, d)
    directions: Array  # (k, d) of the search space, in which a step may go
    steps: int  # at most
    probe: float = 0.05  # along the directions, of finite differences
    dampings: Sequence[float] = tuple(np.geomspace(1e-2, 1e3, 11))  # λ, the cost of a step of one unit of the search
    shares: Sequence[float] = (1.0,)  # of a step that are tried

    def descend(self, u: Array, targets: TargetTable, costs: Callable[[Rollouts], Array]) -> Array:
        """A better search vector than u (d,), or u."""
        for _ in range(self.steps):
            r = target_residuals(self.roll_out(np.vstack([u, u + self.probe * self.directions])), targets)
            if not np.isfinite(r).all():
                break
            J = (r[1:] - r[0]).T / self.probe
            normal, gradient, unit = J.T @ J, J.T @ r[0], np.eye(len(self.directions))
            steps = [np.linalg.solve(normal + damping * unit, gradient) @ self.directions for damping in self.dampings]
            tried = u - np.array([np.zeros_like(u), *(share * step for step in steps for share in self.shares)])
            best = int(np.argmin(costs(self.roll_out(tried))))
            u = tried[best]
            if best == 0:
                break
        return u

    def descend_by_target(self, u: Array, targets: TargetTable, costs: Callable[[Rollouts], Array]) -> Array:
        """The better one of two ways: straight for all targets at once, and from target to target.

        The second one also works where the body falls in between and its later states tell nothing.
        """
        grown = u
        for k in range(1, len(targets.node) + 1):
            first = targets._replace(**{name: getattr(targets, name)[:k] for name in targets._fields})
            grown = self.descend(grown, first, partial(_distance, targets=first))
        tried = np.array([self.descend(start, targets, costs) for start in (u, grown)])
        return tried[int(np.argmin(costs(self.roll_out(tried))))]


def _distance(x: Rollouts, targets: TargetTable) -> Array:
    return (target_residuals(x, targets) ** 2).sum(axis=1)
