"""Targets on the straight way to a goal: where hands hold on, detours of the body cost them their hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.executor.smoothing import quintic
from hmpc.geometry import rotation_error, rotation_exp
from hmpc.types import TargetState

if TYPE_CHECKING:
    from hmpc.tasks.situation import Situation

_TIME = 0.25  # [s] between two targets: short against the time in which a body falls
_WEIGHT = 0.5  # of such a target against the goal


def straight(now: Situation, goal: TargetState) -> tuple[TargetState, ...]:
    """Where the body is on its way, and the goal, from rest to rest."""
    body = now.state.body
    assert goal.com_W is not None and goal.R_WB is not None  # or there is no way
    turn_W = rotation_error(goal.R_WB, body.R_WB)
    count = max(round((goal.t - now.t) / _TIME), 1)
    ways = [(k / count, quintic(k / count)[0]) for k in range(1, count)]
    return *(
        TargetState(
            t=now.t + u * (goal.t - now.t),
            com_W=body.com_W + s * (goal.com_W - body.com_W),
            R_WB=rotation_exp(s * turn_W) @ body.R_WB,
            weight=_WEIGHT,
        )
        for u, s in ways
    ), goal
