"""Contact phases as the vector that CMA searches, and back (Sec. 3.2.1).

A candidate is a *row* of numbers, for every phase Omega = (t_s, t_f, p_0..p_h, f_0..f_n)
with p in world coordinates and f = (f_l, f_r). What the search may change is less: the COP
moves on its surface (two numbers on a plane, one along a rail), contacts that exist keep
their start, and what ends after the plan keeps its end. Both are tied by an affine map,
row = guess + u J, where one unit of u is a sensible first step in every coordinate and
u = 0 is the guess.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.errors import InputError
from hmpc.frb.filtering import cop_center
from hmpc.frb.table import COP_SIZE, FORCE_SIZE, TIMES, limb_axes, tabulate
from hmpc.geometry import rotation_z

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hmpc.frb.table import PhaseTable
    from hmpc.params import FrbParams
    from hmpc.types import Array, BodyModel, ContactPhase


class PhaseCodec:
    """The affine map between contact phases and the search vector u."""

    def __init__(
        self,
        guess: Sequence[ContactPhase],
        t_end: float,
        body: BodyModel,
        params: FrbParams,
        symmetry: float | None = None,
    ) -> None:
        self.guess = tuple(guess)
        self.table = tabulate(self.guess, t_end, body, params)
        self.row0 = self.row(self.guess)
        self.J = _search_directions(self.guess, self.table, self.row0.size, body, params, symmetry)

    @property
    def dimension(self) -> int:
        return len(self.J)

    def coordinates_in_place(self) -> NDArray[np.int64]:
        """Indices of the coordinates that move no contact to be made, in space or time: forces, and COPs under feet."""
        movable = np.ones(self.row0.size, dtype=bool)
        for offset, n_cop, fixed in zip(self.table.offset, self.table.n_cop, self.table.fixed, strict=True):
            movable[offset : offset + TIMES + COP_SIZE * n_cop * (not fixed)] = False
        return np.flatnonzero((self.J[:, ~movable] == 0.0).all(axis=1))

    def row(self, phases: Sequence[ContactPhase]) -> Array:
        """The row (D,) of phases that have the structure of the guess."""
        parts: list[Array] = [np.empty(0)]
        for phase, guess in zip(phases, self.guess, strict=True):
            if (phase.limb, len(phase.cop_W), len(phase.f_l)) != (guess.limb, len(guess.cop_W), len(guess.f_l)):
                raise InputError(f"The guesses of a problem differ in the structure of a phase of {guess.limb!r}.")
            forces = np.column_stack([phase.f_l, phase.f_r_W])
            parts += [np.array([phase.t_start, phase.t_end]), phase.cop_W.ravel(), forces.ravel()]
        return np.concatenate(parts)

    def phases(self, row: Array) -> tuple[ContactPhase, ...]:
        """The phases of a (filtered) row; a future contact's rectangle lies around its COP trajectory."""
        return tuple(self._phase(i, row[self.table.offset[i] :]) for i in range(len(self.guess)))

    def decode(self, u: Array) -> Array:
        """Rows (P, D) of the search vectors (P, d)."""
        return self.row0 + u @ self.J

    def encode(self, phases: Sequence[ContactPhase]) -> Array:
        """Search vector (d,) of phases: exact if they differ from the guess in free parameters only."""
        return (self.J @ (self.row(phases) - self.row0)) / np.einsum("ij,ij->i", self.J, self.J)

    def _phase(self, i: int, numbers: Array) -> ContactPhase:
        guess = self.guess[i]
        times, rest = numbers[:TIMES], numbers[TIMES:]
        n_cop, n_force = COP_SIZE * len(guess.cop_W), FORCE_SIZE * len(guess.f_l)
        cop_W = rest[:n_cop].reshape(-1, COP_SIZE)
        forces = rest[n_cop : n_cop + n_force].reshape(-1, FORCE_SIZE)
        return replace(
            guess,
            t_start=float(times[0]),
            t_end=float(times[1]),
            cop_W=cop_W,
            f_l=forces[:, 0],
            f_r_W=forces[:, 1:],
            center_W=guess.center_W if guess.fixed else np.array(cop_center(cop_W, self.table.R_WL[i])),
        )


def shift_phases(phases: Sequence[ContactPhase], t: float) -> tuple[ContactPhase, ...]:
    """What is left of a plan at time t, from which the first half of the next plan starts (Sec. 3.2.2).

    Phases keep their start, even in the past, so that their forces stay at the same absolute
    times; those that have begun are fixed from now on.
    """
    return tuple(replace(p, fixed=p.fixed or p.t_start <= t) for p in phases if p.t_end > t)


class _Coordinate(NamedTuple):
    """One number that the search may change: where it is in a row, and by how much one unit changes it."""

    name: tuple[str, int, int]  # what it is, of which control point, along which axis
    first: int
    direction: Array


def _search_directions(
    phases: Sequence[ContactPhase],
    table: PhaseTable,
    size: int,
    body: BodyModel,
    params: FrbParams,
    symmetry: float | None,
) -> Array:
    """J (d, D): what one unit of every search coordinate changes in a row. Its rows are orthogonal.

    With a symmetry the coordinates of a left and a right phase are replaced by their mirrored sum and, in smaller
    units, by their difference: what one does, the other does too, until there is a reason not to.
    """
    axes_W = np.eye(3) if symmetry is None else rotation_z(symmetry)
    coordinates = [_coordinates(i, phase, table, body, params, axes_W, symmetry) for i, phase in enumerate(phases)]
    partners = {} if symmetry is None else _partners(phases, body)

    def row(coordinate: _Coordinate) -> Array:
        numbers = np.zeros(size)
        numbers[coordinate.first : coordinate.first + len(coordinate.direction)] = coordinate.direction
        return numbers

    rows: list[Array] = []
    for i, own in enumerate(coordinates):
        if i in partners.values():
            continue
        theirs = {c.name: c for c in coordinates[partners[i]]} if i in partners else {}
        for coordinate in own:
            other = theirs.pop(coordinate.name, None)
            if other is None:
                rows.append(row(coordinate))
                continue
            sideways = coordinate.name[0] in ("cop", "f_r") and coordinate.name[2] == 1
            mirrored = -row(other) if sideways else row(other)
            rows += [row(coordinate) + mirrored, params.asymmetry * (row(coordinate) - mirrored)]
        rows += [row(coordinate) for coordinate in theirs.values()]
    return np.array(rows).reshape(len(rows), size)


def _coordinates(
    i: int,
    phase: ContactPhase,
    table: PhaseTable,
    body: BodyModel,
    params: FrbParams,
    axes_W: Array,
    symmetry: float | None,
) -> list[_Coordinate]:
    if table.seat[i]:
        return []  # passive: nothing to choose
    first, weight = int(table.offset[i]), body.mass * params.gravity
    found = []
    if not table.fixed[i]:
        found.append(_Coordinate(("t", 0, 0), first, np.array([params.time_unit])))
    if table.ends[i]:
        found.append(_Coordinate(("t", 1, 0), first + 1, np.array([params.time_unit])))
    first += TIMES
    on_rail = phase.region.half_extent[1] == 0.0
    surface = phase.region.R_WR if symmetry is None or on_rail else limb_axes(phase.region, symmetry)
    for k in range(len(phase.cop_W)):
        for axis in range(1 if on_rail else 2):
            found.append(_Coordinate(("cop", k, axis), first, params.cop_unit * surface[:, axis]))
        first += COP_SIZE
    force_unit = weight * (params.free_force_unit if table.foot[i] else params.hand_force_unit)
    for k in range(len(phase.f_l)):
        # A hand's f_l is nearly level and adds nothing to its f_r: it keeps its guess.
        if table.foot[i] and params.line_force:
            found.append(_Coordinate(("f_l", k, 0), first, np.array([params.line_force_unit * weight])))
        found += [_Coordinate(("f_r", k, axis), first + 1, force_unit * axes_W[:, axis]) for axis in range(3)]
        first += FORCE_SIZE
    return found


def _partners(phases: Sequence[ContactPhase], body: BodyModel) -> dict[int, int]:
    """Left phase -> right phase: the same stay of the same kind of limb on either side."""
    stays: dict[tuple[bool, bool, int, float], int] = {}
    count: dict[str, int] = {}
    for i, phase in enumerate(phases):
        limb = body.limb(phase.limb)
        count[phase.limb] = count.get(phase.limb, -1) + 1
        stays[limb.is_foot, limb.is_knee, count[phase.limb], float(np.sign(limb.root_B[1]))] = i
    return {
        left: stays[is_foot, is_knee, number, -1.0]
        for (is_foot, is_knee, number, side), left in stays.items()
        if side > 0.0 and (is_foot, is_knee, number, -1.0) in stays
    }
