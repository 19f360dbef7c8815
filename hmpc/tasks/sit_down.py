"""Sit down: turn the back to a seat, go down until the hips are on it, then straighten up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hmpc.geometry import wrap_angle
from hmpc.tasks.approach import Approach
from hmpc.tasks.situation import Scene, Situation
from hmpc.tasks.stand_up import BEHIND, LEAN
from hmpc.tasks.straight import straight
from hmpc.tasks.task import Stage, Task

if TYPE_CHECKING:
    from hmpc.types import Array, ContactRegion

_LOWER_TIME, _STRAIGHTEN_TIME = 1.5, 1.2  # [s]
_HIPS_BEHIND = 0.285  # [m] of the hips behind the middle of the feet, when they come to the seat
_PAD = 0.045  # [m] of the hips above the seat, leaning: less than the pad, to be sure of touching it
_SEATED_COM = 0.10  # [m] of the COM before the hips, sitting upright
_DEPTH = 0.05  # [m] of the hips behind the front edge of the seat
_TURNING = 0.45  # [m] ahead of where one sits down from, where one turns: clear of the seat and its armrests
_NEARBY = 0.25  # [m] around there, where one begins to turn
_FACING = 0.5  # [rad] off the way ahead, within which one walks while one turns
_BACK_TURNED = 0.25  # [rad] off the way that one looks who sits, within which one steps back ...
_IN_LINE = 0.12  # [m] ... and so far aside
_ASIDE = 0.1  # [m] behind where one sits down from, that is not before the seat any more
_ON_SEAT = 100.0  # [N] that a seat bears at least when somebody sits on it


def lower(now: Situation) -> Stage:
    """The hips come down to the seat, the weight stays over the feet."""
    end, seat = now.t + _LOWER_TIME, _seat(now)
    hips_W = now.between_feet_W + now.forward(-_HIPS_BEHIND)
    hips_W[2] = seat.p_W[2] + _PAD
    com_W = now.com_over(hips_W, LEAN)
    com_W[:2] = (now.between_feet_W + now.forward(-BEHIND))[:2]
    goal = now.at_rest(end, com_W, LEAN)
    return Stage(
        name="lower",
        duration=_LOWER_TIME,
        phases=tuple(now.keep(foot, 0.5, goal) for foot in now.feet),
        targets=straight(now, goal),
        arms="lap",
        check=_at_the_seat,
    )


def straighten(now: Situation) -> Stage:
    """The weight goes back onto the seat."""
    end = now.t + _STRAIGHTEN_TIME
    com_W = now.hips_W + now.forward(_SEATED_COM)
    com_W[2] = np.nan
    goal = now.at_rest(end, com_W, 0.0)
    return Stage(
        name="straighten",
        duration=_STRAIGHTEN_TIME,
        phases=(*(now.keep(foot, 0.1, goal) for foot in now.feet), now.keep_seat(end)),
        targets=(goal,),
        arms="lap",
        check=_on_the_seat,
    )


def _seat(now: Situation) -> ContactRegion:
    """The nearest one."""
    return min(now.scene.seats, key=lambda seat: float(np.linalg.norm(seat.p_W - now.state.body.com_W)))


def _way_before(now: Situation, seat: ContactRegion) -> Array:
    """(2,) [m] where the feet are, ahead and to the left of where they stand to sit down, as one looks who sits."""
    offset_R = seat.R_WR.T @ (now.between_feet_W - seat.p_W)
    return np.array([offset_R[0] - (seat.half_extent[0] - _DEPTH + _HIPS_BEHIND), offset_R[1]])


def _approach(now: Situation) -> Approach:
    """Walk to a place ahead of the seat, turn one's back to it there, and step back."""
    seat = _seat(now)
    front_W = seat.R_WR[:, 0]
    off, turn = _way_before(now, seat), wrap_angle(math.atan2(front_W[1], front_W[0]) - now.heading)
    back_to_it = abs(turn) < _BACK_TURNED and abs(off[1]) < _IN_LINE
    way_W = seat.R_WR[:, :2] @ ((0.0 if back_to_it else _TURNING, 0.0) - off)
    distance = float(np.linalg.norm(way_W))
    if not back_to_it and distance > _NEARBY:
        turn = wrap_angle(math.atan2(way_W[1], way_W[0]) - now.heading)
        return Approach(distance if abs(turn) < _FACING else 0.0, 0.0, turn)
    return Approach(float(way_W @ now.forward(1.0)), float(way_W @ now.forward(0.0, 1.0)), turn)


def _at_the_seat(now: Situation) -> str | None:
    return None if now.is_loaded(now.seat) else "the hips did not come to the seat"


def _on_the_seat(now: Situation) -> str | None:
    if now.state.limbs[now.seat].force_W[2] < _ON_SEAT:
        return "the seat bears nothing"
    return None


def _refusal(now: Situation) -> str | None:
    if now.is_loaded(now.seat):
        return "The character sits already."
    if not now.scene.seats:
        return "The character cannot sit down: there is no seat."
    if _way_before(now, _seat(now))[0] < -_ASIDE:
        return "The character cannot sit down: it stands beside or behind the seat, not before it."
    return None


def _has_seat(scene: Scene) -> bool:
    return bool(scene.seats)


SIT_DOWN = Task(
    name="sit_down",
    description="go to the seat and sit down on it",
    stages=(lower, straighten),
    refusal=_refusal,
    suits=_has_seat,
    approach=_approach,
    ends_standing=False,
)
