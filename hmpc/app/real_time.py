"""The pace of a run that goes no faster than time does."""

from __future__ import annotations

import time

LONGEST_GAP = 0.5  # [s] between the two clocks: beyond it the machine was suspended, or is too slow to catch up


class RealTime:
    """Keeps simulated time from running ahead of the clock.

    What a slow tick has cost is caught up. What a suspended machine or a clock that jumped has cost is not: the two
    clocks are set anew, instead of racing through the lost hour, or waiting for it.
    """

    def __init__(self, t: float):
        self._set(t)

    def _set(self, t: float) -> None:
        self._offset = t - time.perf_counter()

    def wait(self, t: float) -> None:
        """Until it is time for the tick after simulated time `t` [s]."""
        ahead = t - time.perf_counter() - self._offset
        if abs(ahead) > LONGEST_GAP:
            self._set(t)
        elif ahead > 0.0:
            time.sleep(ahead)
