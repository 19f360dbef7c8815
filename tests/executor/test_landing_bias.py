"""Footholds learn from landings."""

from __future__ import annotations

import numpy as np

from hmpc.executor.landing_bias import LandingBias
from hmpc.params import ExecutorParams

PARAMS = ExecutorParams()


def learned(speed: float, truth: tuple[float, float], steps: int = 60) -> LandingBias:
    """After steps that each miss by what the bias has not made up for yet."""
    bias = LandingBias(PARAMS)
    for _ in range(steps):
        bias.learn(np.array(truth) - bias.at(speed), speed)
    return bias


def test_a_steady_miss_is_learned_forwards_and_backwards() -> None:
    for speed in (1.0, -1.0):
        np.testing.assert_allclose(learned(speed, (-0.03, 0.02)).at(speed), (-0.03, 0.02), atol=1e-4)


def test_what_was_learned_backwards_does_not_push_a_body_that_stands() -> None:
    np.testing.assert_allclose(learned(-1.0, (0.05, 0.01)).at(0.0), (0.0, 0.01), atol=1e-4)


def test_at_a_stand_nothing_is_learned_forward() -> None:
    assert learned(0.0, (0.05, 0.0)).at(1.0)[0] == 0.0


def test_a_push_is_not_a_habit() -> None:
    bias = LandingBias(PARAMS)
    bias.learn(np.array([0.3, 0.0]), 1.0)
    np.testing.assert_array_equal(bias.at(1.0), 0.0)
