"""Where the ankles of a candidate plan are, on the ground and between two stays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from numba import njit

from hmpc.frb.filtering import cop_center
from hmpc.frb.legs import Legs
from hmpc.frb.table import COP_SIZE, NONE, TIMES
from hmpc.frb.vec3 import Vec3, add, apply, get, put, scale

if TYPE_CHECKING:
    from hmpc.frb.table import PhaseTable
    from hmpc.types import Array

_LIFT = 0.08  # [m] of a swinging foot above the straight line between its footholds


@njit(cache=True)
def fill_ankles(row: Array, table: PhaseTable, legs: Legs, ankles: Array) -> None:
    """The ankle (N, 3) during every stay of a foot."""
    for i in range(table.offset.shape[0]):
        if not (legs.used and table.foot[i]):
            continue
        sole = get(table.center_W, i)
        if not table.fixed[i]:
            first = table.offset[i] + TIMES
            sole = cop_center(row[first : first + COP_SIZE * table.n_cop[i]].reshape(-1, COP_SIZE), table.R_WL[i])
        put(ankles, i, add(sole, apply(table.R_WL[i], get(legs.ankle_L.reshape(1, 3), 0))))


@njit(cache=True)
def ankle_at(row: Array, t: float, side: float, ankles: Array, table: PhaseTable) -> Vec3:
    """The ankle of one side at time t; in the air on an arc between the stays before and after."""
    before, after = NONE, NONE
    for i in range(table.offset.shape[0]):
        if table.side[i] != side:
            continue
        if row[table.offset[i]] <= t:
            before = i
        elif after == NONE:
            after = i
    if before == NONE:
        return get(ankles, after) if after != NONE else (0.0, 0.0, 0.0)
    left = row[table.offset[before] + 1]
    if after == NONE or t <= left:
        return get(ankles, before)
    s = (t - left) / max(row[table.offset[after]] - left, 1e-6)
    p = add(scale(1.0 - s, get(ankles, before)), scale(s, get(ankles, after)))
    return p[0], p[1], p[2] + _LIFT * math.sin(math.pi * s)
