"""Sit down on a seat right behind: go down until the hips are on it, then straighten up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.tasks.situation import Scene, Situation
from hmpc.tasks.stand_up import BEHIND, LEAN
from hmpc.tasks.task import Stage, Task

if TYPE_CHECKING:
    from hmpc.types import ContactRegion

_LOWER_TIME, _STRAIGHTEN_TIME = 1.5, 1.2  # [s]
_HIPS_BEHIND = 0.285  # [m] of the hips behind the middle of the feet, when they come to the seat
_PAD = 0.055  # [m] of the hips above the seat, leaning: a little less than the pad, to be sure of touching it
_SEATED_COM = 0.10  # [m] of the COM before the hips, sitting upright
_ON_SEAT = 100.0  # [N] that a seat bears at least when somebody sits on it


def lower(now: Situation) -> Stage:
    """The hips come down to the seat, the weight stays over the feet."""
    end, seat = now.t + _LOWER_TIME, _seat_behind(now)
    assert seat is not None  # or the task would have been refused
    hips_W = now.between_feet_W + now.forward(-_HIPS_BEHIND)
    hips_W[2] = seat.p_W[2] + _PAD
    com_W = now.com_over(hips_W, LEAN)
    com_W[:2] = (now.between_feet_W + now.forward(-BEHIND))[:2]
    goal = now.at_rest(end, com_W, LEAN)
    return Stage(
        name="lower",
        duration=_LOWER_TIME,
        phases=(*(now.keep(foot, 0.5, goal) for foot in now.feet), now.sit_on(seat, end)),
        targets=(goal,),
        arms="lap",
        check=_on_the_seat,
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


def _seat_behind(now: Situation) -> ContactRegion | None:
    """The seat that the hips come down to when the feet stay where they are."""
    hips_W = now.between_feet_W + now.forward(-_HIPS_BEHIND)
    for seat in now.scene.seats:
        p_R = seat.R_WR.T @ (hips_W - seat.p_W)
        if (np.abs(p_R[:2]) < seat.half_extent).all():
            return seat
    return None


def _on_the_seat(now: Situation) -> str | None:
    if now.state.limbs[now.seat].force_W[2] < _ON_SEAT:
        return "the seat bears nothing"
    return None


def _refusal(now: Situation) -> str | None:
    if now.is_loaded(now.seat):
        return "The character sits already."
    if _seat_behind(now) is None:
        return "The character cannot sit down: there is no seat right behind it."
    return None


def _has_seat(scene: Scene) -> bool:
    return bool(scene.seats)


SIT_DOWN = Task(
    name="sit_down",
    description="sit down on the seat right behind",
    stages=(lower, straighten),
    refusal=_refusal,
    suits=_has_seat,
    ends_standing=False,
)
