"""Sentences about what went wrong, said in every browser."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import viser

    from hmpc.app.viewers.stage import Stage

_SECONDS = 8.0  # for which each can be read
_MOST = 5  # at the same time


class Notices:
    """As many as can be read; the others wait on the stage, which keeps the newest.

    Not more, because viser queues them one by one for each browser, and of all else only the newest state: a browser
    that sleeps stays connected and reads nothing, and a warning at every step would fill the memory.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._shown = deque([-math.inf] * _MOST, maxlen=_MOST)  # [s] when the last ones came, oldest first

    def show(self, stage: Stage, browsers: Collection[viser.ClientHandle]) -> None:
        """Say what has not been said yet, if there is anybody to read it."""
        now = self._clock()
        while stage.notices and browsers and now >= self._shown[0] + _SECONDS:
            self._shown.append(now)
            words = stage.notices.popleft()
            for browser in browsers:
                browser.add_notification("hmpc", words, auto_close_seconds=_SECONDS, color="red")
