"""Where the hips are when the knees bend: what the floating rigid body alone cannot tell.

The character is an upper body on two legs of two links. From its COM, its orientation and the ankles follows the
middle of the hips h, the fixed point of

    h = c - (m_u R d_u + Σ_legs m_leg (l(h) - h)) / m

with d_u the COM of the upper body relative to the hips and l the COM of a leg, whose knee points forward. Seat, reach
and the torque of the knees depend on it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hmpc.frb.vec3 import Vec3, add, apply, axpy, dot, norm, scale, sub

if TYPE_CHECKING:
    from hmpc.types import Array, BodyModel, FrbState

_ITERATIONS = 4  # each reduces the error of the hips about fivefold
_SHORTEST = 0.05  # [m] between hip and ankle, and of the direction in which a knee points
_STRAIGHTEST = 0.993  # of the length of a leg, to which it is planned to stretch: the knee of a straight one is stuck
_LEAST_FOLDED = 0.999  # of the length of a leg, at which it counts as straight


class Legs(NamedTuple):
    """The numbers of `LegModel` for the kernels."""

    used: bool  # False: the hips keep their place in the body
    thigh: float
    shank: float
    thigh_mass: float
    shank_mass: float
    foot_mass: float
    thigh_com: float
    shank_com: float
    mass: float  # of the whole character
    half_width: float  # [m] between the hips
    upper_mass: float
    upper_com_B: Array  # (3,)
    ankle_L: Array  # (3,)
    hips_B: Array  # (3,) [m] middle of the hips relative to the COM, standing
    seat_B: Array  # (3,) [m] middle of the seat's pad relative to the middle of the hips
    seat_half_length: float  # [m]
    longest: float  # [m] from hip to ankle, of a leg that can still push
    fade: float  # [m] beyond, over which its force fades out

    @staticmethod
    def of(body: BodyModel, upper_com_B: Array | None) -> Legs:
        """`upper_com_B`: where the upper body's COM really is in the present posture; None: hips fixed in the body."""
        feet = [limb for limb in body.limbs if limb.is_foot]
        seats = [limb for limb in body.limbs if limb.is_seat]
        hips_B = np.mean([limb.root_B for limb in feet], axis=0) if feet else np.zeros(3)
        leg = body.leg
        if leg is None or upper_com_B is None:
            none, links = np.zeros(3), (0.0, 0.0) if leg is None else (leg.thigh, leg.shank)
            ankle_L = none if leg is None else np.array(leg.ankle_L)
            hips_B = np.ascontiguousarray(hips_B)
            return Legs(False, *links, *(8 * (0.0,)), none, ankle_L, hips_B, none, 0.0, 0.0, 0.0)
        return Legs(
            used=True,
            thigh=leg.thigh,
            shank=leg.shank,
            thigh_mass=leg.thigh_mass,
            shank_mass=leg.shank_mass,
            foot_mass=leg.foot_mass,
            thigh_com=leg.thigh_com,
            shank_com=leg.shank_com,
            mass=float(body.mass),
            half_width=float(np.ptp([limb.root_B[1] for limb in feet]) / 2.0),
            upper_mass=float(body.mass) - 2.0 * (leg.thigh_mass + leg.shank_mass + leg.foot_mass),
            upper_com_B=np.array(upper_com_B),
            ankle_L=np.array(leg.ankle_L),
            hips_B=np.ascontiguousarray(hips_B),
            seat_B=np.array(seats[0].root_B - hips_B) if seats else np.zeros(3),
            seat_half_length=float(seats[0].half_extent[0]) if seats else 0.0,
            longest=_STRAIGHTEST * (leg.thigh + leg.shank),
            fade=(1.0 - _STRAIGHTEST) * (leg.thigh + leg.shank),
        )


@njit(cache=True)
def hip(middle: Vec3, R: Array, side: float, legs: Legs) -> Vec3:
    """The left (side 1) or right (-1) hip."""
    w = side * legs.half_width
    return middle[0] + w * R[0, 1], middle[1] + w * R[1, 1], middle[2] + w * R[2, 1]


@njit(cache=True)
def knee_lever(length: float, legs: Legs) -> tuple[float, float]:
    """How far along the line from hip to ankle the knee is, and how far from that line [m]."""
    d = min(max(length, _SHORTEST), _LEAST_FOLDED * (legs.thigh + legs.shank))
    along = (legs.thigh**2 + d * d - legs.shank**2) / (2.0 * d)
    return along, math.sqrt(max(legs.thigh**2 - along * along, 0.0))


@njit(cache=True)
def leg_moment(hip_W: Vec3, ankle_W: Vec3, forward: Vec3, legs: Legs) -> Vec3:
    """Mass of a leg times its COM relative to the hip [kg m]."""
    line = sub(ankle_W, hip_W)
    length = max(norm(line), _SHORTEST)
    e = scale(1.0 / length, line)
    along, aside = knee_lever(length, legs)
    bend = axpy(-dot(forward, e), e, forward)
    n = scale(1.0 / max(norm(bend), _SHORTEST), bend)
    knee = axpy(aside, n, scale(along, e))
    moment = scale(legs.thigh_mass * legs.thigh_com, knee)
    moment = axpy(legs.shank_mass * (1.0 - legs.shank_com), knee, moment)
    return axpy(legs.shank_mass * legs.shank_com + legs.foot_mass, line, moment)


@njit(cache=True)
def _forward(R: Array) -> Vec3:
    """Where knees point: forward and a little upwards, which is also right for a foot far ahead."""
    length = max(math.hypot(R[0, 0], R[1, 0]), _SHORTEST)
    return R[0, 0] / length, R[1, 0] / length, 0.5


@njit(cache=True)
def middle_of_hips(c: Vec3, R: Array, left: Vec3, right: Vec3, guess: Vec3, legs: Legs) -> Vec3:
    """The middle of the hips of a body with its COM at c and its ankles at `left` and `right`."""
    upper = scale(legs.upper_mass, apply(R, (legs.upper_com_B[0], legs.upper_com_B[1], legs.upper_com_B[2])))
    forward = _forward(R)
    h = guess
    for _ in range(_ITERATIONS):
        moment = upper
        moment = add(moment, leg_moment(hip(h, R, 1.0, legs), left, forward, legs))
        moment = add(moment, leg_moment(hip(h, R, -1.0, legs), right, forward, legs))
        h = axpy(-1.0 / legs.mass, moment, c)
    return h


def com_over_hips(
    body: BodyModel, R_WB: Array, upper_com_B: Array, hips_W: Array, ankles_W: tuple[Array, Array]
) -> Array:
    """(3,) [m] the COM of a body with its hips there: the inverse of `middle_of_hips`."""
    legs = Legs.of(body, upper_com_B)
    return hips_W + (legs.upper_mass * R_WB @ upper_com_B + _legs_moment(R_WB, hips_W, ankles_W, legs)) / body.mass


def upper_com(body: BodyModel, state: FrbState, hips_W: Array, ankles_W: tuple[Array, Array]) -> Array:
    """(3,) [m] where the upper body's COM must be, relative to the hips and in body axes, for the hips to be there."""
    legs = Legs.of(body, np.zeros(3))
    moment = _legs_moment(state.R_WB, hips_W, ankles_W, legs)
    return state.R_WB.T @ (body.mass * (state.com_W - hips_W) - moment) / legs.upper_mass


def _legs_moment(R_WB: Array, hips_W: Array, ankles_W: tuple[Array, Array], legs: Legs) -> Array:
    """(3,) [kg m] of both legs about their hips."""
    R, h = np.ascontiguousarray(R_WB), tuple(hips_W.tolist())
    forward = _forward(R)
    moments = [
        leg_moment(hip(h, R, side, legs), tuple(ankle.tolist()), forward, legs)
        for side, ankle in zip((1.0, -1.0), ankles_W, strict=True)
    ]
    return np.sum(moments, axis=0)
