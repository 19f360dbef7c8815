"""Grounds to walk on."""

from __future__ import annotations

import numpy as np

from hmpc.types import ContactRegion


def level(x_min: float, x_max: float, *, z: float = 0.0, y_half: float = 2.0) -> ContactRegion:
    """A level rectangle across the x axis."""
    center, half = 0.5 * (x_min + x_max), 0.5 * (x_max - x_min)
    return ContactRegion(p_W=np.array([center, 0.0, z]), R_WR=np.eye(3), half_extent=np.array([half, y_half]))


FLAT = (level(-100.0, 100.0, y_half=100.0),)
