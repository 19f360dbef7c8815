"""What the planners believe of the world, if that is to differ from what is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.errors import InputError

if TYPE_CHECKING:
    from hmpc.types import ContactRegion

LARGEST_ERROR = 0.1  # [m]


def mistaken_heights(regions: Sequence[ContactRegion], error: float, seed: int) -> tuple[ContactRegion, ...]:
    """The regions, each up to `error` [m] too high or too low. The geometry stays as it is: feet land early or late."""
    if not (math.isfinite(error) and 0.0 <= error <= LARGEST_ERROR):
        raise InputError(f"The error of the believed heights must be from 0 to {LARGEST_ERROR:g} m, got {error:g}.")
    if error == 0.0:
        return tuple(regions)
    up = np.random.default_rng(seed).uniform(-error, error, len(regions))
    return tuple(
        replace(region, p_W=region.p_W + np.array([0.0, 0.0, dz])) for region, dz in zip(regions, up, strict=True)
    )
