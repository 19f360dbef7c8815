"""Feet that come down toes first: how far they point, and where they stand once they lie flat."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hmpc.executor.toes import laid_flat, pointed_toes
from hmpc.geometry import rotation_zyx
from hmpc.params import SwingParams
from hmpc.types import ContactRegion, LimbState

PARAMS = SwingParams()
HALF_LENGTH = 0.13  # [m]
FOOTHOLD = np.array([0.3, 0.0, 0.0])


def region(pitch: float = 0.0) -> ContactRegion:
    return ContactRegion(p_W=FOOTHOLD, R_WR=rotation_zyx(0.0, pitch, 0.0), half_extent=[2.0, 2.0])


@pytest.mark.parametrize(("drop", "share"), [(-0.2, 0.0), (0.0, 0.0), (0.1, 0.5), (0.2, 1.0), (0.3, 1.0)])
def test_toes_point_the_more_the_further_down_a_step_leads(drop: float, share: float) -> None:
    assert pointed_toes(np.array([0.0, 0.2, drop]), FOOTHOLD, region(), PARAMS) == pytest.approx(share)


def test_a_slope_under_both_feet_is_no_step_down() -> None:
    pitch = 0.25
    uphill_W = FOOTHOLD - 0.4 * rotation_zyx(0.0, pitch, 0.0)[:, 0]
    assert uphill_W[2] > 0.05
    assert pointed_toes(uphill_W, FOOTHOLD, region(pitch), PARAMS) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("pitch", [0.4, -0.1])
def test_a_foot_lies_down_about_the_edge_that_touches(pitch: float) -> None:
    edge = math.copysign(HALF_LENGTH, pitch)  # toes if the heel is up
    R_WL = rotation_zyx(0.0, pitch, 0.0)
    foot = LimbState(
        p_W=np.array([1.0, 0.1, 0.0]) - edge * R_WL[:, 0],
        R_WL=R_WL,
        vel_W=np.zeros(3),
        omega_W=np.zeros(3),
        touching=True,
        normal_W=np.array([0.0, 0.0, 1.0]),
        force_W=np.zeros(3),
    )
    np.testing.assert_allclose(laid_flat(foot, HALF_LENGTH), [1.0 - edge, 0.1, 0.0], atol=1e-12)
