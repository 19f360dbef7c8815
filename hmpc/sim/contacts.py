"""Exact contacts of every tick, vectorised over MuJoCo's contact arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.robot.model import RobotModel
    from hmpc.types import Array

_WORLD = -1  # owner of a geom that is not the character's


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
        tips = [m.body(limb.spec.tip_body).id for limb in robot.limbs.values()]
        self._on_tip = np.isin(m.geom_bodyid, tips)  # a foot or a hand, if not its pad
        if m.opt.cone != mujoco.mjtCone.mjCONE_ELLIPTIC:
            raise ValueError("Contact forces are read for elliptic friction cones.")

    def _with_world(self) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.bool_]]:
        """Contacts between character and world: their indices, the owner, and whether it is geom 2."""
        contact = self._data.contact
        geoms = contact.geom
        if len(geoms) == 0:
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.int64), np.empty(0, dtype=bool)
        owner = self._owner[geoms]
        keep = np.flatnonzero(((owner == _WORLD).sum(axis=1) == 1) & (contact.dist <= 0.0))
        owner = owner[keep]
        return keep, owner.max(axis=1), owner[:, 1] != _WORLD

    def touches(self) -> tuple[list[bool], Array]:
        """For each limb: does it touch the world now (penetration, not nearness), and the surface normal there."""
        keep, owner, second = self._with_world()
        touching = [bool(x) for x in np.bincount(owner, minlength=self.n_limbs + 1)[: self.n_limbs]]
        normals = np.zeros((self.n_limbs + 1, 3))
        np.add.at(normals, owner, np.where(second, 1.0, -1.0)[:, None] * self._data.contact.frame[keep, :3])
        normals[: self.n_limbs][~np.array(touching)] = (0.0, 0.0, 1.0)
        length = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
        return touching, normals / np.maximum(length, 1e-9)

    def other_segments(self) -> list[str]:
        """Geoms of the segments other than feet and hands that touch the world."""
        keep, owner, second = self._with_world()
        other = owner == self.n_limbs
        if not other.any():
            return []
        geoms = self._data.contact.geom[keep[other], second[other].astype(int)]
        return sorted({self._model.geom(int(g)).name for g in geoms if not self._on_tip[g]})

    def forces(self) -> Array:
        """(L + 1, 3) [N] force of the world on each limb, then on all other segments.

        To be read after a step: constraint forces belong to the contacts they were solved for.
        """
        total = np.zeros((self.n_limbs + 1, 3))
        keep, owner, second = self._with_world()
        address = self._data.contact.efc_address[keep]
        active = address >= 0
        if not active.any():
            return total
        local = self._data.efc_force[address[active, None] + np.arange(3)]  # normal, two tangents
        frame = self._data.contact.frame[keep[active]].reshape(-1, 3, 3)
        # The contact frame's x axis points from geom 1 to geom 2 and the force acts on geom 2.
        sign = np.where(second[active], 1.0, -1.0)
        np.add.at(total, owner[active], sign[:, None] * np.einsum("ki,kij->kj", local, frame))
        return total
