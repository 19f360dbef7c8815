"""What a body can do in one step: its legs, the limits of a step, and which motions it can still catch."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.errors import InputError
from hmpc.footsteps.compiled import kernel
from hmpc.footsteps.gait import LEFT, RIGHT, Gait
from hmpc.footsteps.lipm import PhaseMap, capture_point

if TYPE_CHECKING:
    from hmpc.params import FootstepParams
    from hmpc.types import Array, BodyModel, ContactRegion


class Legs(NamedTuple):
    """Of the left (row 0) and the right (row 1) leg."""

    sole: Array  # (2, 2) [m] half extents
    root: Array  # (2, 3) [m] hip relative to the COM, heading axes
    reach: Array  # (2,) [m]
    longest: Array  # (2,) [m] with the heel raised


class Limits(NamedTuple):
    """What a step can do, relative to the stance foot; `inward` is the least lateral distance of the feet."""

    forward: float  # [m]
    backward: float  # [m]
    inward: float  # [m]
    outward: float  # [m]
    up: float  # [m]
    down: float  # [m]
    descent: float  # [m] of forward + down_effort * down, without strain
    down_effort: float
    knee_room: float  # [m]
    tolerance: float  # [m]
    margin: float  # [m]
    overhang: bool
    sole_use: float


@kernel
def strain(limits: Limits, forward: float, down: float) -> float:
    """By how much [m] a step down is longer than the leg that stands does well."""
    return max(forward + limits.down_effort * down - limits.descent, 0.0) if down > 0.0 else 0.0


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


def legs_of(body: BodyModel, stretch: float) -> Legs:
    limbs = [body.limb(name) for name in feet(body)]
    return Legs(
        sole=np.array([limb.half_extent for limb in limbs]),
        root=np.array([limb.root_B for limb in limbs]),
        reach=np.array([limb.reach for limb in limbs]),
        longest=np.array([limb.reach + stretch for limb in limbs]),
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
        descent=params.descent * length,
        down_effort=params.down_effort,
        knee_room=params.knee_room,
        tolerance=params.reach_tolerance,
        margin=params.safety_margin,
        overhang=params.allow_overhang,
        sole_use=params.sole_use,
    )


def turned(limits: Limits, legs: Legs, turn: float) -> Limits:
    """The limits of steps that each turn by `turn` [rad]: toes or heels come closer than the middles of the soles."""
    return limits._replace(inward=limits.inward + float(legs.sole[:, 0].max()) * abs(math.sin(turn)))


def capture_bounds(limits: Limits, phase: PhaseMap, omega: float) -> CaptureBounds:
    """Offsets of the capture point from which steps within the limits can bring the body to rest.

    The idea is that of [Koolen et al. 2012, The International Journal of Robotics Research 31(9)]. A step s turns the
    offset o at the end of a phase into (o - κs)/ε at the end of the next one, where ε = exp(-ωT) and κ, below 1, is the
    loss from a double support. The largest interval [a, b] that some s in [s_min, s_max] always leads back into itself
    is κ [s_min, s_max]/(1 - ε). Sideways, where "towards the next foot" changes direction with each step, o becomes
    (κs - o)/ε, and a = κ (s_min - ε s_max)/(1 - ε²), b = κ (s_max - ε s_min)/(1 - ε²).
    """
    decay = phase.cc - omega * phase.cv  # cosh - sinh
    effect = (1.0 - capture_point(phase.c1, phase.v1, omega)) * decay
    return CaptureBounds(
        back=-effect * limits.backward / (1.0 - decay),
        front=effect * limits.forward / (1.0 - decay),
        inner=effect * (limits.inward - decay * limits.outward) / (1.0 - decay**2),
        outer=effect * (limits.outward - decay * limits.inward) / (1.0 - decay**2),
    )


def widened_for(bounds: CaptureBounds, gait: Gait, tolerance: float) -> CaptureBounds:
    """The bounds, and what a gait needs for itself: they are for steps in one direction, and a gait may also turn."""
    offsets = {side: gait.capture_offset(side) * cmath.exp(-0.5j * gait.turn) for side in (LEFT, RIGHT)}
    forward = [offset.real for offset in offsets.values()]
    lateral = [-side * offset.imag for side, offset in offsets.items()]
    return CaptureBounds(
        back=min(bounds.back, *(x - tolerance for x in forward)),
        front=max(bounds.front, *(x + tolerance for x in forward)),
        inner=min(bounds.inner, *(y - tolerance for y in lateral)),
        outer=max(bounds.outer, *(y + tolerance for y in lateral)),
    )


def can_be_stepped_on(region: ContactRegion, params: FootstepParams) -> bool:
    """Is the region flat and large enough to carry the middle of a sole? Bars to hold are not."""
    x, y, z = (float(n) for n in region.R_WR[:, 2])
    flat = z > 0.0 and math.hypot(x, y) <= params.max_slope * z
    return flat and not region.bilateral and float(region.half_extent.min()) >= params.safety_margin
