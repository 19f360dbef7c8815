"""What the stages of a body have in common that leans on its hands, on the ground or on a platform."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.tasks.straight import straight
from hmpc.tasks.task import Stage, no_complaint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hmpc.tasks.situation import Situation
    from hmpc.types import Array, Bearing, ContactPhase, ContactRegion, TargetState

SPINE = 2.7  # bend of the spine times the lean of the body [rad]: nearly all that it can
_REACH_AGAIN = 0.5  # [s] for a hand that has slipped off


def on_hands(
    now: Situation,
    name: str,
    phases: Iterable[ContactPhase],
    goal: TargetState,
    pitch: float,
    bearing: Bearing,
    *,
    pose: str = "stand",
    symmetric: bool = False,
    check: Callable[[Situation], str | None] = no_complaint,
) -> Stage:
    """Straight to the goal, where the body leans by `pitch` [rad], with a back that bends as far as it can."""
    return Stage(
        name=name,
        duration=goal.t - now.t,
        phases=tuple(phases),
        targets=straight(now, goal),
        bearing=bearing,
        pose=pose,
        bend=SPINE / pitch,
        symmetric=symmetric,
        needs_hands=True,
        check=check,
    )


def keep_hands(
    now: Situation, region: ContactRegion, place_W: Callable[[str], Array], until: float
) -> list[ContactPhase]:
    """Hands stay where they are; one that has slipped off is put to its place again."""
    starts = {hand: now.t if now.state.limbs[hand].touching else now.t + _REACH_AGAIN for hand in now.hands}
    return [now.hold(hand, region, place_W(hand), start, until) for hand, start in starts.items() if start < until]


def side(now: Situation, limb: str) -> float:
    """1 left, -1 right."""
    return float(np.sign(now.body.limb(limb).root_B[1]))
