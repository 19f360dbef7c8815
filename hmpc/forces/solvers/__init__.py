"""Solvers of the contact-force problem (Eq. 4), by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.errors import UnknownNameError
from hmpc.forces.solvers import backends, dual_newton

if TYPE_CHECKING:
    from hmpc.forces.solvers.problem import Solver

NEWTON = "newton"


def available_solvers() -> tuple[str, ...]:
    """The names that `solver_named` takes: our own method first, then what qpsolvers finds."""
    return (NEWTON, *backends.installed_backends())


def solver_named(name: str) -> Solver:
    """The solver of that name; qpsolvers is imported only if it is not our own."""
    if name == NEWTON:
        return dual_newton.solve
    if name not in backends.installed_backends():
        raise UnknownNameError("solver", name, available_solvers())
    return backends.qp_solver(name)
