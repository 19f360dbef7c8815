"""Climb stairs that are too high to walk up: hands ahead on the rails, one foot up, the body over it, the other foot.

As people climb steps as high as a seat: one at a time, from rest to rest, the second foot beside the first. The hands
move while both feet carry, first to before the step and then over it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.frb.rails import TOED_OUT
from hmpc.geometry import wrap_angle
from hmpc.tasks.approach import Approach
from hmpc.tasks.riser import LOWEST, Riser
from hmpc.tasks.situation import Scene, Situation
from hmpc.tasks.stand_up import STAND_OFFSET, upright
from hmpc.tasks.standing_foot import AFTER
from hmpc.tasks.straight import straight
from hmpc.tasks.task import Stage, Task, no_complaint

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.types import ContactPhase, TargetState

HIGHEST = 0.52  # [m] of a step: above, the shoulders come to the rails when the body leans over the first foot
SHALLOWEST = 0.44  # [m] of its tread: the knee that lifts the body comes so far forward
_BEFORE = -0.28  # [m] of the foot below from the edge: closer, its knee would catch it when it goes up
_FIRST = 0.135  # [m] of the foot that goes up first, beyond the edge: as near to it as the heel has ground
_LAST = 0.22  # [m] the same of the other one, at most: where it stands well before the next step
_ASIDE = 0.09  # [m] of the feet from the middle
_BEHIND, _INWARD = 0.05, 0.04  # [m] of the COM from the middle of the foot that bears most: above its ankle
_HANDS, _HANDS_OVER = 0.10, 0.40  # [m] of the hands beyond the edge, before the step and over it: always ahead of the
# shoulders, because an arm that passes the rail folds up and its forearm is caught there
_HIPS, _LEAN = 0.87, 0.3  # [m] above the lower foot, [rad] of a body that stands before the step
_MIDWAY_LEAN, _OVER_LEAN = 0.55, 0.6  # [rad] with a foot on it: hips behind the COM keep the knee off the next step
_RISEN, _RISEN_LEAN = 0.70, 0.4  # [m] of the hips above the tread, [rad] when the upper leg has lifted the body
_REACH_TIME, _SHIFT_TIME, _OVER_TIME, _UP_TIME, _RISE_TIME, _STAND_TIME = 1.2, 1.0, 1.4, 1.4, 1.6, 1.2  # [s] of stages
_LET_GO = 0.3  # [s] after which hands let go when the character stands on top
_REACH_AGAIN = 0.5  # [s] for a hand that has slipped off
_SEARCH = 0.25  # of the usual search for a plan: guesses in balance are nearly plans, and there are many to be made


def hands_ahead(riser: Riser) -> Stage:
    """The hands go ahead along the rails, the weight stays over the feet."""
    return _reach(riser, "hands ahead", _HANDS, _HIPS - riser.height, _LEAN)


def over_lower(riser: Riser) -> Stage:
    """The weight goes over the right foot."""
    return _shift(riser, "over the lower foot", riser.now.feet[1], _HANDS, _HIPS - riser.height, _LEAN, _SHIFT_TIME)


def first_foot(riser: Riser) -> Stage:
    """The left foot goes up while the right one and the hands carry."""
    left, right = riser.now.feet
    return _step(riser, left, right, _FIRST, _HANDS, _HIPS - riser.height, _LEAN, _UP_TIME)


def hands_over(riser: Riser) -> Stage:
    """The hands go ahead again, the weight halfway between the feet: the body could not pass below its hands."""
    return _reach(riser, "hands over the step", _HANDS_OVER, _HIPS, _MIDWAY_LEAN)


def over_upper(riser: Riser) -> Stage:
    """The weight goes over the upper foot, as high as the lower leg can push it."""
    return _shift(riser, "over the upper foot", riser.now.feet[0], _HANDS_OVER, _HIPS, _OVER_LEAN, _OVER_TIME)


def second_foot(riser: Riser) -> Stage:
    """The upper leg and the hands lift the body, and the right foot comes up beside the left one."""
    left, right = riser.now.feet
    ahead = min(max(riser.depth + _BEFORE, _FIRST), _LAST)
    return _step(riser, right, left, ahead, _HANDS_OVER, _RISEN, _RISEN_LEAN, _RISE_TIME)


def stand(now: Situation) -> Stage:
    """Upright; the hands let go."""
    com_W = now.between_feet_W + now.forward(STAND_OFFSET, up=now.body.com_height)
    goal = now.at_rest(now.t + _STAND_TIME, com_W, 0.0)
    feet = [now.keep(foot, 0.5, goal) for foot in now.feet]
    hands = [
        now.hold(hand, now.holds[hand], now.state.limbs[hand].p_W, now.t, now.t + _LET_GO) for hand in _holding(now)
    ]
    return Stage(
        name="stand",
        duration=_STAND_TIME,
        phases=(*feet, *hands),
        targets=straight(now, goal),
        upper_com_B=now.standing_upper_com_B,
        check=upright,
    )


def _reach(riser: Riser, name: str, ahead: float, hips: float, pitch: float) -> Stage:
    """Both hands move while the feet carry."""
    now, end = riser.now, riser.now.t + _REACH_TIME
    goal = riser.posture(end, riser.place_of(now.between_feet_W), hips, pitch, now.ankles_W, now.feet)
    held = [_hold(riser, hand, ahead, now.t, now.t + 0.1 * _REACH_TIME) for hand in _holding(now)]
    moved = [_hold(riser, hand, ahead, now.t + 0.8 * _REACH_TIME, end + AFTER) for hand in now.hands]
    feet = [now.keep(foot, 0.5, goal) for foot in now.feet]
    return _stage(name, now, (*feet, *held, *moved), goal)


def _shift(riser: Riser, name: str, over: str, hands: float, hips: float, pitch: float, duration: float) -> Stage:
    """The weight goes over one foot; feet and hands stay where they are."""
    now, end = riser.now, riser.now.t + duration
    goal = riser.posture(end, _beside_foot(riser, over), hips, pitch, now.ankles_W, now.feet)
    feet = [now.keep(foot, 0.85 if foot == over else 0.15, goal) for foot in now.feet]
    return _stage(name, now, (*feet, *_hands(riser, hands, end + AFTER)), goal)


def _beside_foot(riser: Riser, foot: str) -> tuple[float, float]:
    """[m] where the COM belongs when one foot bears most: a little inward and behind its middle."""
    ahead, left = riser.place_of(riser.now.state.limbs[foot].p_W)
    return ahead - _BEHIND, left - _INWARD * _side(riser.now, foot)


def _step(
    riser: Riser, moving: str, standing: str, ahead: float, hands: float, hips: float, pitch: float, duration: float
) -> Stage:
    """One foot goes up while the other one and the hands carry."""
    now, end = riser.now, riser.now.t + duration
    place_W = riser.at(ahead, _ASIDE * _side(now, moving))
    ankles_W = now.ankles_with(moving, place_W)
    goal = riser.posture(end, _beside_foot(riser, standing), hips, pitch, ankles_W, (standing,))
    phases = (
        now.keep(standing, 0.7, goal),
        now.leave(now.keep(moving, 0.3, goal), now.t + 0.15 * duration),
        now.land(moving, riser.tread, place_W, now.t + 0.9 * duration, end, 0.1),
        *_hands(riser, hands, end + AFTER),
    )
    return _stage(f"{moving} up", now, phases, goal, check=lambda then: _on(riser, then, moving))


def _on(riser: Riser, then: Situation, foot: str) -> str | None:
    limb = then.state.limbs[foot]
    if not limb.touching or limb.p_W[2] < riser.tread.p_W[2] - 0.5 * LOWEST:
        return f"{foot} is not on the step"
    return None


def _stage(
    name: str,
    now: Situation,
    phases: Iterable[ContactPhase],
    goal: TargetState,
    *,
    check: Callable[[Situation], str | None] = no_complaint,
) -> Stage:
    return Stage(
        name=name,
        duration=goal.t - now.t,
        phases=tuple(phases),
        targets=straight(now, goal),
        symmetric=False,
        needs_hands=True,
        effort=_SEARCH,
        check=check,
    )


def _holding(now: Situation) -> list[str]:
    """Hands that hold something now."""
    return [hand for hand in now.hands if hand in now.holds and now.state.limbs[hand].touching]


def _hands(riser: Riser, ahead: float, until: float) -> list[ContactPhase]:
    """Hands stay where they are; one that has slipped off takes hold again."""
    now = riser.now
    start = {hand: now.t if now.state.limbs[hand].touching else now.t + _REACH_AGAIN for hand in now.hands}
    return [_hold(riser, hand, ahead, t, until) for hand, t in start.items()]


def _hold(riser: Riser, hand: str, ahead: float, start: float, end: float) -> ContactPhase:
    """A hand on its rail, fingers across it."""
    now = riser.now
    phase = now.hold(hand, riser.rails[hand], riser.hold(hand, ahead), start, end)
    return replace(phase, yaw=now.heading + TOED_OUT * _side(now, hand))


def _side(now: Situation, limb: str) -> float:
    """1 left, -1 right."""
    return float(np.sign(now.body.limb(limb).root_B[1]))


def _refusal(now: Situation) -> str | None:
    riser = Riser.of(now)
    if riser is None:
        return "The character cannot climb stairs: there is no high step between two rails ahead of it."
    if riser.height > HIGHEST:
        return f"The character cannot climb stairs: {riser.height:.2f} m is too high, it tries up to {HIGHEST:.2f} m."
    if riser.depth < SHALLOWEST:
        room = f"a knee needs {SHALLOWEST:.2f} m"
        return f"The character cannot climb stairs: a tread of {riser.depth:.2f} m has too little room, {room}."
    return None


def _suits(scene: Scene) -> bool:
    """Whether there are high steps, and something to hold on to."""
    heights = sorted(float(region.p_W[2]) for region in scene.regions)
    return len(scene.handholds) > 1 and bool((np.diff(heights) > LOWEST).any())


def _approach(now: Situation) -> Approach:
    """Straight to before the edge, midway between the rails."""
    riser = Riser.of(now)
    if riser is None:  # in the middle of a step it may not be seen
        return Approach(0.0, 0.0, 0.0)
    ahead, left = riser.place_of(now.between_feet_W)
    turn = wrap_angle(float(np.arctan2(riser.into_W[1], riser.into_W[0])) - now.heading)
    return Approach(_BEFORE - ahead, -left, turn)


def _before_a_step(stage: Callable[[Riser], Stage]) -> Callable[[Situation], Stage | None]:
    """A stage where there is a step to climb; otherwise there is nothing to do."""

    def of(now: Situation) -> Stage | None:
        riser = Riser.of(now)
        return None if riser is None else stage(riser)

    return of


_STEP = (hands_ahead, over_lower, first_foot, hands_over, over_upper, second_foot)
CLIMB_STAIRS = Task(
    name="climb_stairs",
    description="climb stairs that are too high to walk up, with both hands on rails",
    stages=tuple(_before_a_step(stage) for stage in _STEP),
    again=lambda now: _refusal(now) is None,
    ending=(stand,),
    refusal=_refusal,
    suits=_suits,
    approach=_approach,
)
