"""Get up from the ground: lie flat, roll over to the front, hands beside the chest, push up onto hands and knees, one
foot forward, the other one, rise.

The weight goes over the limbs that will carry before the next one leaves: every stage begins and ends at rest. The
hands stay where they are; lengths along the way are measured back from them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.tasks.lying import free_hands, lie_flat, roll_over
from hmpc.tasks.on_hands import keep_hands, on_hands, side
from hmpc.tasks.situation import Scene, Situation
from hmpc.tasks.stand_up import STAND_OFFSET, upright
from hmpc.tasks.standing_foot import AFTER
from hmpc.tasks.straight import straight
from hmpc.tasks.task import Stage, Task
from hmpc.types import Bearing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hmpc.types import Array, ContactPhase, ContactRegion

_KNEELING_HIPS = (0.14, 0.46)  # [m] of the hips before the knees and above the ground, on hands and knees
_KNEELING_PITCH = 1.45  # [rad] lean of the body, then
_PUSH_TIME, _SHIFT_TIME, _STEP_TIME, _RISE_TIME = 2.0, 1.2, 1.6, 1.6  # [s]
_LIFT, _LANDING = 0.1, 0.9  # of a step, after which its knee leaves the ground and its foot is expected there
_FOOT = (0.48, 0.16)  # [m] feet behind the hands, and to the side: thighs have room beside the chest
_HAND = 0.26  # [m] hands to the side
_CROUCH = (0.04, 0.75, 0.7)  # halfway up: [m] COM ahead of the feet, of its standing height, [rad] lean of the body
_OFF_GROUND = 0.3  # [m] of the COM of who has come off the ground
_LEVEL = 0.999  # cosine of the slope of the ground, at least
_ROOM = 1.0  # [m] around the COM without anything that is higher or lower
_CURLED = (0.50, -0.04, 0.40)  # [m] of the COM behind the middle of the hands, to the left, and above the ground
_LEFT_FORWARD = (0.48, -0.04, 0.42)
_OVER_BOTH = (0.44, 0.0, 0.48)
_ON_HANDS = 0.2  # of the weight while one foot stands, both alike; with more on them its ankle would bend too far


def push_up(now: Situation) -> Stage:
    """Up onto hands and knees."""
    end, (ahead, height) = now.t + _PUSH_TIME, _KNEELING_HIPS
    hips_W = np.mean([now.state.limbs[knee].p_W for knee in now.knees], axis=0) + now.forward(ahead)
    hips_W[2] = _level(now) + height
    goal = now.at_rest(end, now.com_over(hips_W, _KNEELING_PITCH), _KNEELING_PITCH)
    return Stage(
        name="push up",
        duration=_PUSH_TIME,
        phases=tuple(_held(now, now.knees, end)),
        targets=straight(now, goal),
        bearing=Bearing.LYING,
        pose="kneel",
        bend=0.0,
        needs_hands=True,
        check=_off_the_ground,
    )


def curl(now: Situation) -> Stage:
    """The back bends, so that there is room for a foot; the weight goes over the right knee and the hands."""
    return _shift(now, "curl", _place(now, *_CURLED), 1.3, now.knees)


def left_forward(now: Situation) -> Stage:
    """The left foot comes forward while the right knee and the hands carry."""
    return _step(now, now.feet[0], _place(now, *_LEFT_FORWARD), 1.3, now.knees[1:])


def over_left(now: Situation) -> Stage:
    """The weight goes over the left foot and the hands."""
    return _shift(now, "over the left foot", _on_left(now, 0.43), 1.3, (), now.feet[:1], now.knees[1:])


def right_forward(now: Situation) -> Stage:
    """The right foot follows; the left one and the hands carry."""
    return _step(now, now.feet[1], _on_left(now, 0.45), 1.35, (), now.feet[:1])


def over_both(now: Situation) -> Stage:
    """The weight comes between the feet before the hands let go."""
    return _shift(now, "over both feet", _place(now, *_OVER_BOTH), 1.4, (), now.feet)


def rise(now: Situation) -> Stage:
    """Halfway up, on the feet alone."""
    return _rise(now, "rise", *_CROUCH, Bearing.LEANING)


def stand(now: Situation) -> Stage:
    """Upright."""
    return replace(_rise(now, "stand", STAND_OFFSET, 1.0, 0.0, Bearing.UPRIGHT), check=upright)


def _rise(now: Situation, name: str, ahead: float, height: float, pitch: float, bearing: Bearing) -> Stage:
    end = now.t + _RISE_TIME
    com_W = now.between_feet_W + now.forward(ahead, up=height * now.body.com_height)
    goal = now.at_rest(end, com_W, pitch)
    return Stage(
        name=name,
        duration=_RISE_TIME,
        phases=tuple(now.keep(foot, 0.5, goal) for foot in now.feet),
        targets=straight(now, goal),
        bearing=bearing,
    )


def _shift(
    now: Situation,
    name: str,
    com_W: Array,
    pitch: float,
    knees: tuple[str, ...],
    feet: tuple[str, ...] = (),
    leaving: tuple[str, ...] = (),
) -> Stage:
    """The weight moves; hands, knees and feet stay where they are, knees that leave next hand over their load."""
    end = now.t + _SHIFT_TIME
    goal = now.at_rest(end, com_W, pitch)
    phases = (
        *(now.keep(foot, 0.5, goal) for foot in feet),
        *_held(now, knees, end),
        *(now.hold(knee, _floor(now), now.state.limbs[knee].p_W, now.t, end) for knee in leaving),
    )
    return on_hands(now, name, phases, goal, pitch, Bearing.KNEELING, pose="kneel")


def _step(
    now: Situation, moving: str, com_W: Array, pitch: float, knees: tuple[str, ...], feet: tuple[str, ...] = ()
) -> Stage:
    """One foot comes forward and is put down flat, as soon as its knee has handed over its load."""
    end = now.t + _STEP_TIME
    goal = now.at_rest(end, com_W, pitch)
    behind, aside = _FOOT
    place_W = _place(now, behind, aside * side(now, moving))
    leaving = now.knees[now.feet.index(moving)]
    phases = (
        *(now.keep(foot, 0.5, goal) for foot in feet),
        now.land(moving, _floor(now), place_W, now.t + _LANDING * _STEP_TIME, end, 0.1),
        *_held(now, knees, end),
        now.hold(leaving, _floor(now), now.state.limbs[leaving].p_W, now.t, now.t + _LIFT * _STEP_TIME),
    )
    return on_hands(
        now,
        f"{moving} forward",
        phases,
        goal,
        pitch,
        Bearing.KNEELING,
        pose="kneel",
        check=lambda then: None if then.state.limbs[moving].touching else f"{moving} is not on the ground",
    )


def _place(now: Situation, behind: float, left: float, up: float = 0.0) -> Array:
    """(3,) [m] a place relative to the hands, above the ground.

    A hand that bears little may slip off. Where a foot stands already, it tells where the hands belong.
    """
    standing = [foot for foot in now.feet if now.stands(foot)]
    if standing:
        found = [now.state.limbs[foot].p_W + now.forward(_FOOT[0], -side(now, foot) * _FOOT[1]) for foot in standing]
    else:
        found = [now.state.limbs[hand].p_W for hand in now.hands]
    p_W = np.mean(found, axis=0) + now.forward(-behind, left)
    p_W[2] = _level(now) + up
    return p_W


def _on_left(now: Situation, up: float) -> Array:
    """(3,) [m] the COM of who stands on the left foot and leans on both hands alike, above the ground."""
    foot_W = now.state.limbs[now.feet[0]].p_W
    hands_W = [now.state.limbs[hand].p_W if now.is_loaded(hand) else _hand_place(now, hand) for hand in now.hands]
    com_W = foot_W + _ON_HANDS * (np.mean(hands_W, axis=0) - foot_W)
    com_W[2] = _level(now) + up
    return com_W


def _hand_place(now: Situation, hand: str) -> Array:
    """(3,) [m] where a hand belongs."""
    return _place(now, 0.0, side(now, hand) * _HAND)


def _held(now: Situation, knees: Iterable[str], end: float) -> list[ContactPhase]:
    """Hands and knees that stay where they are."""
    ground, until = _floor(now), end + AFTER
    return [
        *keep_hands(now, ground, lambda hand: _hand_place(now, hand), until),
        *(now.hold(knee, ground, now.state.limbs[knee].p_W, now.t, until) for knee in knees),
    ]


def _off_the_ground(now: Situation) -> str | None:
    return None if now.state.body.com_W[2] > _level(now) + _OFF_GROUND else "the body did not come off the ground"


def _floor(now: Situation) -> ContactRegion:
    return now.ground_below(now.seat)


def _level(now: Situation) -> float:
    """[m] height of the floor."""
    return float(_floor(now).p_W[2])


def _refusal(now: Situation) -> str | None:
    if now.state.body.com_W[2] > _level(now) + _OFF_GROUND:
        return "The character does not lie on the ground."
    if not _has_room(now):
        return f"There is no level ground for {_ROOM:g} m around to get up on."
    return None


def _has_room(now: Situation) -> bool:
    """Whether the floor reaches far enough, and nothing else that can be touched is near."""
    floor, com_W, scene = _floor(now), now.state.body.com_W, now.scene
    if floor.R_WR[2, 2] < _LEVEL or com_W[2] < floor.p_W[2]:
        return False
    from_middle = np.abs(floor.R_WR.T @ (com_W - floor.p_W))[:2]
    others = [place for place in (*scene.regions, *scene.handholds, *scene.seats) if place is not floor]
    return bool((from_middle + _ROOM <= floor.half_extent).all()) and all(
        _distance(place, com_W) > _ROOM for place in others
    )


def _distance(place: ContactRegion, p_W: Array) -> float:
    """[m] from a point to the nearest one of a region, over the ground."""
    along = (place.R_WR.T @ (p_W - place.p_W))[:2]
    nearest_W = place.p_W + place.R_WR[:, :2] @ np.clip(along, -place.half_extent, place.half_extent)
    return float(np.linalg.norm((p_W - nearest_W)[:2]))


def _has_level_ground(scene: Scene) -> bool:
    return any(region.R_WR[2, 2] >= _LEVEL and min(region.half_extent) >= _ROOM for region in scene.regions)


GET_UP = Task(
    name="get_up",
    description="get up from the ground on hands, knees and feet",
    stages=(
        lie_flat,
        roll_over,
        free_hands,
        push_up,
        curl,
        left_forward,
        over_left,
        right_forward,
        over_both,
        rise,
        stand,
    ),
    refusal=_refusal,
    suits=_has_level_ground,
    begins_lying=True,
)
