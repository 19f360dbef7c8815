"""Exact contacts of every tick, read from MuJoCo's contact arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.robot.model import RobotModel
    from hmpc.types import Array

    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_WORLD = -1  # owner of a geom that is not the character's
_WALL = 0.5  # vertical part of a normal: what is steeper bears no foot, with friction of at most 1


@njit(cache=True)
def _own_side(geoms: NDArray[np.int32], distance: float, owner: Indices) -> int:
    """Which geom of a contact (0 or 1) is the character's; -1 unless it touches the world."""
    first, second = owner[geoms[0]] == _WORLD, owner[geoms[1]] == _WORLD
    if first == second or distance > 0.0:
        return -1
    return 1 if first else 0


@njit(cache=True)
def _touches(
    geom: NDArray[np.int32],
    distance: Array,
    frame: Array,
    owner: Indices,
    is_foot: Mask,
    is_segment: Mask,
    touching: Mask,
    segments: Mask,
    normals: Array,
) -> bool:
    """Fill in which owners touch the world, which segments do, and the mean surface normal at each owner.

    Toes that meet a riser, or the end of the next plank, say nothing about what the foot stands on. Returns whether
    any segment touches.
    """
    touching[:] = False
    segments[:] = False
    normals[:] = 0.0
    any_segment = False
    for k in range(geom.shape[0]):
        side = _own_side(geom[k], distance[k], owner)
        if side < 0:
            continue
        mine = geom[k, side]
        touching[owner[mine]] = True
        if is_segment[mine]:
            segments[mine] = any_segment = True
        if is_foot[owner[mine]] and abs(frame[k, 2]) < _WALL:
            continue
        sign = 1.0 if side == 1 else -1.0  # the contact frame's x axis points from geom 0 to geom 1
        for i in range(3):
            normals[owner[mine], i] += sign * frame[k, i]
    for o in range(normals.shape[0]):
        n = normals[o]
        length = np.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
        if length > 0.0:
            n /= length
        else:
            n[2] = 1.0
    return any_segment


@njit(cache=True)
def _forces(
    geom: NDArray[np.int32],
    distance: Array,
    frame: Array,
    address: NDArray[np.int32],
    efc_force: Array,
    owner: Indices,
    total: Array,
) -> None:
    """Add up the contact forces of the world on each owner; elliptic cones: normal, then two tangents."""
    for k in range(geom.shape[0]):
        side = _own_side(geom[k], distance[k], owner)
        if side < 0 or address[k] < 0:
            continue
        sign = 1.0 if side == 1 else -1.0  # the force acts on geom 1
        for axis in range(3):
            for i in range(3):
                total[owner[geom[k, side]], i] += sign * efc_force[address[k] + axis] * frame[k, 3 * axis + i]


class ContactReader:
    """Sorts contacts by limb: which limbs touch, with what force, and what else touches.

    The character's geoms are owned by a limb (its pads: index 0..L-1) or by L, "anything else".
    """

    def __init__(self, robot: RobotModel):
        m = robot.model
        self._model, self._data = m, robot.data
        self.n_limbs = len(robot.limbs)
        self._owner = np.full(m.ngeom, _WORLD)
        self._owner[m.body_rootid[m.geom_bodyid] == robot.root] = self.n_limbs
        for k, limb in enumerate(robot.limbs.values()):
            self._owner[list(limb.geoms)] = k
        self._is_foot = np.array([limb.spec.is_foot for limb in robot.limbs.values()] + [False])
        inner = [robot.limb_index[limb.spec.name] for limb in (*robot.knees(), *robot.seats())]
        tips = [m.body(limb.spec.tip_body).id for limb in (*robot.feet(), *robot.hands())]
        others = (self._owner == self.n_limbs) | np.isin(self._owner, inner)
        self._is_segment = others & ~np.isin(m.geom_bodyid, tips)
        self._touching = np.zeros(self.n_limbs + 1, dtype=bool)
        self._segments = np.zeros(m.ngeom, dtype=bool)
        self._any_segment = False
        if m.opt.cone != mujoco.mjtCone.mjCONE_ELLIPTIC:
            raise ValueError("Contact forces are read for elliptic friction cones.")
        self.find()

    def find(self) -> None:
        """Take the contacts that MuJoCo has just found: those of now, until it looks for them again."""
        contact = self._data.contact
        self._found = contact.geom, contact.dist, contact.frame, contact.efc_address

    def touches(self) -> tuple[list[bool], Array]:
        """For each limb: does it touch the world now (penetration, not nearness), and the surface normal there."""
        geom, distance, frame, _ = self._found
        normals, touching = np.empty((self.n_limbs + 1, 3)), self._touching
        self._any_segment = _touches(
            geom, distance, frame, self._owner, self._is_foot, self._is_segment, touching, self._segments, normals
        )
        return touching.tolist()[:-1], normals

    def other_segments(self) -> list[str]:
        """Geoms of the segments other than feet and hands that touched the world when `touches` was last called."""
        if not self._any_segment:
            return []
        return [self._model.geom(g).name for g in np.flatnonzero(self._segments).tolist()]

    def forces(self) -> Array:
        """(L + 1, 3) [N] force of the world on each limb, then on all other segments.

        To be read after a step: constraint forces belong to the contacts they were solved for.
        """
        total = np.zeros((self.n_limbs + 1, 3))
        _forces(*self._found, self._data.efc_force, self._owner, total)
        return total
