"""What the capture point loses at every landing, learned from step to step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.params import ExecutorParams
    from hmpc.types import Array


class LandingBias:
    """By how much to move footholds so that the capture point is where it should be at touch-down.

    The swinging leg is braked at the end of its way and the body with it, and the foot lands a little early: a capture
    point that is a few centimetres behind its plan then would make the next step a decimetre too short. Forward this
    goes with the speed, so a slope is learned; what was learned walking backwards does not push a body that stands.
    """

    def __init__(self, params: ExecutorParams):
        self._params = params
        self._forward, self._outward = 0.0, 0.0  # [m] a [m/s], [m]

    def at(self, speed: float) -> Array:
        """(2,) [m] forward and outward, at a forward speed [m/s]."""
        return np.array([self._forward * speed, self._outward])

    def learn(self, miss: Array, speed: float) -> None:
        """The capture point was off by `miss` (2,) [m], forward and outward, at the end of a step at `speed` [m/s]."""
        params = self._params
        limit, gain = params.landing_bias_limit, params.landing_bias_gain
        if np.abs(miss).max() > limit:
            return  # a push, not a habit
        forward, outward = miss * gain * (speed / (speed**2 + params.landing_bias_speed**2), 1.0)
        self._forward = min(max(self._forward + forward, -limit), limit)
        self._outward = min(max(self._outward + outward, -limit), limit)
