from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hmpc.errors import InputError
from hmpc.frb.phases import PhaseCodec, shift_phases
from hmpc.frb.planner import FrbProblem
from hmpc.frb.table import NONE, limb_axes
from hmpc.geometry import rotation_zyx
from hmpc.params import FrbParams
from hmpc.types import BodyModel, ContactPhase, ContactRegion

Phase = Callable[..., ContactPhase]
RAIL = ContactRegion(p_W=[0.5, 0.4, 1.0], R_WR=rotation_zyx(0.0, -0.5, 0.0), half_extent=[1.0, 0.0], bilateral=True)


@pytest.fixture
def mixed(phase: Phase, floor: ContactRegion) -> list[ContactPhase]:
    """Phases of every kind, with different numbers of control points."""
    return [
        phase(t_start=-0.3, t_end=0.4),
        phase(limb="right_foot", t_start=0.3, t_end=2.0, fixed=False, cop_W=[[0.3, -0.1, 0.0]] * 3, yaw=0.3),
        phase(
            limb="left_hand",
            t_start=0.2,
            t_end=0.9,
            fixed=False,
            region=RAIL,
            cop_W=[RAIL.p_W],
            center_W=RAIL.p_W,
            f_l=np.zeros(3),
            f_r_W=np.zeros((3, 3)),
        ),
    ]


def assert_same(a: ContactPhase, b: ContactPhase) -> None:
    for name in ("t_start", "t_end", "cop_W", "f_l", "f_r_W", "center_W"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-9, err_msg=name)
    assert (a.limb, a.fixed, a.yaw, a.region) == (b.limb, b.fixed, b.yaw, b.region)


def test_vector_to_plan_and_back(mixed: list[ContactPhase], body: BodyModel, params: FrbParams) -> None:
    codec = PhaseCodec(mixed, 1.2, body, params)
    u = np.random.default_rng(0).standard_normal(codec.dimension)
    phases = codec.phases(codec.decode(u[None])[0])
    np.testing.assert_allclose(codec.encode(phases), u, atol=1e-9)
    for again, once in zip(codec.phases(codec.row(phases)), phases, strict=True):
        assert_same(again, once)


def test_zero_is_the_guess(mixed: list[ContactPhase], body: BodyModel, params: FrbParams) -> None:
    codec = PhaseCodec(mixed, 1.2, body, params)
    for found, guess in zip(codec.phases(codec.decode(np.zeros((1, codec.dimension)))[0]), mixed, strict=True):
        assert_same(replace(found, center_W=guess.center_W), guess)


def test_search_moves_only_what_is_free(mixed: list[ContactPhase], body: BodyModel, params: FrbParams) -> None:
    codec = PhaseCodec(mixed, 1.2, body, params)
    foot = 2 * 2 + 2 * 4  # two COP points on a plane, two forces
    assert codec.dimension == (1 + foot) + (1 + foot + 2) + (2 + 1 + 3 * 3)
    held, landing, hand = codec.phases(codec.decode(np.ones((1, codec.dimension)))[0])
    assert held.t_start == -0.3
    assert landing.t_end == 2.0  # after the plan
    along = (hand.cop_W[0] - RAIL.p_W) @ RAIL.R_WR
    assert along[0] == pytest.approx(params.cop_unit)
    np.testing.assert_allclose(along[1:], 0.0, atol=1e-12)


def test_double_support_is_found_between_feet_only(
    mixed: list[ContactPhase], body: BodyModel, params: FrbParams
) -> None:
    table = PhaseCodec(mixed, 1.2, body, params).table
    assert list(table.taker) == [1, NONE, NONE]
    assert list(table.giver) == [NONE, 0, NONE]


def test_centre_of_a_foot_keeps_the_sole_on_its_region(phase: Phase, body: BodyModel, params: FrbParams) -> None:
    tread = ContactRegion(p_W=[1.0, 0.0, 0.15], R_WR=np.eye(3), half_extent=[0.2, 0.5])
    table = PhaseCodec([phase(region=tread, center_W=tread.p_W)], 1.2, body, params).table
    np.testing.assert_allclose(table.room[0], [0.2 - 0.12 - 0.03, 0.5 - 0.045 - 0.03])


def test_overhang_of_the_guess_is_allowed(phase: Phase, body: BodyModel, params: FrbParams) -> None:
    stone = ContactRegion(p_W=[1.0, 0.0, 0.0], R_WR=np.eye(3), half_extent=[0.1, 0.1])
    table = PhaseCodec([phase(region=stone, center_W=[1.06, 0.0, 0.0])], 1.2, body, params).table
    np.testing.assert_allclose(table.room[0], [0.06, 0.1 - 0.045 - 0.03])


def test_sole_lies_in_a_slope_along_its_heading() -> None:
    slope = ContactRegion(p_W=np.zeros(3), R_WR=rotation_zyx(0.2, -0.3, 0.1), half_extent=[1.0, 1.0])
    R_WL = limb_axes(slope, 0.7)
    np.testing.assert_allclose(R_WL.T @ R_WL, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(R_WL[:, 2], slope.R_WR[:, 2])
    sideways = np.cross(slope.R_WR[:, 2], [np.cos(0.7), np.sin(0.7), 0.0])
    assert R_WL[:, 0] @ sideways == pytest.approx(0.0, abs=1e-12)


def test_shift_keeps_forces_at_the_same_absolute_times(walking: Callable[..., FrbProblem]) -> None:
    rng = np.random.default_rng(0)
    phases = [replace(p, f_l=rng.uniform(300.0, 800.0, 2)) for p in walking(0.8).phases]
    t = phases[0].t_end + 0.1
    left = shift_phases(phases, t)
    assert [p.limb for p in left] == [p.limb for p in phases[1:]]
    assert [p.fixed for p in left] == [True, False]
    for old, new in zip(phases[1:], left, strict=True):
        for moment in np.linspace(max(t, old.t_start), old.t_end, 5):
            force = [np.interp(moment, [p.t_start, p.t_end], p.f_l) for p in (old, new)]
            assert force[0] == pytest.approx(force[1])


def test_guesses_of_different_structure_are_refused(phase: Phase, body: BodyModel, params: FrbParams) -> None:
    codec = PhaseCodec([phase()], 1.2, body, params)
    with pytest.raises(InputError, match="left_foot"):
        codec.encode([phase(cop_W=np.zeros((3, 3)))])
