"""The trunk leans forward before high steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hmpc.frb.lean import lean_into_climb
from hmpc.params import FrbParams
from hmpc.types import FootstepPlan

Gait = Callable[..., FootstepPlan]
PARAMS = FrbParams()


def climbing(gait: Gait, rises: list[float]) -> FootstepPlan:
    """The gait with feet that rise from one to the next."""
    footsteps = gait(0.6)
    feet = footsteps.foot_W.copy()
    feet[:, 2] = np.cumsum([0.0, *rises])[: len(feet)]
    return replace(footsteps, foot_W=feet)


def test_upright_on_level_ground_on_low_steps_and_downwards(gait: Gait) -> None:
    for rise in (0.0, 0.2, -0.4):
        assert not lean_into_climb(climbing(gait, [rise] * 6), PARAMS).any()


def test_higher_steps_need_more_up_to_a_limit(gait: Gait) -> None:
    leans = [lean_into_climb(climbing(gait, [rise] * 6), PARAMS)[0] for rise in (0.30, 0.35, 2.0)]
    assert 0.0 < leans[0] < leans[1] < leans[2] == pytest.approx(PARAMS.most_lean)


def test_the_next_plan_begins_with_what_this_one_intends(gait: Gait) -> None:
    rises = [0.0, 0.35, 0.35, 0.0, 0.0, 0.0, 0.0]
    now, next_step = (lean_into_climb(climbing(gait, rises[k:]), PARAMS) for k in (0, 1))
    assert next_step[0] == pytest.approx(now[1])
    assert now[0] < now[1] > now[3] == 0.0
