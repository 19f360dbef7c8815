"""The stages of who lies on the ground: stretch, free the arms, roll over to the front, hands beside the chest.

The ground carries the body wherever it lies on it, which no floating rigid body describes: nothing is planned, the
joints go through named poses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.tasks.on_hands import side
from hmpc.tasks.task import Stage, no_complaint
from hmpc.types import Bearing

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.tasks.situation import Situation

_Poses = tuple[tuple[str, float], ...]  # with the seconds to get there

_STRETCH: _Poses = (("supine", 2.0),)
_HANDS_TO_CHEST: _Poses = (("hands raised", 0.8), ("prone", 0.6))
_TO_CHEST: _Poses = (("arms out", 1.5), *_HANDS_TO_CHEST)
_FROM_OVERHEAD: _Poses = (("arms out", 0.8), *_HANDS_TO_CHEST)
_ROLL: _Poses = (("leg raised", 0.9), ("leg across", 0.8), ("untwist", 0.8), ("rolled", 0.8), *_FROM_OVERHEAD)
_OFF_THE_RIGHT_ARM: _Poses = (("right arm overhead", 1.5), ("rolled", 1.0), *_FROM_OVERHEAD)
_OFF_THE_LEFT_ARM: _Poses = (("left arm overhead", 1.5), ("rolled to the left", 1.0), *_FROM_OVERHEAD)
_FLAT = 0.9  # sine of the slope of a body that lies on its front or back; part of its length of a stretched leg
_ON_A_SIDE = 0.5  # sine of the slope of the shoulders of a body that lies on the arm below
_PALM = 0.8  # cosine of the slope of a hand that can push, at least
_BESIDE = 0.15  # [m] of such a hand from the middle of the body, at least


def lie_flat(now: Situation) -> Stage | None:
    """Stretch out of the crouch in which a fall ends, usually on the side."""
    if _is_flat(now):
        return None
    poses = _STRETCH if now.state.body.R_WB[2, 0] > 0.0 else _onto_the_front(now)
    return _lying("lie flat", poses, no_complaint)


def roll_over(now: Situation) -> Stage | None:
    """From the back to the front: a leg and an arm swing across and take the trunk along. Who lies so need not."""
    if _face_down(now):
        return None
    return _lying("roll over", _ROLL, _came_over)


def free_hands(now: Situation) -> Stage | None:
    """Both palms on the ground beside the chest: who pushes up over a hand that is caught below it tips over it."""
    if _hands_are_ready(now) is None:
        return None
    return _lying("free the hands", _onto_the_front(now), lambda then: _came_over(then) or _hands_are_ready(then))


def _face_down(now: Situation) -> bool:
    """Whether the body lies on its front."""
    return bool(-now.state.body.R_WB[2, 0] > _FLAT)


def _came_over(now: Situation) -> str | None:
    return None if _face_down(now) else "the body did not come over"


def _hands_are_ready(now: Situation) -> str | None:
    """None if both palms are on the ground beside the chest."""
    lame = [hand for hand in now.hands if _is_caught(now, hand) or not now.state.limbs[hand].touching]
    return f"{lame[0]} is not flat on the ground" if lame else None


def _is_caught(now: Situation, hand: str) -> bool:
    """Whether the chest of who lies on its front lies on a hand, or keeps its palm from the ground."""
    limb, body = now.state.limbs[hand], now.state.body
    aside = side(now, hand) * body.R_WB[:, 1] @ (limb.p_W - body.com_W)
    return bool(limb.R_WL[2, 2] < _PALM or aside < _BESIDE)


def _onto_the_front(now: Situation) -> _Poses:
    """Off the arm below, over the head with it, and down onto the chest: who only stretches rolls onto that arm."""
    if now.state.body.R_WB[2, 0] > 0.0:
        return _ROLL
    below = _arm_below(now)
    if below is None:
        return _TO_CHEST
    return _OFF_THE_LEFT_ARM if below > 0.0 else _OFF_THE_RIGHT_ARM


def _arm_below(now: Situation) -> float | None:
    """On which it lies on its side, or that is caught under its front. 1 left, -1 right, None: neither, or both."""
    if _face_down(now):
        caught = [hand for hand in now.hands if _is_caught(now, hand)]
        return side(now, caught[0]) if len(caught) == 1 else None
    left_W = now.state.body.R_WB[:, 1]
    return -float(np.sign(left_W[2])) if abs(left_W[2]) > _ON_A_SIDE else None


def _lying(name: str, poses: _Poses, check: Callable[[Situation], str | None]) -> Stage:
    """From pose to pose, carried by the ground."""
    duration = sum(seconds for _, seconds in poses)
    return Stage(name=name, duration=duration, poses=poses, bearing=Bearing.LYING, check=check)


def _is_flat(now: Situation) -> bool:
    """On the front or on the back, with legs that are stretched."""
    assert now.body.leg is not None  # of a robot that does tasks
    lengths = [np.linalg.norm(now.roots_W[foot] - ankle) for foot, ankle in zip(now.feet, now.ankles_W, strict=True)]
    return bool(
        abs(now.state.body.R_WB[2, 0]) > _FLAT and min(lengths) > _FLAT * (now.body.leg.thigh + now.body.leg.shank)
    )
