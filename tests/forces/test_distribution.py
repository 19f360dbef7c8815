"""Eqs. 3 and 4: forces at contact points obey statics, friction and symmetry, and never fail the loop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmpc.errors import InputError, UnknownNameError
from hmpc.forces.distribution import ForceDistributor, TrackingRows, limb_load_rows
from hmpc.geometry import rotation_z
from hmpc.params import ForceParams
from hmpc.types import ContactForces, ContactSet, Status

if TYPE_CHECKING:
    from hmpc.types import Array

WEIGHT = 690.0  # [N]
COM = np.array([0.0, 0.0, 0.9])
STANDING = np.array([0.0, 0.0, WEIGHT, 0.0, 0.0, 0.0])
FEET = [[x, side + y, 0.0] for side in (0.1, -0.1) for x in (-0.08, 0.12) for y in (-0.04, 0.04)]
PARAMS = ForceParams()


def contact_set(points: list[list[float]], limb: str = "foot") -> ContactSet:
    """Points on level ground with much friction."""
    n = len(points)
    return ContactSet(
        limb=(limb,) * n,
        p_W=np.array(points, dtype=float).reshape(n, 3),
        normal_W=np.tile([0.0, 0.0, 1.0], (n, 1)),
        mu=np.full(n, 0.8),
        bilateral=np.zeros(n, dtype=bool),
        max_force=np.full(n, np.inf),
    )


def joined(a: ContactSet, b: ContactSet) -> ContactSet:
    return ContactSet(
        limb=a.limb + b.limb,
        **{
            name: np.concatenate([getattr(a, name), getattr(b, name)])
            for name in ("p_W", "normal_W", "mu", "bilateral", "max_force")
        },
    )


def distribute(contacts: ContactSet, wrench: Array = STANDING, rows: TrackingRows | None = None) -> ContactForces:
    return ForceDistributor(PARAMS).distribute(contacts, COM, np.asarray(wrench, dtype=float), rows)


def net_wrench(answer: ContactForces) -> Array:
    torque = np.cross(answer.contacts.p_W - COM, answer.force_W).sum(axis=0)
    return np.concatenate([answer.force_W.sum(axis=0), torque])


def test_standing_the_corners_of_both_feet_share_the_weight() -> None:
    centred = [[x - 0.02, y, z] for x, y, z in FEET]
    answer = distribute(contact_set(centred))
    np.testing.assert_allclose(answer.force_W[:, 2], WEIGHT / 8, rtol=1e-3)
    np.testing.assert_allclose(answer.force_W[:, :2], 0.0, atol=1e-9)


def test_force_through_com_gives_no_torque() -> None:
    answer = distribute(contact_set([[0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(answer.force_W, [[0.0, 0.0, WEIGHT / (1.0 + PARAMS.regulariser)]], rtol=1e-9)
    np.testing.assert_allclose(net_wrench(answer)[3:], 0.0, atol=1e-9)


def test_the_torque_is_about_the_com() -> None:
    """Erratum of Eq. 3: r points from the COM to the contact. A push forward on the feet pitches the body up."""
    answer = distribute(contact_set([[0.0, 0.0, 0.0]]), np.array([100.0, 0.0, WEIGHT, 0.0, 0.0, 0.0]))
    assert answer.force_W[0, 0] > 0.0
    assert net_wrench(answer)[4] == pytest.approx(-0.9 * answer.force_W[0, 0])


@given(st.floats(-60, 60), st.floats(-60, 60), st.floats(300, 1500), st.floats(-15, 15), st.floats(-15, 15))
def test_a_feasible_wrench_is_met(fx: float, fy: float, fz: float, tx: float, ty: float) -> None:
    answer = distribute(contact_set(FEET), np.array([fx, fy, fz, 0.9 * fy + tx, -0.9 * fx + ty - 0.02 * fz, 1.0]))
    assert answer.status is Status.OK
    np.testing.assert_allclose(answer.residual_W, 0.0, atol=2e-3 * fz)  # what the regulariser costs


def test_the_residual_is_the_net_wrench_minus_the_wanted_one() -> None:
    wrench = np.array([400.0, -100.0, 500.0, 80.0, 20.0, 50.0])
    answer = distribute(contact_set(FEET), wrench)
    np.testing.assert_allclose(answer.residual_W, net_wrench(answer) - wrench, atol=1e-9)
    assert np.abs(answer.residual_W).max() > 1.0


def test_the_ground_cannot_be_pulled_on() -> None:
    answer = distribute(contact_set(FEET), np.array([0.0, 0.0, -WEIGHT, 0.0, 0.0, 0.0]))
    assert answer.status is Status.OK
    np.testing.assert_array_equal(answer.force_W, 0.0)


def test_a_closed_hand_can_be_pulled_on() -> None:
    hand = replace(contact_set([[0.0, 0.0, 2.0]]), bilateral=np.array([True]))
    answer = distribute(hand)
    assert answer.force_W[0, 2] == pytest.approx(WEIGHT, rel=2e-3)


def test_a_closed_hand_pulls_no_harder_than_its_cap() -> None:
    hand = replace(contact_set([[0.0, 0.0, 2.0]]), bilateral=np.array([True]), max_force=np.array([150.0]))
    answer = distribute(hand, np.array([-300.0, 80.0, WEIGHT, 0.0, 0.0, 0.0]))
    assert np.abs(answer.force_W).max() == pytest.approx(150.0)


def test_friction_limits_the_horizontal_force() -> None:
    answer = distribute(contact_set(FEET), np.array([5000.0, 0.0, WEIGHT, 0.0, -4500.0, 0.0]))
    limit = PARAMS.cone_safety * 0.8 / np.sqrt(2.0)
    horizontal, vertical = answer.force_W[:, 0].sum(), answer.force_W[:, 2].sum()
    assert horizontal == pytest.approx(limit * vertical)


def test_ice_carries_weight_but_does_not_push() -> None:
    ice = replace(contact_set(FEET), mu=np.zeros(8))
    answer = distribute(ice, np.array([200.0, 100.0, WEIGHT, 0.0, 0.0, 0.0]))
    np.testing.assert_array_equal(answer.force_W[:, :2], 0.0)
    assert answer.force_W[:, 2].sum() == pytest.approx(WEIGHT, rel=0.05)


def test_a_leaving_foot_hands_its_load_over() -> None:
    caps = np.array([np.inf] * 4 + [5.0] * 4)
    answer = distribute(replace(contact_set(FEET), max_force=caps))
    assert answer.force_W[4:, 2].max() <= 5.0 + 1e-9
    assert answer.force_W[:4, 2].sum() > 0.8 * WEIGHT


def test_a_negative_cap_means_no_force() -> None:
    caps = np.array([np.inf] * 4 + [-1e-12] * 4)
    answer = distribute(replace(contact_set(FEET), max_force=caps))
    assert answer.status is Status.OK
    np.testing.assert_array_equal(answer.force_W[4:], 0.0)


def test_a_penalised_point_is_used_less() -> None:
    contacts = contact_set(FEET)
    penalty = np.array([10.0] + [1.0] * 7)
    answer = ForceDistributor(PARAMS).distribute(contacts, COM, STANDING, None, penalty)
    assert answer.force_W[0, 2] < 0.5 * answer.force_W[1:, 2].mean()
    np.testing.assert_allclose(answer.residual_W, 0.0, atol=2e-3 * WEIGHT)


def test_scaling_the_character_scales_the_forces() -> None:
    wrench = np.array([300.0, 50.0, WEIGHT, 20.0, -70.0, 10.0])
    light, heavy = distribute(contact_set(FEET), wrench), distribute(contact_set(FEET), 3.0 * wrench)
    np.testing.assert_allclose(heavy.force_W, 3.0 * light.force_W, rtol=1e-9, atol=1e-9 * WEIGHT)


@given(st.lists(st.floats(-200, 200), min_size=6, max_size=6))
def test_mirrored_wrenches_give_mirrored_forces(wrench: list[float]) -> None:
    mirror_force, mirror_torque = np.array([1.0, -1.0, 1.0]), np.array([-1.0, 1.0, -1.0])
    contacts = contact_set([[x, y, 0.05 * y] for x, y, _ in FEET])
    mirrored = replace(contacts, p_W=contacts.p_W * mirror_force)
    wanted = STANDING + np.array(wrench)
    answer = distribute(contacts, wanted)
    other = distribute(mirrored, wanted * np.concatenate([mirror_force, mirror_torque]))
    np.testing.assert_allclose(other.force_W, answer.force_W * mirror_force, atol=1e-7)


@given(st.lists(st.floats(-200, 200), min_size=6, max_size=6), st.integers(1, 3))
def test_a_quarter_turn_of_everything_turns_the_forces(wrench: list[float], quarters: int) -> None:
    """Quarters only, because a pyramid is not round."""
    R = rotation_z(quarters * np.pi / 2)
    contacts = contact_set(FEET)
    normal_W = contacts.normal_W + 0.3 * np.sin(np.arange(24.0)).reshape(8, 3)
    contacts = replace(contacts, normal_W=normal_W / np.linalg.norm(normal_W, axis=1, keepdims=True))
    turned = replace(contacts, p_W=contacts.p_W @ R.T, normal_W=contacts.normal_W @ R.T)
    wanted = STANDING + np.array(wrench)
    answer = distribute(contacts, wanted)
    other = distribute(turned, np.concatenate([R @ wanted[:3], R @ wanted[3:]]))
    np.testing.assert_allclose(other.force_W, answer.force_W @ R.T, atol=1e-7)


@pytest.mark.parametrize("normal", [[0, 0, -1], [1, 0, 0], [0, 1e-9, -1], [0.3, -0.2, -0.9]])
def test_walls_and_ceilings_push_along_their_normal(normal: list[float]) -> None:
    unit = np.array(normal) / np.linalg.norm(normal)
    contacts = replace(contact_set([list(COM + 1.0 * unit)]), normal_W=np.array([normal]), mu=np.zeros(1))
    answer = distribute(contacts, np.concatenate([100.0 * unit, np.zeros(3)]))
    np.testing.assert_allclose(answer.force_W[0], 100.0 * unit / (1.0 + PARAMS.regulariser), atol=1e-9)


def hands_and_feet() -> ContactSet:
    return joined(contact_set(FEET), contact_set([[0.4, 0.2, 0.8], [0.45, 0.2, 0.8]], "hand"))


def test_a_hand_carries_the_load_that_is_planned_for_it() -> None:
    contacts, load = hands_and_feet(), np.array([10.0, 0.0, 150.0])
    balanced = STANDING + np.array([0.0, 0.0, 0.0, 0.0, -40.0, 0.0])
    answer = distribute(contacts, balanced, limb_load_rows(contacts, {"hand": load}, 1.0))
    np.testing.assert_allclose(answer.force_W[8:].sum(axis=0), load, atol=1.0)
    np.testing.assert_allclose(answer.residual_W, 0.0, atol=1.5)


def test_a_hand_that_should_carry_nothing_carries_nothing() -> None:
    contacts = hands_and_feet()
    free = distribute(contacts).force_W[8:].sum(axis=0)
    relieved = distribute(contacts, STANDING, limb_load_rows(contacts, {"hand": np.zeros(3)}, 1.0))
    assert np.linalg.norm(free) > 5.0
    assert np.linalg.norm(relieved.force_W[8:].sum(axis=0)) < 0.1


def test_a_load_of_little_weight_yields_where_balance_needs_the_hand() -> None:
    contacts, load = hands_and_feet(), np.array([0.0, 0.0, 20.0])
    falling = STANDING + np.array([0.0, 0.0, 0.0, 0.0, -150.0, 0.0])  # beyond what the feet alone can give
    answer = distribute(contacts, falling, limb_load_rows(contacts, {"hand": load}, 0.05))
    alone = distribute(contact_set(FEET), falling)
    assert np.linalg.norm(alone.residual_W) > 50.0
    assert np.linalg.norm(answer.residual_W) < 10.0
    assert answer.force_W[8:, 2].sum() > 3.0 * load[2]


def test_the_load_of_a_limb_without_contact_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="foot, hand"):
        limb_load_rows(hands_and_feet(), {"head": np.zeros(3)}, 1.0)


def test_an_answer_does_not_depend_on_what_came_before() -> None:
    distributor, contacts = ForceDistributor(PARAMS), contact_set(FEET)
    before = distributor.distribute(contacts, COM, STANDING).force_W
    distributor.distribute(contacts, COM, np.array([5000.0, -3000.0, 10.0, 1e4, 0.0, 900.0]))
    distributor.distribute(contact_set(FEET[:3]), COM, STANDING)
    np.testing.assert_array_equal(distributor.distribute(contacts, COM, STANDING).force_W, before)


def test_in_the_air_there_is_nothing_to_push_against() -> None:
    answer = distribute(contact_set([]))
    assert answer.status is Status.NO_CONTACT
    assert answer.force_W.shape == (0, 3)
    np.testing.assert_array_equal(answer.residual_W, -STANDING)


@pytest.mark.parametrize("solver", ["newton", "daqp"])
@pytest.mark.parametrize("field", ["p_W", "normal_W", "mu", "max_force"])
def test_a_point_that_is_not_a_number_leads_to_the_safe_forces(field: str, solver: str) -> None:
    contacts = contact_set(FEET)
    values = getattr(contacts, field).copy()
    values[0] = np.nan
    answer = ForceDistributor(PARAMS, solver).distribute(replace(contacts, **{field: values}), COM, STANDING)
    assert answer.status is Status.FALLBACK
    assert np.isfinite(answer.force_W).all()
    assert (answer.force_W[:, :2] == 0.0).all()
    assert answer.force_W[:, 2].sum() == pytest.approx(PARAMS.fallback_load)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e305])
def test_a_wrench_that_cannot_be_used_leads_to_the_safe_forces(bad: float) -> None:
    wrench = STANDING.copy()
    wrench[0] = bad
    caps = np.array([30.0] * 4 + [np.inf] * 4)
    answer = distribute(replace(contact_set(FEET), max_force=caps), wrench)
    share = PARAMS.fallback_load / 8
    assert answer.status is Status.FALLBACK
    np.testing.assert_allclose(answer.force_W[:, 2], np.minimum(caps, share))


def test_without_usable_points_the_safe_force_is_none() -> None:
    broken = replace(contact_set(FEET), normal_W=np.zeros((8, 3)))
    answer = distribute(broken)
    assert answer.status is Status.FALLBACK
    np.testing.assert_array_equal(answer.force_W, 0.0)
    np.testing.assert_array_equal(answer.residual_W, -STANDING)


def test_read_only_and_strided_arrays_are_as_good_as_any() -> None:
    contacts = contact_set(FEET)
    strided = replace(contacts, p_W=np.asfortranarray(contacts.p_W), mu=np.repeat(contacts.mu, 2)[::2])
    strided.p_W.setflags(write=False)
    np.testing.assert_array_equal(distribute(strided).force_W, distribute(contacts).force_W)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"p_W": np.zeros((3, 3))}, "8 rows"),
        ({"mu": np.zeros(7)}, "8 rows"),
    ],
)
def test_wrong_shapes_are_refused(change: dict[str, Array], message: str) -> None:
    with pytest.raises(InputError, match=message):
        distribute(replace(contact_set(FEET), **change))


def test_rows_of_other_contacts_are_refused() -> None:
    with pytest.raises(InputError, match="24 columns"):
        distribute(contact_set(FEET), STANDING, limb_load_rows(hands_and_feet(), {"hand": np.zeros(3)}, 1.0))


def test_a_problem_without_regulariser_is_refused() -> None:
    with pytest.raises(InputError, match="regulariser"):
        ForceDistributor(replace(PARAMS, regulariser=0.0))
