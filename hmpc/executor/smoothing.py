"""Smooth motion of targets: a critically damped follower and a smooth ramp."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from hmpc.types import Array


class Motion(NamedTuple):
    """A value and its first two derivatives."""

    x: Array
    v: Array
    a: Array


class Follower:
    """x'' = (goal - x)/T^2 - 2 x'/T: follows a goal without overshoot, continuous in velocity.

    Integrated exactly for a goal that is constant over the tick, so any tick is stable. With a
    largest speed the goal itself is approached no faster than that.
    """

    def __init__(self, x: Array, time_constant: float, max_speed: float | Array | None = None):
        self.x = np.array(x, dtype=float)
        self.v = np.zeros_like(self.x)
        self._T = time_constant
        self._max_speed = max_speed
        self._goal = self.x

    def follow(self, goal: Array, dt: float) -> Motion:
        T = self._T
        if self._max_speed is not None:
            reach = self._max_speed * dt
            goal = self._goal = np.minimum(np.maximum(goal, self._goal - reach), self._goal + reach)
        error = self.x - goal
        slope = self.v + error / T
        decay = np.exp(-dt / T)
        self.x = goal + (error + slope * dt) * decay
        self.v = (self.v - slope * dt / T) * decay
        return Motion(self.x, self.v, (goal - self.x) / T**2 - 2.0 * self.v / T)


def quintic(s: float) -> tuple[float, float, float]:
    """Ramp from 0 to 1 for s in [0, 1], at rest at both ends, and its derivatives by s."""
    s = min(max(s, 0.0), 1.0)
    return (
        s**3 * (10.0 + s * (6.0 * s - 15.0)),
        30.0 * s**2 * (s - 1.0) ** 2,
        60.0 * s * (s - 1.0) * (2.0 * s - 1.0),
    )
