"""Where and when a foot lands when the body has been pushed off its plan. The swing foot's side is +y."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hmpc.executor.foothold import beside_or_clear, choose_landing, step_boxes, time_for_place
from hmpc.params import FootholdParams

if TYPE_CHECKING:
    from hmpc.types import Array

PARAMS = FootholdParams()
NOW, PLANNED, EARLIEST = 0.0, 0.3, 0.1  # [s]
AHEAD, BESIDE, BEHIND = np.array([0.2, 0.2]), np.array([0.0, 0.2]), np.array([-0.2, 0.2])


def anywhere(wanted: Array) -> Array:
    """Endless ground."""
    return wanted


def moving_ahead(speed: float, times: Array) -> Array:
    """Footholds to the side that a capture point asks for which moves with `speed`."""
    return np.column_stack([speed * times, np.full(len(times), 0.2)])


def land(foot: Array, *wanted: float) -> tuple[float, Array]:
    """Time and place if the capture point asks for the same foothold at any time."""

    def foothold_at(times: Array) -> Array:
        return np.tile(wanted, (len(times), 1))

    return choose_landing(NOW, PLANNED, EARLIEST, foothold_at, foot, anywhere, PARAMS.inward, PARAMS)


def test_a_foothold_within_reach_is_taken_on_time() -> None:
    t, place = land(BESIDE, 0.4, 0.2)
    assert t == PLANNED
    np.testing.assert_allclose(place, (0.4, 0.2))


def test_a_foot_does_not_step_onto_the_other_one() -> None:
    _, place = land(BESIDE, 0.0, -0.1)
    np.testing.assert_allclose(place, (0.0, PARAMS.inward))


def test_a_foot_that_has_passed_crosses_in_front() -> None:
    _, place = land(AHEAD, 0.4, -0.1)
    np.testing.assert_allclose(place, (0.4, -0.1))


def test_a_foot_that_is_behind_crosses_behind() -> None:
    _, place = land(BEHIND, -0.4, -0.1)
    np.testing.assert_allclose(place, (-0.4, -0.1))


def test_a_foot_that_is_to_cross_in_front_passes_on_its_own_side_first() -> None:
    t, place = land(BEHIND, 0.4, -0.1)
    assert t == PLANNED
    np.testing.assert_allclose(place, (0.4, PARAMS.inward))


@pytest.mark.parametrize("wanted", [(-0.34, 0.08), (-0.5, -0.05)])
def test_a_body_that_goes_backwards_is_not_caught_in_front(wanted: tuple[float, float]) -> None:
    """Walking backwards, the swing begins with the foot ahead of the other one."""
    _, place = land(AHEAD, *wanted)
    assert place[0] < 0.0


def test_a_capture_point_that_runs_away_is_caught_early() -> None:
    t, place = choose_landing(
        NOW, PLANNED, EARLIEST, lambda t: moving_ahead(4.0, t), BESIDE, anywhere, PARAMS.inward, PARAMS
    )
    assert EARLIEST <= t < PLANNED
    assert place[0] <= PARAMS.forward


def test_where_the_ground_is_narrow_the_foot_lands_when_the_capture_point_passes_it() -> None:
    stone = np.array([0.5, 0.2])

    def only_there(wanted: Array) -> Array:
        return np.tile(stone, (len(wanted), 1))

    t, place = choose_landing(
        NOW, PLANNED, EARLIEST, lambda t: moving_ahead(2.5, t), BESIDE, only_there, PARAMS.inward, PARAMS
    )
    assert t == pytest.approx(0.2, abs=0.03)
    np.testing.assert_allclose(place, stone)


def test_every_box_keeps_the_soles_apart() -> None:
    for foot in (AHEAD, BESIDE, BEHIND):
        for low, high, _ in step_boxes(foot, PARAMS.inward, PARAMS):
            apart = low[1] >= PARAMS.inward or low[0] >= PARAMS.crossing_clear or high[0] <= -PARAMS.crossing_clear
            assert apart


def test_turned_feet_stay_further_apart() -> None:
    _, place = choose_landing(NOW, PLANNED, EARLIEST, lambda t: moving_ahead(0.0, t), BESIDE, anywhere, 0.4, PARAMS)
    assert place[1] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ((-0.06, 0.05), (-0.06, PARAMS.inward)),
        ((0.25, -0.2), (PARAMS.crossing_clear, -0.2)),
        ((-0.25, -0.2), (-PARAMS.crossing_clear, -0.2)),
        ((0.0, 0.2), (0.0, 0.2)),
        ((0.5, -0.1), (0.5, -0.1)),
    ],
)
def test_on_the_way_from_one_box_to_another_the_foothold_is_never_on_the_other_foot(
    wanted: tuple[float, float], nearest: tuple[float, float]
) -> None:
    np.testing.assert_allclose(beside_or_clear(*wanted, PARAMS.inward, PARAMS), nearest)


@pytest.mark.parametrize("behind", [0.04, -0.04])
def test_on_a_given_place_a_body_that_is_behind_lands_later(behind: float) -> None:
    """The capture point runs at 2 m/s and passes the only place there is that much later or earlier."""

    def capture(landing: Array) -> Array:
        return np.column_stack([0.6 - behind + 2.0 * (landing - PLANNED), np.full(len(landing), 0.2)])

    def stone(wanted: Array) -> Array:
        return np.tile([0.6, 0.2], (len(wanted), 1))

    assert time_for_place(PLANNED, capture, stone, PARAMS) == pytest.approx(PLANNED + behind / 2.0)


def test_waiting_is_of_no_use_for_a_body_that_does_not_move() -> None:
    at_rest = np.tile([0.3, 0.2], (2, 1))
    assert time_for_place(PLANNED, lambda _: at_rest, lambda _: at_rest + 0.2, PARAMS) == PLANNED
