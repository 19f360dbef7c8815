"""Onto a platform that a foot can be put on: hands, one foot, hands ahead, the other foot, stand up (Sec. 5.2).

The weight goes over the limbs that will carry before the next one leaves: every stage begins and ends at rest.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple

from hmpc.tasks.edge import Edge
from hmpc.tasks.on_hands import SPINE, keep_hands, on_hands, side
from hmpc.tasks.situation import Situation
from hmpc.tasks.stand_up import STAND_OFFSET, upright
from hmpc.tasks.standing_foot import AFTER
from hmpc.tasks.straight import straight
from hmpc.tasks.task import Stage
from hmpc.types import Bearing

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.types import Array, ContactPhase, ContactRegion, TargetState

HIGHEST = 0.5  # [m] of such a platform: above, a leg that swings out so far rolls the body off its hands too often
FEET = -0.34  # [m] the middle of the feet before the edge, in the beginning: knees that bend need room
_ON_TOP = 0.135  # [m] feet beyond the edge: as near to it as the heel has ground
_NEAR_ENOUGH = 0.015  # [m] of the lower foot before a high platform, from where it should be
_STEEP = 0.45  # [m] of a platform: from there on it matters where the lower foot stands when the other one is up
_LEAN = 1.25  # [rad] of the body on hands and feet, at most
_LIFT, _LANDING = 0.08, 0.95  # of a step, after which its foot leaves and is expected: a slow leg hits no arm hard
_OVER_RIGHT = -0.09  # [m] of the COM from the middle of the feet as the left one goes up: the hands keep their hold
_BOW = 0.05  # [m] lower than afterwards, while the weight is behind: there the arms would not reach


class _Foothold(NamedTuple):
    """Where a foot is put."""

    ahead: float  # [m] beyond the edge
    aside: float  # [m] on its own side, from the middle of the feet
    outward: float = 0.0  # [rad] turned, and its knee with it: away from the arm and the chest


class _Hands(NamedTuple):
    """Where the hands are put, and how far the chest is turned to be over them: side by side as it sees them."""

    ahead: float  # [m] of their middle, beyond the edge
    apart: float  # [m] of each from there
    left: float = 0.0  # [m] of their middle
    turn: float = 0.0  # [rad] to the left

    def place(self, edge: Edge, hand: str) -> Array:
        """(3,) [m] of one hand."""
        apart = self.apart * side(edge.now, hand)
        return edge.at(self.ahead - apart * math.sin(self.turn), self.left + apart * math.cos(self.turn))


# Turned out, so that the knees are outside of the arms:
_FIRST_FOOT, _SECOND_FOOT = _Foothold(_ON_TOP, 0.18, 0.5), _Foothold(_ON_TOP, 0.20, 0.85)
_LOWER_FOOT = _Foothold(-0.33, 0.10)  # before a high platform: nearer the thigh hits the edge, further the leg is short
_HANDS_ASIDE = _Hands(0.12, 0.14, -0.155, -0.3)  # to the right: the left thigh comes up beside the chest
_HANDS_AHEAD = _Hands(0.45, 0.11, -0.02, -0.1)  # between the knees, where neither thigh gets at an arm
_ADVANCE = 0.7  # of the way from foot to foot, to which the weight goes as the hands go ahead


class _Posture(NamedTuple):
    """Where a body that leans on its hands comes to rest."""

    ahead: float  # [m] of the COM, from the edge
    left: float  # [m] of the COM, from the middle of the feet
    hips: float  # [m] above the ground
    pitch: float  # [rad] lean of the body
    hands: _Hands


def _at_rest(now: Situation, t: float, posture: _Posture, ankles_W: tuple[Array, Array] | None = None) -> TargetState:
    """Of a body that leans on its hands; the ankles stay, or will be elsewhere."""
    com_W = Edge.ahead_of(now).com(*posture[:4], ankles_W)
    return now.at_rest(t, com_W, posture.pitch, heading=now.heading + posture.hands.turn)


def _low(edge: Edge, ahead: float, left: float, bow: float = 0.0) -> _Posture:
    """Feet on the ground: low enough for the hands; the higher the platform, the more upright, or no thigh gets up."""
    hips, pitch = 0.605 + 0.45 * edge.height, min(1.675 - 1.25 * edge.height, _LEAN)
    return _Posture(ahead, left, hips - bow, pitch + 2.0 * bow, _HANDS_ASIDE)


def _high(edge: Edge, ahead: float, left: float, raised: float = 0.0) -> _Posture:
    """A foot on top: the lower knee stays clear of the edge, the shoulders an arm's length above the platform."""
    hips = 0.62 + 0.5 * edge.height
    pitch = (0.16 + hips - edge.height) / 0.433  # a lean by one rad more brings the shoulders down by 0.433 m
    return _Posture(ahead, left, hips + raised, pitch + 3.0 * raised, _HANDS_AHEAD)


def _over_upper(edge: Edge) -> _Posture:
    return _high(edge, _ON_TOP - 0.045, 0.08)


def hands_on(now: Situation) -> Stage:
    """Bend over, put the hands on the platform, the weight stays over the feet."""
    edge, duration = Edge.ahead_of(now), 1.5
    end, posture = now.t + duration, _low(edge, FEET + 0.06, 0.0, _BOW)
    goal = _at_rest(now, end, posture)
    landing = now.t + 0.9 * duration
    phases = (
        *(now.keep(foot, 0.5, goal) for foot in now.feet),
        *(now.hold(hand, edge.strip, posture.hands.place(edge, hand), landing, end + AFTER) for hand in now.hands),
    )
    return on_hands(now, "hands on", phases, goal, posture.pitch, Bearing.LEANING, check=_hands_on)


def over_lower(now: Situation) -> Stage:
    """The weight goes over the right foot and the hands."""
    return _shift(now, "over the lower foot", _low(Edge.ahead_of(now), FEET + 0.12, _OVER_RIGHT))


def first_foot(now: Situation) -> Stage:
    """The left foot goes up while the right one and the hands carry."""
    edge, (left, right) = Edge.ahead_of(now), now.feet
    posture = _low(edge, FEET + 0.13, _OVER_RIGHT)
    return _step(now, left, right, posture, edge.platform, _FIRST_FOOT, 1.8)


def hands_ahead(now: Situation) -> Stage:
    """The hands go ahead while the feet carry, the weight between them."""
    edge, duration, (left, right) = Edge.ahead_of(now), 1.2, now.feet
    end, middle = now.t + duration, FEET + _ADVANCE * (_ON_TOP - FEET)
    low, high = _low(edge, middle, 0.0), _high(edge, middle, 0.0)
    halfway = high._replace(hips=0.5 * (low.hips + high.hips), pitch=0.5 * (low.pitch + high.pitch))
    goal = _at_rest(now, end, halfway)
    moved = (
        phase
        for hand in now.hands
        for phase in (
            now.hold(hand, edge.strip, now.state.limbs[hand].p_W, now.t, now.t + 0.15),
            now.hold(hand, edge.strip, halfway.hands.place(edge, hand), now.t + 0.9, end + AFTER),
        )
    )
    phases = (now.keep(left, 0.5, goal), now.keep(right, 0.5, goal), *moved)
    return on_hands(now, "hands ahead", phases, goal, halfway.pitch, Bearing.LEANING, check=_hands_on)


def over_upper(now: Situation) -> Stage:
    """The weight goes over the upper foot and the hands."""
    return _shift(now, "over the upper foot", _over_upper(Edge.ahead_of(now)))


def lower_foot(now: Situation) -> Stage | None:
    """Before a high platform the lower foot steps to where it should be: nobody stops that exactly after a walk."""
    edge, (left, right) = Edge.ahead_of(now), now.feet
    off_W = edge.at(_LOWER_FOOT.ahead, _LOWER_FOOT.aside * side(now, right)) - now.state.limbs[right].p_W
    if edge.height < _STEEP or math.hypot(off_W[0], off_W[1]) < _NEAR_ENOUGH:
        return None
    return _step(now, right, left, _over_upper(edge), now.ground_below(right), _LOWER_FOOT, 1.2)


def further_over_upper(now: Situation) -> Stage | None:
    """The weight goes where the lower foot lets it."""
    return over_upper(now) if Edge.ahead_of(now).height >= _STEEP else None


def second_foot(now: Situation) -> Stage:
    """The right foot follows; the left one and the hands carry."""
    edge, (left, right) = Edge.ahead_of(now), now.feet
    posture = _high(edge, _ON_TOP - 0.02, 0.08, raised=0.03)
    return _step(now, right, left, posture, edge.platform, _SECOND_FOOT, 1.6)


def over_both(now: Situation) -> Stage:
    """The weight comes between the feet before the hands let go."""
    return _shift(now, "over both feet", _high(Edge.ahead_of(now), _ON_TOP - 0.01, 0.0, raised=0.03))


def stand(now: Situation) -> Stage:
    """Upright on top; the hands help at first."""
    duration = 1.8
    com_W = now.between_feet_W + now.forward(STAND_OFFSET, up=now.body.com_height)
    goal = now.at_rest(now.t + duration, com_W, 0.0)
    feet = (now.keep(foot, 0.5, goal) for foot in now.feet)
    return Stage(
        name="stand",
        duration=duration,
        phases=(*feet, *_holding(now, now.t + 0.3 * duration, _HANDS_AHEAD)),
        targets=straight(now, goal),
        bearing=Bearing.LEANING,
        bend=SPINE / _LEAN,
        upper_com_B=now.standing_upper_com_B,
        check=upright,
    )


def _shift(now: Situation, name: str, posture: _Posture) -> Stage:
    """The weight moves; feet and hands stay where they are."""
    end = now.t + 1.2
    goal = _at_rest(now, end, posture)
    phases = (*(now.keep(foot, 0.5, goal) for foot in now.feet), *_holding(now, end + AFTER, posture.hands))
    return on_hands(now, name, phases, goal, posture.pitch, Bearing.KNEELING)


def _step(
    now: Situation,
    moving: str,
    standing: str,
    posture: _Posture,
    region: ContactRegion,
    where: _Foothold,
    duration: float,
) -> Stage:
    """One foot goes to a place in a region; the other one and the hands carry."""
    edge, end = Edge.ahead_of(now), now.t + duration
    place_W, turn = edge.at(where.ahead, where.aside * side(now, moving)), where.outward * side(now, moving)
    place_W[2] = region.p_W[2]
    goal = _at_rest(now, end, posture, now.ankles_with(moving, place_W))
    phases = (
        now.keep(standing, 0.7, goal),
        now.leave(now.keep(moving, 0.3, goal), now.t + _LIFT * duration),
        now.land(moving, region, place_W, now.t + _LANDING * duration, end, 0.1, turn),
        *_holding(now, end + AFTER, posture.hands),
    )
    return on_hands(
        now,
        f"{moving} up" if region is edge.platform else f"{moving} nearer",
        phases,
        goal,
        posture.pitch,
        Bearing.KNEELING,
        check=lambda then: _stands_on(then, moving, region),
    )


def _holding(now: Situation, until: float, where: _Hands) -> list[ContactPhase]:
    edge = Edge.ahead_of(now)
    return keep_hands(now, edge.strip, lambda hand: where.place(edge, hand), until)


def _hands_on(now: Situation) -> str | None:
    if not all(now.state.limbs[hand].touching for hand in now.hands):
        return "a hand is not on the platform"
    return None


def _stands_on(now: Situation, foot: str, region: ContactRegion) -> str | None:
    limb = now.state.limbs[foot]
    if not limb.touching or limb.p_W[2] < region.p_W[2] - 0.05:
        return f"{foot} is not where it should stand"
    return None


def _facing_the_edge(stage: Callable[[Situation], Stage | None]) -> Callable[[Situation], Stage | None]:
    """The same stage, facing the edge: the feet that are turned out, one after the other, do not tell where it is."""

    @wraps(stage)
    def faced(now: Situation) -> Stage | None:
        return stage(replace(now, facing=Edge.ahead_of(now).heading))

    return faced


STAGES = tuple(
    _facing_the_edge(stage)
    for stage in (
        hands_on,
        over_lower,
        first_foot,
        hands_ahead,
        over_upper,
        lower_foot,
        further_over_upper,
        second_foot,
        over_both,
        stand,
    )
)
