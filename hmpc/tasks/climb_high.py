"""Onto a platform that is too high for a foot: chest down on it, slide over the edge, knees after it, and get up.

Hands and feet take the body over the edge as planned. Then the platform carries the chest wherever it lies, which no
floating rigid body describes: the joints go through named poses, and motors and friction do the rest. Who lies on
top gets up as from the ground.
"""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.tasks.climb_low import FEET
from hmpc.tasks.edge import Edge
from hmpc.tasks.get_up import GET_UP
from hmpc.tasks.on_hands import keep_hands, on_hands, side
from hmpc.tasks.standing_foot import AFTER
from hmpc.tasks.task import Stage
from hmpc.types import Bearing

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.tasks.situation import Situation
    from hmpc.types import Array

HIGHEST = 0.8  # [m] of a platform: above, straight legs do not push the chest over its edge
_HANDS = (0.15, 0.2)  # [m] beyond the edge, and to the side
_DROP = 0.25  # [m] of the COM below the platform, at which the body has fallen off it
_ON_TOP = 0.13  # [m] of the hips beyond the edge, from where the knees can follow
_KNEES_ON_TOP = 0.05  # [m] of the knees, from where they can carry
_FEET_ON_TOP = 0.40  # [m] of the knees, from where no foot that comes forward is caught behind the edge

_LIE = (("over the edge", 1.4), ("legs behind", 0.6))
_SLIDE = (("push off", 0.18), ("kick back", 0.1), ("legs folded", 0.2), ("arms aside", 0.7))
_TUCK = (("hands under", 0.6), ("tuck", 0.08), ("untuck", 0.22), ("arms aside", 0.6))


class _Bow(NamedTuple):
    """Where a body comes to rest that leans over the edge, on feet and hands."""

    ahead: float  # [m] of the COM, from the edge
    hips: float  # [m] above the platform, and ...
    highest: float  # [m] ... above the ground, at most
    pitch: float  # [rad] lean of the body
    duration: float  # [s]


_HANDS_ON = _Bow(FEET + 0.05, 0.12, 0.90, 1.0, 1.5)
_OVER = _Bow(-0.10, 0.14, 0.88, 1.2, 1.2)


def hands_on(now: Situation) -> Stage:
    """Bend over and put the hands on the platform; the weight stays over the feet."""
    return replace(_bow(now, "hands on", _HANDS_ON), bearing=Bearing.LEANING, check=_hands_on)


def over_the_edge(now: Situation) -> Stage:
    """The weight goes between feet and hands, until the chest is close above the platform."""
    return _bow(now, "over the edge", _OVER)


def lie_down(now: Situation) -> Stage:
    """The chest comes down on the platform, the legs are stretched behind it."""
    return _posed("chest down", _LIE)


def slide(now: Situation) -> Stage:
    """The feet push off and the legs go up behind, the hands pull the chest along."""
    return replace(_posed("slide", _SLIDE), check=_hips_on_top)


def tuck(now: Situation) -> Stage:
    """The hips bend at once, which takes the knees over the edge; the body stretches over them."""
    return replace(_posed("tuck", _TUCK), check=_knees_on_top)


def further(now: Situation) -> Stage | None:
    """The same once more, until the feet are on top, too."""
    return _posed("tuck again", _TUCK) if _knees_beyond(now) < _FEET_ON_TOP else None


def _bow(now: Situation, name: str, bow: _Bow) -> Stage:
    edge, end = Edge.ahead_of(now), now.t + bow.duration
    com_W = edge.com(bow.ahead, 0.0, min(edge.height + bow.hips, bow.highest), bow.pitch)
    goal = now.at_rest(end, com_W, bow.pitch)
    ahead, aside = _HANDS

    def place_W(hand: str) -> Array:
        return edge.at(ahead, aside * side(now, hand))

    if any(now.state.limbs[hand].touching for hand in now.hands):
        hands = keep_hands(now, edge.strip, place_W, end + AFTER)
    else:
        landing = now.t + 0.8 * bow.duration
        hands = [now.hold(hand, edge.strip, place_W(hand), landing, end + AFTER) for hand in now.hands]
    phases = (*(now.keep(foot, 0.5, goal) for foot in now.feet), *hands)
    return on_hands(now, name, phases, goal, bow.pitch, Bearing.LYING, pose="look ahead", symmetric=True)


def _posed(name: str, poses: tuple[tuple[str, float], ...]) -> Stage:
    return Stage(name=name, duration=sum(seconds for _, seconds in poses), poses=poses, bearing=Bearing.LYING)


def _hands_on(now: Situation) -> str | None:
    if not all(now.state.limbs[hand].touching for hand in now.hands):
        return "a hand is not on the platform"
    return None


def _beyond(now: Situation, p_W: Array) -> float:
    """[m] of a point beyond the nearest edge of the platform."""
    platform = Edge.ahead_of(now).platform
    return float(np.min(platform.half_extent - np.abs(platform.R_WR.T @ (p_W - platform.p_W))[:2]))


def _hips_on_top(now: Situation) -> str | None:
    return None if _beyond(now, now.hips_W) > _ON_TOP else "the hips did not come over the edge"


def _knees_beyond(now: Situation) -> float:
    return min(_beyond(now, now.state.limbs[knee].p_W) for knee in now.knees)


def _knees_on_top(now: Situation) -> str | None:
    return None if _knees_beyond(now) > _KNEES_ON_TOP else "the knees did not come over the edge"


def _at_the_edge(stage: Callable[[Situation], Stage | None]) -> Callable[[Situation], Stage | None]:
    """The same stage, facing the edge, from which the body can fall."""

    @wraps(stage)
    def faced(now: Situation) -> Stage | None:
        return _above_the_ground(stage)(replace(now, facing=Edge.ahead_of(now).heading))

    return faced


def _above_the_ground(stage: Callable[[Situation], Stage | None]) -> Callable[[Situation], Stage | None]:
    """The same stage, but who drops off the platform has fallen."""

    @wraps(stage)
    def watched(now: Situation) -> Stage | None:
        found, edge = stage(now), Edge.ahead_of(now)
        return None if found is None else replace(found, floor=edge.ground + edge.height - _DROP)

    return watched


STAGES = (
    *(_at_the_edge(stage) for stage in (hands_on, over_the_edge, lie_down, slide, tuck, further)),
    *(_above_the_ground(stage) for stage in GET_UP.stages),
)
