"""Stand up from a seat: lean forward and take hold of what is there, then rise (Sec. 5.2)."""

from __future__ import annotations

import math

import numpy as np

from hmpc.geometry import rotation_zyx
from hmpc.tasks.handholds import reachable_handholds
from hmpc.tasks.situation import Scene, Situation
from hmpc.tasks.standing_foot import AFTER
from hmpc.tasks.straight import straight
from hmpc.tasks.task import Stage, Task

LEAN = 0.75  # [rad] of the body, with which the COM comes over the feet while the hips are still on the seat
BEHIND = 0.05  # [m] of the COM behind the middle of the feet, then
STAND_OFFSET = -0.01  # [m] of the COM before the middle of the feet, standing
_LEAN_TIME, _RISE_TIME = 1.1, 1.4  # [s]
_REACH_TIME = 0.5  # [s] after which hands are expected at their holds
_LET_GO = 0.7  # of the rise, after which hands are expected to let go
_HEEL_MARGIN = 0.02  # [m] of the COM inside the soles, without which nobody gets off a seat
_UPRIGHT = 0.93  # of the standing COM height
_MAX_TILT = 0.25  # [rad]


def lean(now: Situation) -> Stage:
    """The COM comes over the feet; hands take hold."""
    end = now.t + _LEAN_TIME
    com_W = now.between_feet_W + now.forward(-BEHIND)
    com_W[2] = np.nan
    goal = now.at_rest(end, com_W, LEAN)
    holds = reachable_handholds(now, shoulders_when(now, LEAN))
    return Stage(
        name="lean",
        duration=_LEAN_TIME,
        phases=(
            *(now.keep(foot, 0.42, goal) for foot in now.feet),
            now.keep_seat(end),
            *(now.hold(hand, hold.region, hold.p_W, now.t + _REACH_TIME, end + AFTER) for hand, hold in holds.items()),
        ),
        targets=(goal,),
        arms="lap",
        check=over_the_feet,
    )


def rise(now: Situation) -> Stage:
    """Upright on the feet alone; hands help as long as they reach."""
    end = now.t + _RISE_TIME
    com_W = now.between_feet_W + now.forward(STAND_OFFSET, up=now.body.com_height)
    goal = now.at_rest(end, com_W, 0.0)
    holding = [hand for hand in now.hands if hand in now.holds and now.state.limbs[hand].touching]
    return Stage(
        name="rise",
        duration=_RISE_TIME,
        phases=(
            *(now.keep(foot, 0.5, goal) for foot in now.feet),
            now.keep_seat(end),
            *(
                now.hold(hand, now.holds[hand], now.state.limbs[hand].p_W, now.t, now.t + _LET_GO * _RISE_TIME)
                for hand in holding
            ),
        ),
        targets=straight(now, goal),
        check=upright,
    )


def shoulders_when(now: Situation, pitch: float) -> dict[str, np.ndarray]:
    """Where the shoulders will be when the body leans over the hips that it has now."""
    R = rotation_zyx(now.heading, pitch, 0.0)
    hips_B = np.mean([now.body.limb(foot).root_B for foot in now.feet], axis=0)
    return {hand: now.hips_W + R @ (now.body.limb(hand).root_B - hips_B) for hand in now.hands}


def over_the_feet(now: Situation) -> str | None:
    behind = float((now.state.body.com_W - now.between_feet_W) @ now.forward(-1.0))
    half_length = float(now.body.limb(now.feet[0]).half_extent[0])
    if behind > half_length - _HEEL_MARGIN:
        return "the weight did not come over the feet"
    return None


def upright(now: Situation) -> str | None:
    body = now.state.body
    height = (body.com_W - now.between_feet_W)[2] / now.body.com_height
    if height < _UPRIGHT or math.acos(min(float(body.R_WB[2, 2]), 1.0)) > _MAX_TILT:
        return f"the body is at {100 * height:.0f} % of its standing height"
    return None


def _refusal(now: Situation) -> str | None:
    if not now.is_loaded(now.seat):
        return "The character cannot stand up: it does not sit."
    return None


def _has_seat(scene: Scene) -> bool:
    return bool(scene.seats)


STAND_UP = Task(
    name="stand_up",
    description="stand up from a seat, with the help of what is in reach of the hands",
    stages=(lean, rise),
    refusal=_refusal,
    suits=_has_seat,
)
