"""What can be drawn over a picture: the plans of the tiers and the forces, each on its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.errors import UnknownNameError
from hmpc.geometry import rotation_z

if TYPE_CHECKING:
    from hmpc.app.records.frames import Frame
    from hmpc.types import Array

Color = tuple[float, float, float]

_FORCE_SCALE = 1e-3  # [m/N]: the weight of a person is an arrow as long as a leg
_LEAST_FORCE = 5.0  # [N] that is worth an arrow
_SOLE = (0.13, 0.05)  # [m] half length and half width of the mark of a foothold
_ABOVE_GROUND = 0.005  # [m] so that marks do not vanish in the ground


class Drawing(NamedTuple):
    """Straight things of one colour."""

    color: Color
    arrows: Array  # (n, 2, 3) [m] from, to
    lines: Array  # (n, 2, 3) [m]


def footsteps(frame: Frame) -> Drawing:
    """The footholds to come, as outlines."""
    feet = frame.plan.footsteps if frame.plan else np.empty((0, 4))
    return Drawing((0.1, 0.6, 0.2), _none(), _outlines(feet))


def alternatives(frame: Frame) -> Drawing:
    """The footholds of the plans that were not chosen."""
    feet = np.concatenate([np.empty((0, 4)), *(frame.plan.alternatives if frame.plan else ())])
    return Drawing((0.6, 0.6, 0.6), _none(), _outlines(feet))


def trajectory(frame: Frame) -> Drawing:
    """The way that the COM is planned to take."""
    path = frame.plan.com_W if frame.plan else np.empty((0, 3))
    return Drawing((0.95, 0.6, 0.1), _none(), np.array([*pairwise(path)]).reshape(-1, 2, 3))


def _forces(column: str, color: Color) -> Callable[[Frame], Drawing]:
    def forces(frame: Frame) -> Drawing:
        foot, force = np.array(frame.row["limb_p_W"]), np.array(frame.row[column])
        strong = np.linalg.norm(force, axis=1) > _LEAST_FORCE  # NaN (no plan) is not
        return Drawing(color, np.stack([foot, foot + _FORCE_SCALE * force], axis=1)[strong], _none())

    return forces


OVERLAYS: Mapping[str, Callable[[Frame], Drawing]] = {
    "footsteps": footsteps,
    "alternatives": alternatives,
    "trajectory": trajectory,
    "planned-forces": _forces("limb_force_planned_W", (0.2, 0.4, 0.9)),
    "distributed-forces": _forces("limb_force_distributed_W", (0.6, 0.2, 0.8)),
    "measured-forces": _forces("limb_force_W", (0.9, 0.2, 0.2)),
}


def chosen(names: str) -> tuple[str, ...]:
    """The overlays that a comma-separated list names."""
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in (*OVERLAYS, "all"):
            raise UnknownNameError("overlay", name, (*OVERLAYS, "all"))
    return tuple(name for name in OVERLAYS if name in wanted or "all" in wanted)


def _outlines(feet: Array) -> Array:
    """The edges of a rectangle around each foothold (K, 4), which points to the front."""
    length, width = _SOLE
    corners = np.array(
        [[length, 0], [0.6 * length, width], [-length, width], [-length, -width], [0.6 * length, -width]]
    )
    ring = np.column_stack([corners, np.full(len(corners), _ABOVE_GROUND)])
    edges = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1)
    return np.concatenate([_none(), *(edges @ rotation_z(yaw).T + (x, y, z) for x, y, z, yaw in feet)])


def _none() -> Array:
    return np.empty((0, 2, 3))
