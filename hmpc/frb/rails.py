"""Hands on rails while walking: which place on the rail, and when (Secs. 3.2.2 and 5.1).

A hand moves in unison with the foot of the other side: its stay on the rail is that foot's stay on the ground. It
begins with zero force, so that the plan is at first that of the feet alone; what the hands bear is for the search to
find out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.geometry import rotation_z, rotation_zyx
from hmpc.types import ContactPhase

if TYPE_CHECKING:
    from hmpc.types import Array, BodyModel, ContactRegion, FootstepPlan, LimbModel

SHORTEST_RAIL = 1.0  # [m] a shorter bar is let go of before it has helped
_END = 0.06  # [m] between the middle of a hand and the end of a rail
_COMFORT = (0.80, 0.90, 0.95)  # of an arm's reach, within which a hold must be at the start, middle and end of its use
_BELOW = 0.22  # [m] of a hold under the shoulder when it is let go of: higher, the elbow would stick out
TOED_OUT = (
    0.9  # [rad] by which fingers point outwards, across the rail: so far that the elbow stays on the inner side of it
)
_SHARES = (0.1, 0.2, 0.3)  # of a foot's load, that guesses give to the hand of the other side


class Hold(NamedTuple):
    """A place on a rail that a hand holds, or is about to."""

    region: ContactRegion
    p_W: Array  # (3,) [m]


class Hands(NamedTuple):
    """What the hands of a walker can do."""

    rails: Sequence[ContactRegion]
    holding: Mapping[str, Hold]  # hands that are on a rail, or on their way to it


def rails_among(handholds: Sequence[ContactRegion]) -> tuple[ContactRegion, ...]:
    """The handholds that a walker can use: bars that are long enough."""
    return tuple(
        hold for hold in handholds if hold.half_extent[1] == 0.0 and 2.0 * hold.half_extent[0] >= SHORTEST_RAIL
    )


def hand_phases(
    feet: Sequence[ContactPhase],
    footsteps: FootstepPlan,
    hands: Hands,
    body: BodyModel,
    pitch: Array,
) -> tuple[ContactPhase, ...]:
    """A stay on a rail for every stay of a foot on the ground, where the hand of the other side finds a hold.

    The trunk leans forward by `pitch` (K + 1,) [rad] between the footsteps. A hand whose foot stands already is where
    it holds on, or it has missed this time.
    """
    found = []
    for foot in feet:
        hand = _opposite_hand(body, foot.limb)
        if hand is None:
            continue
        hold = hands.holding.get(hand.name) if foot.fixed else _hold_for(foot, hand, footsteps, hands.rails, pitch)
        if hold is not None:
            found.append(_stay(hand, hold, foot))
    return tuple(found)


def _opposite_hand(body: BodyModel, foot: str) -> LimbModel | None:
    side = body.limb(foot).root_B[1]
    hands = [limb for limb in body.limbs if limb.is_hand and limb.root_B[1] * side < 0.0]
    return hands[0] if hands else None


def _hold_for(
    foot: ContactPhase, hand: LimbModel, footsteps: FootstepPlan, rails: Sequence[ContactRegion], pitch: Array
) -> Hold | None:
    """The foremost place that is within reach of the shoulder during the whole of the foot's stay."""
    t = np.array([*footsteps.t_start, footsteps.t_end[-1]])
    times = np.linspace(foot.t_start, min(foot.t_end, t[-1]), len(_COMFORT))
    com_W = np.array([[np.interp(time, t, footsteps.com_W[:, axis]) for axis in range(3)] for time in times])
    R_WH = rotation_z(foot.yaw)
    leaning = [rotation_zyx(foot.yaw, float(np.interp(time, t, pitch)), 0.0) for time in times]
    shoulder_W = com_W + np.array([R_WB @ hand.root_B for R_WB in leaning])
    outward_W = np.sign(hand.root_B[1]) * R_WH[:, 1]
    best: tuple[float, Hold] | None = None
    for rail in rails:
        p_W = _foremost(rail, shoulder_W, R_WH[:, 0], np.array(_COMFORT) * hand.reach)
        if p_W is None or (p_W - com_W[1]) @ outward_W < 0.0 or shoulder_W[-1, 2] - p_W[2] < _BELOW:
            continue
        distance = float(np.linalg.norm(p_W - shoulder_W[1]))
        if best is None or distance < best[0]:
            best = distance, Hold(rail, p_W)
    return best[1] if best else None


def _foremost(rail: ContactRegion, shoulder_W: Array, forward_W: Array, reach: Array) -> Array | None:
    """The point of a rail furthest ahead that is within `reach` (n,) of n places of a shoulder, if there is one.

    Each place reaches a stretch of the rail; what they have in common is the hand's choice.
    """
    direction = rail.R_WR[:, 0] * (1.0 if rail.R_WR[:, 0] @ forward_W >= 0.0 else -1.0)
    offset = shoulder_W - rail.p_W
    along = offset @ direction
    squared = reach**2 - (np.einsum("ij,ij->i", offset, offset) - along**2)
    if squared.min() < 0.0:
        return None
    room = rail.half_extent[0] - _END
    first = max(float((along - np.sqrt(squared)).max()), -room)
    last = min(float((along + np.sqrt(squared)).min()), room)
    return rail.p_W + last * direction if first <= last else None


def shared_loads(phases: Sequence[ContactPhase], body: BodyModel) -> tuple[tuple[ContactPhase, ...], ...]:
    """Guesses in which each hand bears more and more of the load of the foot that it goes with.

    Two opposite forces along the line between a hand and a foot change neither the motion nor the rotation of the
    body, so what the one bears, the other does not have to: f_hand = s (p_h - p_f) / (p_h - p_f)_z = -Δf_foot.
    """
    partners = {
        i: j
        for i, hand in enumerate(phases)
        for j, foot in enumerate(phases)
        if (limb := _opposite_hand(body, foot.limb)) is not None
        and body.limb(foot.limb).is_foot
        and limb.name == hand.limb
        and hand.t_start < foot.t_end
        and foot.t_start < hand.t_end
    }
    guesses = []
    for share in _SHARES if partners else ():
        guess = list(phases)
        for i, j in partners.items():
            hand, foot = phases[i], phases[j]
            line_W = hand.cop_W[0] - foot.cop_W[0]
            load = share * foot.f_l
            guess[i] = replace(hand, f_r_W=load[:, None] * line_W / line_W[2])
            guess[j] = replace(foot, f_r_W=foot.f_r_W - guess[i].f_r_W)
        guesses.append(tuple(guess))
    return tuple(guesses)


def _stay(hand: LimbModel, hold: Hold, foot: ContactPhase) -> ContactPhase:
    """Of a hand, as long as that of a foot."""
    return ContactPhase(
        limb=hand.name,
        t_start=foot.t_start,
        t_end=foot.t_end,
        cop_W=hold.p_W[None],
        f_l=np.zeros_like(foot.f_l),
        f_r_W=np.zeros_like(foot.f_r_W),
        region=hold.region,
        center_W=hold.p_W,
        yaw=foot.yaw + float(np.sign(hand.root_B[1])) * TOED_OUT,
        fixed=foot.fixed,
    )
