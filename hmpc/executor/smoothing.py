"""Smooth motion of targets: a critically damped follower and a smooth ramp."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from hmpc.types import Array

_NO_LIMIT = 1e9  # a speed that nothing reaches


class Motion(NamedTuple):
    """A value and its first two derivatives."""

    x: Array
    v: Array
    a: Array


@njit(cache=True)
def _follow(x: Array, v: Array, goal: Array, target: Array, reach: Array, T: float, dt: float) -> Array:
    """One step of every element, in place; returns the acceleration."""
    a = np.empty_like(x)
    decay = math.exp(-dt / T)
    for i in range(x.shape[0]):
        goal[i] = min(max(target[i], goal[i] - reach[i] * dt), goal[i] + reach[i] * dt)
        error = x[i] - goal[i]
        slope = v[i] + error / T
        x[i] = goal[i] + (error + slope * dt) * decay
        v[i] = (v[i] - slope * dt / T) * decay
        a[i] = (goal[i] - x[i]) / T**2 - 2.0 * v[i] / T
    return a


class Follower:
    """x'' = (goal - x)/T^2 - 2 x'/T: follows a goal without overshoot, continuous in velocity.

    Integrated exactly for a goal that is constant over the tick, so any tick is stable. The goal
    itself moves to where it is wanted no faster than `max_speed`.
    """

    def __init__(self, x: Array, time_constant: float, max_speed: float | Array = _NO_LIMIT, v: Array | None = None):
        """Start at `x` with speed `v`; the goal starts where that motion would come to rest, x + T v."""
        self.x = np.array(x, dtype=float)
        self.v = np.zeros_like(self.x) if v is None else np.array(v, dtype=float)
        self._goal = self.x + time_constant * self.v
        self._max_speed = np.broadcast_to(np.asarray(max_speed, dtype=float), self.x.shape).copy()
        self._T = time_constant

    def follow(self, goal: Array, dt: float) -> Motion:
        """State after `dt`, on the way to `goal`."""
        self.x, self.v = self.x.copy(), self.v.copy()
        return Motion(self.x, self.v, _follow(self.x, self.v, self._goal, goal, self._max_speed, self._T, dt))


def quintic(s: float) -> tuple[float, float, float]:
    """Ramp from 0 to 1 for s in [0, 1], at rest at both ends, and its derivatives by s."""
    s = min(max(s, 0.0), 1.0)
    return (
        s**3 * (10.0 + s * (6.0 * s - 15.0)),
        30.0 * s**2 * (s - 1.0) ** 2,
        60.0 * s * (s - 1.0) * (2.0 * s - 1.0),
    )


def fading(s: float) -> tuple[float, float, float]:
    """From 0 with speed 1 out and back to rest at 0, for s in [0, 1], and its derivatives by s.

    Added to a `quintic`, it lets a motion begin with a speed; backwards, end with one.
    """
    s = min(max(s, 0.0), 1.0)
    return (
        s * (1.0 - s) ** 3 * (1.0 + 3.0 * s),
        (1.0 - s) ** 2 * (1.0 + s * (2.0 - 15.0 * s)),
        -12.0 * s * (1.0 - s) * (3.0 - 5.0 * s),
    )


def timed_quintic(s: float, duration: float) -> tuple[float, float, float]:
    """The same ramp and its derivatives by time, for an s that goes from 0 to 1 in `duration` [s]."""
    x, v, a = quintic(s)
    inside = 0.0 <= s <= 1.0
    return x, v / duration if inside else 0.0, a / duration**2 if inside else 0.0
