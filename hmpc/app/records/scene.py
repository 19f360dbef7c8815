"""Overlays as geoms of a MuJoCo scene, for films and for the desktop window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

if TYPE_CHECKING:
    from hmpc.app.records.overlays import Drawing

_ARROW, _LINE = 0.015, 0.006  # [m] thickness
_OPACITY = 0.9


def add_drawing(scene: mujoco.MjvScene, drawing: Drawing) -> None:
    """Add arrows and lines to what a scene shows; a full scene takes no more."""
    rgba = np.array([*drawing.color, _OPACITY], dtype=np.float32)
    kinds = (
        (mujoco.mjtGeom.mjGEOM_ARROW, _ARROW, drawing.arrows),
        (mujoco.mjtGeom.mjGEOM_CAPSULE, _LINE, drawing.lines),
    )
    for kind, width, pairs in kinds:
        for start, end in pairs[: scene.maxgeom - scene.ngeom]:
            geom = scene.geoms[scene.ngeom]
            mujoco.mjv_initGeom(geom, kind, np.zeros(3), np.zeros(3), np.eye(3).ravel(), rgba)
            mujoco.mjv_connector(geom, kind, width, start, end)
            scene.ngeom += 1
