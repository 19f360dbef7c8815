"""Climb onto the platform ahead: with hands and feet, or over the edge on the chest where it is too high for a foot."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from hmpc.geometry import wrap_angle
from hmpc.tasks import climb_high, climb_low
from hmpc.tasks.approach import Approach
from hmpc.tasks.edge import Edge, has_platform
from hmpc.tasks.task import Stage, Task

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.tasks.situation import Situation

HIGHEST = climb_high.HIGHEST  # [m] of a platform
_NEAR = 0.02  # [m] one of the last, creeping steps of the walk there, which leads straight at the edge


def _refusal(now: Situation) -> str | None:
    edge = Edge.of(now)
    if edge is None:
        return "The character cannot climb: nothing around it is too high to walk onto."
    if edge.height > HIGHEST:
        return f"The character cannot climb: {edge.height:.2f} m is too high, it tries up to {HIGHEST:.2f} m."
    if edge.distance < 0.0:
        return "The character stands on the platform already."
    return None


def _approach(now: Situation) -> Approach:
    """Straight at the edge, wherever along it."""
    edge = Edge.ahead_of(now)
    turn = wrap_angle(edge.heading - now.heading)
    way_W = (edge.distance + climb_low.FEET) * edge.into_W
    return Approach(float(way_W @ now.forward(1.0)), float(way_W @ now.forward(0.0, 1.0)), turn, _NEAR)


def _only(stage: Callable[[Situation], Stage | None], *, high: bool) -> Callable[[Situation], Stage | None]:
    """The same stage, left out on the other way up."""

    @wraps(stage)
    def chosen(now: Situation) -> Stage | None:
        return stage(now) if (Edge.ahead_of(now).height > climb_low.HIGHEST) == high else None

    return chosen


CLIMB = Task(
    name="climb",
    description="climb onto the platform ahead with hands and feet",
    stages=(
        *(_only(stage, high=False) for stage in climb_low.STAGES),
        *(_only(stage, high=True) for stage in climb_high.STAGES),
    ),
    refusal=_refusal,
    suits=has_platform,
    approach=_approach,
)
