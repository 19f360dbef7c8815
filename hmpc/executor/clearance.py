"""How a foot gets over what lies between its two footholds: lift first, move, then come down."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from hmpc.footsteps.ground import Ground
    from hmpc.params import SwingParams
    from hmpc.types import Array

_SAMPLES = 64  # along the path
_LEAVING = 0.1  # of the path, after which, and until which from its end, a foot may be off it by as much as anywhere


class SwingShape(NamedTuple):
    """When a foot does what, as shares of its swing."""

    top: float  # [m] how high the middle of the sole is lifted
    depart: float  # until then it only goes up
    arrive: float  # from then on it is above its foothold
    descend: float  # until then it stays at the top
    turned: float  # by then the sole is turned as it will land


class Path(NamedTuple):
    """What is known of a swing when the foot leaves the ground."""

    start_W: Array  # (3,) [m] middle of the sole where it stood, at the height of now
    pitch: float  # [rad] of the sole then, heel up positive
    goal_W: Array  # (3,) [m]
    landing_pitch: float  # [rad]
    sole: Array  # (2,) [m] half extents
    yaw: float  # [rad]
    ahead: float = 0.0  # of the way, by which the foot has been dragged off already
    run: float = 0.0  # of the way, that the foot would go in the swing's duration at the speed with which it leaves


def swing_shape(ground: Ground, path: Path, params: SwingParams) -> SwingShape:
    """The shape that disturbs the swing least and keeps heel and toes clear of the ground in between.

    On level ground the foot goes up, forward and down all at once. Where that would catch an edge, it departs later,
    arrives earlier, or stays up longer, with the sole turned back sooner, in the smallest of a few steps; if nothing is
    enough, in the one that comes nearest to it.
    """
    feet = float(max(path.start_W[2], path.goal_W[2]))
    toe, heel = (_profile(ground, path, end, params.path_error) for end in (1.0, -1.0))
    level = SwingShape(feet + params.clearance, 0.0, 1.0, params.apex, 1.0)
    best, least = level, _shortfall(level, path, toe, heel, params)
    if least == 0.0:
        return level
    top = max(feet, float(toe.max()), float(heel.max())) + params.clearance
    turned = params.apex if path.landing_pitch < path.pitch else 1.0  # toes are raised soon and pointed late
    tried = sorted(product(params.waits, repeat=3), key=lambda waits: (sum(waits), max(waits)))
    for depart, arrive, descend in tried:
        shape = SwingShape(top, depart, 1.0 - arrive, params.apex + descend, turned)
        shortfall = _shortfall(shape, path, toe, heel, params)
        if shortfall < least:
            best, least = shape, shortfall
        if least == 0.0:
            break
    return best


def _profile(ground: Ground, path: Path, end: float, error: float) -> Array:
    """Height [m] of the ground under the toes (`end` = 1) or the heel (-1), at equal distances along the path.

    Each is the highest one within `error` [m] of that place, which is how far a foot may be off its path once it has
    left where it stood, and before it arrives.
    """
    along = np.linspace(0.0, 1.0, _SAMPLES)
    c, s = math.cos(path.yaw), math.sin(path.yaw)
    middle = path.start_W[:2] + along[:, None] * (path.goal_W - path.start_W)[:2]
    ahead, aside = np.array([c, s]), path.sole[1] * np.array([-s, c])
    off = error * np.minimum(np.minimum(along, 1.0 - along) / _LEAVING, 1.0)[:, None] * ahead
    around = [
        end * path.sole[0] * ahead + side * aside + sign * off for sign in (-1.0, 0.0, 1.0) for side in (-1.0, 1.0)
    ]
    return np.max([ground.heights(middle + offset) for offset in around], axis=0)


def _shortfall(shape: SwingShape, path: Path, toe: Array, heel: Array, params: SwingParams) -> float:
    """What heel and toes lack [m] of the room that they should have above the ground, summed up over the way.

    What they should clear it by grows from nothing where the foot stands before and after. A sum, because a foot may
    have been dragged so close to an edge that it lacks room at first whatever it does; where it is now, it is clear.
    """
    s = np.linspace(0.0, 1.0, _SAMPLES)
    moved = _moved(s, shape, path, params.halt)
    fallen = np.clip((s - shape.descend) / (1.0 - shape.descend), 0.0, 1.0)
    start, end = path.start_W[2], path.goal_W[2]
    up = start + (shape.top - start) * ramp(s / params.apex)
    z = np.where(s < params.apex, up, shape.top + (end - shape.top) * fallen**2 * (3.0 - 2.0 * fallen))
    turned = ramp(s / shape.turned)
    down = path.sole[0] * np.sin(path.pitch + (path.landing_pitch - path.pitch) * turned)
    share = np.minimum(np.minimum(s / params.apex, (1.0 - s) / (1.0 - shape.descend)), 1.0)
    wanted = params.edge_clearance * share - params.scuff
    sample = np.round(moved * (_SAMPLES - 1)).astype(int)
    room = np.minimum(z - down - toe[sample], z + down - heel[sample]) - wanted
    return -float(np.minimum(room, 0.0)[moved > path.ahead].sum())


def _moved(s: Array, shape: SwingShape, path: Path, halt: float) -> Array:
    """Shares of the way that a foot has made: quintics from the speed with which it leaves to rest, as it swings.

    First back to where it stood, within the share `halt` of its time, if it departs later.
    """
    first = halt if shape.depart else shape.arrive
    u = np.clip(s / first, 0.0, 1.0)
    from_place = path.ahead * (1.0 - ramp(u))
    from_speed = path.run * first * u * (1.0 - u) ** 3 * (1.0 + 3.0 * u)
    return np.clip(from_place + from_speed + ramp((s - shape.depart) / (shape.arrive - shape.depart)), 0.0, 1.0)


def ramp(s: Array) -> Array:
    """`quintic` of every element."""
    s = np.clip(s, 0.0, 1.0)
    return s**3 * (10.0 + s * (6.0 * s - 15.0))
