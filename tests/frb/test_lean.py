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
        assert not lean_into_climb(climbing(gait, [rise] * 6), rise, PARAMS).any()


def test_higher_steps_need_more_up_to_a_limit(gait: Gait) -> None:
    leans = [lean_into_climb(climbing(gait, [rise] * 6), rise, PARAMS)[0] for rise in (0.30, 0.35, 2.0)]
    assert 0.0 < leans[0] < leans[1] < leans[2] == pytest.approx(PARAMS.most_lean)


def test_the_next_plan_begins_with_what_this_one_intends(gait: Gait) -> None:
    rises = [0.0, 0.35, 0.35, 0.0, 0.0, 0.0, 0.0]
    for k in range(3):
        risen = [0.0, *rises][k:]
        now, after = (lean_into_climb(climbing(gait, rises[k + i :] + [0.0] * 4), risen[i], PARAMS) for i in (0, 1))
        assert after[:3] == pytest.approx(now[1:4])


def test_the_trunk_stays_forward_until_the_last_high_step_is_done(gait: Gait) -> None:
    leans = lean_into_climb(climbing(gait, [0.0, 0.35, 0.35, 0.0, 0.0, 0.0]), 0.0, PARAMS)
    most = leans.max()
    assert leans[:5] == pytest.approx([0.5 * most, most, most, most, 0.0])
