"""The force problem handed to any quadratic-programming solver that qpsolvers knows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.forces.solvers.problem import ForceProblem, assemble, to_world

if TYPE_CHECKING:
    from hmpc.forces.solvers.problem import ForceTask, Solver
    from hmpc.types import Array

# First-order solvers stop far from the optimum by default: with 1e-3, osqp misses the wrench by several newtons.
_OPTIONS: dict[str, dict[str, Any]] = {
    "osqp": {"eps_abs": 1e-9, "eps_rel": 1e-9, "max_iter": 50_000},
}

# Outward normals of a box; those of the walls lean by -μ along the normal force to make a pyramid.
_FACES = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, -1], [0, 0, 1]], dtype=float)


def installed_backends() -> tuple[str, ...]:
    """Names of the solvers that qpsolvers finds."""
    import qpsolvers  # slow to import: it looks for every solver there is

    return tuple(sorted(qpsolvers.available_solvers))


def qp_solver(name: str) -> Solver:
    """The solver of that name, which must be one of `installed_backends`."""
    return partial(_solve_task, name)


def _solve_task(name: str, task: ForceTask) -> tuple[Array, Array, bool]:
    B, beta, w, mu, cap, bilateral, R_WC, usable = assemble(*task)
    force_C = _solve(name, ForceProblem(B, beta, w, mu, cap, bilateral)) if usable else None
    solved = force_C is not None
    if force_C is None:
        force_C = np.zeros((len(task.points), 3))
    force_W, error_W = to_world(force_C, R_WC, task.points, task.com_W, task.wrench_W)
    return force_W, error_W, solved


def _solve(name: str, problem: ForceProblem) -> Array | None:
    """The optimal forces (N, 3) in contact axes, or None if the solver found none."""
    import qpsolvers

    P, q, G, h = quadratic_program(problem)
    if name not in qpsolvers.dense_solvers:
        from scipy.sparse import csc_matrix

        P, G = csc_matrix(P), csc_matrix(G)
    try:
        qp = qpsolvers.Problem(P, q, G, h) if len(h) else qpsolvers.Problem(P, q)
        solution = qpsolvers.solve_problem(qp, name, **_OPTIONS.get(name, {}))
    except Exception:  # solvers raise errors of their own making: bad luck, not bad input
        return None
    f = solution.x
    if f is None or not solution.found or not np.isfinite(f).all():  # qpsolvers fills x even if nothing was found
        return None
    return np.ascontiguousarray(f.reshape(-1, 3))


def quadratic_program(problem: ForceProblem) -> tuple[Array, Array, Array, Array]:
    """P, q, G and h of the usual form, min ½ fᵀ P f + qᵀ f subject to G f ≤ h."""
    P = problem.B.T @ problem.B + np.diag(np.repeat(problem.w, 3))
    return P, -problem.B.T @ problem.beta, *_inequalities(problem)


def _inequalities(problem: ForceProblem) -> tuple[Array, Array]:
    """The cones as G f ≤ h: six rows a contact, without those that ask nothing."""
    n, bilateral, cap = len(problem.w), problem.bilateral, problem.cap
    faces = np.tile(_FACES, (n, 1, 1))
    faces[:, :4, 2] = -np.where(bilateral, 0.0, problem.mu)[:, None]
    h = np.zeros((n, 6))
    h[bilateral] = cap[bilateral, None]
    h[:, 5] = cap
    G = np.zeros((n, 6, n, 3))
    G[np.arange(n), :, np.arange(n), :] = faces
    kept = np.isfinite(h.ravel())
    return G.reshape(6 * n, 3 * n)[kept], h.ravel()[kept]
