"""Hands that close around bars: a point of the hand held to a point of the bar, up to a limit of force.

A grip is a `connect` constraint of MuJoCo that is declared with the model and switched on when a pad
touches a bar, where the middle of that pad is nearest to it: a hand that closes does not hold on with
the edge that happened to touch first. The hand may turn about the point; it holds in all directions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from hmpc.errors import UnknownNameError
from hmpc.sim.scenery import BAR_PREFIX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.types import Array

MAX_FORCE = 600.0  # [N] a hand that is pulled harder lets go
_STIFFNESS = (0.01, 1.0)  # solref: time constant [s] and damping ratio of the constraint
_IMPEDANCE = (0.98, 0.99, 0.001, 0.5, 2.0)  # solimp: nearly rigid


class Hand(NamedTuple):
    """What a grip needs to know of a hand."""

    body: str
    geoms: tuple[str, ...]  # of its pad


def add_grip(spec: mujoco.MjSpec, name: str, hand: Hand) -> None:
    """Declare an open grip of `hand` in a model that is being built."""
    grip = spec.add_equality(
        name=_constraint(name),
        type=mujoco.mjtEq.mjEQ_CONNECT,
        objtype=mujoco.mjtObj.mjOBJ_BODY,
        name1=hand.body,
        active=False,
    )
    grip.solref[:] = _STIFFNESS
    grip.solimp[:] = _IMPEDANCE


def _constraint(name: str) -> str:
    return f"{name}_grip"


class GripSnapshot(NamedTuple):
    """What MuJoCo does not count as state."""

    anchors: Array  # (hands, 11) where the grips hold
    torn: frozenset[str]


class Grips:
    """The grips of a character's hands, by the name of the limb."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, hands: Mapping[str, Hand]):
        self._model, self._data = model, data
        self._body = {name: model.body(hand.body).id for name, hand in hands.items()}
        names = [model.geom(k).name for k in range(model.ngeom)]
        # Whether a geom is a part of a pad, or of a bar: looked up for every contact at every tick.
        self._is_pad = {name: np.array([geom in hand.geoms for geom in names]) for name, hand in hands.items()}
        self._is_bar = np.array([geom.startswith(BAR_PREFIX) for geom in names])
        self._index = {name: model.equality(_constraint(name)).id for name in hands}
        self._active = data.eq_active  # a view: what is switched on now
        self.torn: frozenset[str] = frozenset()  # hands that were torn open, and have not let go yet

    def close(self, limb: str) -> bool:
        """Hold the bar that the limb's pad touches now; False if it touches none."""
        self._check(limb)
        found = self._touched(limb)
        if found is None:
            return False
        of_hand, on_bar = found
        m, d, body, k = self._model, self._data, self._body[limb], self._index[limb]
        m.eq_data[k, :3] = d.xmat[body].reshape(3, 3).T @ (of_hand - d.xpos[body])
        m.eq_data[k, 3:6] = on_bar  # in the world: a bar does not move
        self._active[k] = 1
        return True

    def open(self, limb: str) -> None:
        """Let go."""
        self._check(limb)
        self._active[self._index[limb]] = 0

    def hold(self, limbs: Collection[str]) -> None:
        """Close the hands named as soon as they touch a bar; open the others.

        A hand that was torn open closes again only after it has let go.
        """
        self.torn &= frozenset(limbs)
        for limb in self._index:
            if limb not in limbs:
                self.open(limb)
            elif limb not in self.torn and not self.is_closed(limb):
                self.close(limb)

    def is_closed(self, limb: str) -> bool:
        """Whether the limb holds a bar."""
        self._check(limb)
        return bool(self._active[self._index[limb]])

    def closed(self) -> list[str]:
        """The limbs that hold a bar."""
        active = self._active.tolist()
        return [limb for limb, k in self._index.items() if active[k]]

    def force_W(self, limb: str) -> Array:
        """(3,) [N] with which the bar holds the limb, in the last step."""
        self._check(limb)
        d = self._data
        rows = np.flatnonzero((d.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY) & (d.efc_id == self._index[limb]))
        force = np.zeros(3)
        if self.is_closed(limb) and len(rows) == 3:
            force[:] = d.efc_force[rows]
        return force

    def release_overloaded(self) -> list[str]:
        """Open every grip that was pulled harder than a hand can hold; to be called after a step.

        What counts is all that the bar does to the hand: a palm that the grip presses onto it bears that, too.
        """
        torn = [
            limb
            for limb in self.closed()
            if np.linalg.norm(self.force_W(limb) + self._contact_force_W(limb)) > MAX_FORCE
        ]
        for limb in torn:
            self.open(limb)
        self.torn |= frozenset(torn)
        return torn

    def save(self) -> GripSnapshot:
        """The grips as they are."""
        return GripSnapshot(self._model.eq_data[list(self._index.values())].copy(), self.torn)

    def restore(self, saved: GripSnapshot) -> None:
        """Hold where the saved grips held."""
        self._model.eq_data[list(self._index.values())] = saved.anchors
        self.torn = saved.torn

    def _check(self, limb: str) -> None:
        if limb not in self._index:
            raise UnknownNameError("hand", limb, self._index)

    def _contacts(self, limb: str) -> tuple[NDArray[np.intp], Array]:
        """Contacts of the limb's pad with bars, and for each the sign with which its frame points away from the bar."""
        geoms: NDArray[np.int32] = self._data.contact.geom
        pad, bar = self._is_pad[limb][geoms], self._is_bar[geoms]
        touched = np.flatnonzero(pad.any(axis=1) & bar.any(axis=1) & (self._data.contact.dist <= 0.0))
        # The contact's x axis points from the first geom to the second.
        return touched, np.where(bar[touched, 0], 1.0, -1.0)

    def _contact_force_W(self, limb: str) -> Array:
        """(3,) [N] with which bars push the limb's pad, in the last step."""
        total, force = np.zeros(3), np.zeros(6)
        for k, sign in zip(*self._contacts(limb), strict=True):
            mujoco.mj_contactForce(self._model, self._data, k, force)
            total += sign * self._data.contact.frame[k].reshape(3, 3).T @ force[:3]
        return total

    def _touched(self, limb: str) -> tuple[Array, Array] | None:
        """Where the limb's pad holds the bar that it touches: (3,) [m] of the hand, and on the surface of the bar.

        They differ by the penetration: a grip that brings them together leaves no contact force to work against.
        """
        touched, _ = self._contacts(limb)
        if len(touched) == 0:
            return None
        d, contact = self._data, self._data.contact
        pair = contact.geom[touched[0]]
        bar = next(geom for geom in pair if self._is_bar[geom])
        pad = next(geom for geom in pair if self._is_pad[limb][geom])
        axis_W, middle_W = d.geom_xmat[bar].reshape(3, 3)[:, 2], d.geom_xpos[pad]
        on_axis_W = d.geom_xpos[bar] + axis_W * (axis_W @ (middle_W - d.geom_xpos[bar]))
        outward_W = (middle_W - on_axis_W) / np.linalg.norm(middle_W - on_axis_W)
        on_bar_W = on_axis_W + self._model.geom_size[bar, 0] * outward_W
        return on_bar_W + contact.dist[touched].min() * outward_W, on_bar_W
