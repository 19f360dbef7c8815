"""What a body can do in one step: its legs, the limits of a step, and which motions it can still catch."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.errors import InputError

if TYPE_CHECKING:
    from hmpc.params import FootstepParams
    from hmpc.types import Array, BodyModel, ContactRegion


class Legs(NamedTuple):
    """Of the left (row 0) and the right (row 1) leg."""

    sole: Array  # (2, 2) [m] half extents
    root: Array  # (2, 3) [m] hip relative to the COM, heading axes
    reach: Array  # (2,) [m]


class Limits(NamedTuple):
    """What a step can do [m], relative to the stance foot; `inward` is the least lateral distance of the feet."""

    forward: float
    backward: float
    inward: float
    outward: float
    up: float
    down: float
    tolerance: float
    margin: float
    overhang: bool


class CaptureBounds(NamedTuple):
    """Where the capture point may be at the end of a phase [m], relative to the stance foot.

    `inner` and `outer` count towards the side of the foot that lands next.
    """

    back: float
    front: float
    inner: float
    outer: float


def feet(body: BodyModel) -> tuple[str, str]:
    """Names of the left and the right foot."""
    limbs = sorted((limb for limb in body.limbs if limb.is_foot), key=lambda limb: -limb.root_B[1])
    if len(limbs) != 2:
        raise InputError(f"Walking needs two feet; this body has {len(limbs)}.")
    return limbs[0].name, limbs[1].name


def legs_of(body: BodyModel) -> Legs:
    limbs = [body.limb(name) for name in feet(body)]
    return Legs(
        sole=np.array([limb.half_extent for limb in limbs]),
        root=np.array([limb.root_B for limb in limbs]),
        reach=np.array([limb.reach for limb in limbs]),
    )


def step_limits(legs: Legs, params: FootstepParams) -> Limits:
    length = float(legs.reach.min())
    return Limits(
        forward=params.max_forward * length,
        backward=params.max_backward * length,
        inward=float(legs.sole[:, 1].sum()) + params.foot_clearance,
        outward=params.max_outward * length,
        up=params.max_up * length,
        down=params.max_down * length,
        tolerance=params.reach_tolerance,
        margin=params.safety_margin,
        overhang=params.allow_overhang,
    )


def capture_bounds(limits: Limits, decay: float) -> CaptureBounds:
    """Offsets of the capture point from which steps within the limits can bring the body to rest.

    The idea is that of [Koolen et al. 2012, The International Journal of Robotics Research 31(9)]. A step s turns the
    offset o at the end of a phase into (o - s)/ε at the end of the next one, ε = exp(-ωT) (the `decay`). The largest
    interval [a, b] that some s in [s_min, s_max] always leads back into itself is [s_min, s_max]/(1 - ε). Sideways,
    where the direction "towards the next foot" changes with each step, o becomes (s - o)/ε, and
    a = (s_min - ε s_max)/(1 - ε²), b = (s_max - ε s_min)/(1 - ε²).
    """
    return CaptureBounds(
        back=-limits.backward / (1.0 - decay),
        front=limits.forward / (1.0 - decay),
        inner=(limits.inward - decay * limits.outward) / (1.0 - decay**2),
        outer=(limits.outward - decay * limits.inward) / (1.0 - decay**2),
    )


def can_be_stepped_on(region: ContactRegion, params: FootstepParams) -> bool:
    """Is the region flat and large enough to carry the middle of a sole? Bars to hold are not."""
    x, y, normal_z = region.R_WR[0, 2], region.R_WR[1, 2], region.R_WR[2, 2]
    flat = normal_z > 0.0 and float(np.hypot(x, y)) <= params.max_slope * normal_z
    return flat and not region.bilateral and bool(region.half_extent.min() >= params.safety_margin)
