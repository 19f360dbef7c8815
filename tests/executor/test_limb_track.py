"""When a limb that reaches for a place has arrived there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.executor.limb_track import LimbTrack
from hmpc.params import ExecutorParams
from hmpc.types import ContactPhase, ContactRegion, RobotState

FOOT = "right_foot"
PLACE = np.array([0.5, -0.1, 0.0])
ARRIVAL, END = 1.0, 2.0  # [s]
GROUND = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.ones(2))
LANDING = ContactPhase(
    limb=FOOT,
    t_start=ARRIVAL,
    t_end=END,
    cop_W=PLACE[None],
    f_l=np.zeros(2),
    f_r_W=np.zeros((2, 3)),
    region=GROUND,
    center_W=PLACE,
)


@pytest.mark.parametrize(
    ("t", "before", "carries"),
    [(0.3, 0.0, False), (0.8, 0.02, True), (0.8, 0.2, False), (1.01, 0.2, True)],
    ids=["too early", "a little early", "at an edge on the way", "late and elsewhere"],
)
def test_a_foot_has_arrived_that_touches_where_it_should_or_has_no_time_left(
    seen: Callable[..., RobotState], t: float, before: float, carries: bool
) -> None:
    track = LimbTrack(FOOT, [LANDING], seen(t=0.0), END, True, ExecutorParams())
    track.advance(seen(t=t, right_foot={"p_W": PLACE - [before, 0.0, 0.0], "touching": True}), stretched=False)
    assert track.carries is carries
