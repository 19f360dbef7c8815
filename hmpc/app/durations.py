"""How long things took, in memory that does not grow with the hours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_SHORTEST, _LONGEST = 1e-7, 1e3  # [s] what is beyond counts as these
_RATIO = 1.01  # between neighbouring bins: percentiles are right to half a per cent
_BINS = math.ceil(math.log(_LONGEST / _SHORTEST, _RATIO)) + 1


class Durations:
    """A histogram over the logarithm of the time."""

    def __init__(self) -> None:
        self._counts = np.zeros(_BINS, dtype=np.int64)

    def add(self, seconds: ArrayLike) -> None:
        """More of them [s]."""
        clipped = np.clip(seconds, _SHORTEST, _LONGEST)
        bins = np.rint(np.log(clipped / _SHORTEST) / math.log(_RATIO)).astype(np.int64)
        self._counts += np.bincount(bins, minlength=_BINS)

    def percentiles(self, per_second: float) -> dict[str, float | None]:
        """Median and 99th percentile in a unit of which there are so many in a second; None of nothing."""
        return {"p50": self._quantile(0.50, per_second), "p99": self._quantile(0.99, per_second)}

    def _quantile(self, share: float, per_second: float) -> float | None:
        up_to = np.cumsum(self._counts)
        if up_to[-1] == 0:
            return None
        return float(_SHORTEST * _RATIO ** np.searchsorted(up_to, share * up_to[-1]) * per_second)
