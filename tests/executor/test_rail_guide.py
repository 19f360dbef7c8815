"""Walking beside rails."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.executor.rail_guide import along_rails
from hmpc.geometry import rotation_zyx
from hmpc.params import GuideParams
from hmpc.types import Command, ContactRegion

PARAMS = GuideParams()
FORWARD = Command(velocity_H=np.array([0.6, 0.0]))


def rail(y: float, yaw: float = 0.0, pitch: float = -0.5) -> ContactRegion:
    return ContactRegion(
        p_W=np.array([0.0, y, 0.9]), R_WR=rotation_zyx(yaw, pitch, 0.0), half_extent=np.array([2.0, 0.0])
    )


BOTH = (rail(0.4), rail(-0.4))


def guided(y: float, heading: float, rails: tuple[ContactRegion, ...] = BOTH, x: float = 0.0) -> Command:
    return along_rails(FORWARD, np.array([x, y, 1.0]), heading, rails, PARAMS)


def test_in_the_middle_nothing_is_corrected() -> None:
    command = guided(0.0, 0.0)
    assert command.velocity_H == pytest.approx(FORWARD.velocity_H)
    assert command.yaw_rate == pytest.approx(0.0)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_leads_back_to_the_middle_and_straight_on(side: float) -> None:
    assert side * guided(0.1 * side, 0.0).velocity_H[1] < -0.03
    assert side * guided(0.0, 0.1 * side).yaw_rate < -0.05


def test_one_rail_is_kept_at_its_distance() -> None:
    assert guided(0.0, 0.0, (rail(PARAMS.distance),)).velocity_H[1] == pytest.approx(0.0)
    assert guided(0.0, 0.0, (rail(PARAMS.distance + 0.1),)).velocity_H[1] > 0.03


def test_a_rail_that_is_laid_the_other_way_round_is_the_same() -> None:
    turned = (rail(0.4, np.pi, 0.5), rail(-0.4, np.pi, 0.5))
    assert guided(0.1, 0.1, turned).yaw_rate == pytest.approx(guided(0.1, 0.1).yaw_rate)


@pytest.mark.parametrize("elsewhere", [(rail(3.0),), (rail(0.4, np.pi / 2),), ()])
def test_other_rails_do_not_lead(elsewhere: tuple[ContactRegion, ...]) -> None:
    assert guided(0.1, 0.1, elsewhere) is FORWARD


def test_rails_far_ahead_do_not_lead_yet() -> None:
    assert guided(0.1, 0.1, x=-4.0) is FORWARD
