"""Hands on rails while walking: which holds, when, and what they may bear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hmpc.frb.planner import FrbProblem, PlanSearch
from hmpc.frb.rails import Hands, Hold, rails_among, shared_loads
from hmpc.params import FrbParams
from hmpc.types import BodyModel, ContactPhase, ContactRegion

Walking = Callable[..., FrbProblem]


def rail(y: float = 0.4, z: float = 0.95, half_length: float = 5.0) -> ContactRegion:
    return ContactRegion(
        p_W=np.array([0.0, y, z]), R_WR=np.eye(3), half_extent=np.array([half_length, 0.0]), bilateral=True
    )


def hand_phases(problem: FrbProblem) -> list[ContactPhase]:
    return [phase for phase in problem.phases if phase.limb == "left_hand"]


def test_a_hand_comes_with_the_foot_of_the_other_side_and_without_force(walking: Walking) -> None:
    problem = walking(0.6, hands=Hands([rail()], {}))
    (hand,) = hand_phases(problem)
    right = next(phase for phase in problem.phases if phase.limb == "right_foot" and not phase.fixed)
    assert (hand.t_start, hand.t_end) == (right.t_start, right.t_end)
    assert not hand.fixed
    np.testing.assert_array_equal(hand.f_r_W, 0.0)
    np.testing.assert_array_equal(hand.f_l, 0.0)


def test_a_hold_is_on_the_rail_ahead_of_the_shoulder_and_within_reach(walking: Walking, body: BodyModel) -> None:
    problem = walking(0.6, hands=Hands([rail()], {}))
    (hand,) = hand_phases(problem)
    target = problem.targets[0]  # the state in which the hand arrives
    assert target.com_W is not None
    shoulder_W = target.com_W + body.limb("left_hand").root_B
    assert hand.center_W[1:] == pytest.approx([0.4, 0.95])
    assert hand.center_W[0] > shoulder_W[0]
    assert np.linalg.norm(hand.center_W - shoulder_W) < body.limb("left_hand").reach


@pytest.mark.parametrize("unsuitable", [rail(y=-0.4), rail(y=1.2), rail(z=2.5), rail(z=0.1)])
def test_rails_on_the_other_side_or_out_of_reach_are_not_used(walking: Walking, unsuitable: ContactRegion) -> None:
    problem = walking(0.6, hands=Hands([unsuitable], {}))
    assert hand_phases(problem) == []


def test_without_rails_nothing_changes(walking: Walking) -> None:
    assert [p.limb for p in walking(0.6, hands=Hands([], {})).phases] == [p.limb for p in walking(0.6).phases]


def test_short_bars_and_planes_are_no_rails(floor: ContactRegion) -> None:
    assert rails_among([rail(half_length=0.2), floor]) == ()
    assert len(rails_among([rail()])) == 1


def test_a_hand_that_holds_stays_until_its_foot_leaves(walking: Walking) -> None:
    place = np.array([0.1, 0.4, 0.95])
    problem = walking(0.6, hands=Hands([rail()], {"left_hand": Hold(rail(), place)}))
    held, following = hand_phases(problem)
    leaving = next(phase for phase in problem.phases if phase.limb == "right_foot" and phase.fixed)
    assert held.fixed
    assert held.t_end == leaving.t_end
    assert held.center_W == pytest.approx(place)
    assert following.t_start > held.t_end


def test_shared_loads_leave_the_wrench_on_the_body_as_it_is(walking: Walking, body: BodyModel) -> None:
    problem = walking(0.6, hands=Hands([rail()], {}))
    guesses = shared_loads(problem.phases, body)
    borne = []
    for guess in guesses:
        changed = {p.limb: (p, p.f_r_W - q.f_r_W) for p, q in zip(guess, problem.phases, strict=True) if not p.fixed}
        (hand, by_hand), (foot, by_foot) = changed["left_hand"], changed["right_foot"]
        np.testing.assert_allclose(by_hand + by_foot, 0.0, atol=1e-9)
        np.testing.assert_allclose(np.cross(hand.cop_W[0] - foot.cop_W[0], by_hand), 0.0, atol=1e-9)
        borne.append(float(by_hand[0, 2]))
    assert len(guesses) == 3
    assert borne == sorted(borne)
    assert borne[0] > 50.0


def test_newton_steps_bring_a_guess_to_its_targets(walking: Walking, params: FrbParams) -> None:
    """A few derivatives tell more than what pendulums know of a hand that pulls at the body."""
    problem = walking(0.6, hands=Hands([rail()], {}))
    pulled = [replace(p, f_r_W=np.full_like(p.f_r_W, 30.0)) if p.limb == "left_hand" else p for p in problem.phases]
    problem = replace(problem, phases=tuple(pulled), other_guesses=())
    before = PlanSearch(problem, replace(params, newton_steps=0), seed=0).cost
    after = PlanSearch(problem, params, seed=0).cost
    assert before > 1.0
    assert after < 0.05 * before


def test_newton_steps_leave_footholds_and_times_as_they_are(walking: Walking, params: FrbParams) -> None:
    """What comes after the plan depends on where the pendulums put the next foot."""
    problem = walking(0.6, hands=Hands([rail()], {}))
    pulled = [replace(p, f_r_W=np.full_like(p.f_r_W, 30.0)) if p.limb == "left_hand" else p for p in problem.phases]
    found = PlanSearch(replace(problem, phases=tuple(pulled), other_guesses=()), params, seed=0).best()
    for phase, guess in zip(found.phases, pulled, strict=True):
        assert (phase.t_start, phase.t_end) == pytest.approx((guess.t_start, guess.t_end))
        assert phase.center_W == pytest.approx(guess.center_W)
