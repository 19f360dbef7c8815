"""How well the character gets over a push: the time it takes, the steps, and a score.

The velocity of a walking body swings with every step, so it is its mean over a stride that counts. The push is
overcome at the first moment from which on that mean is again what it was before the push, or what is asked for (the
push may have come while the character was still getting faster):

    score = 100 (1 - recovery time / 5 s),   0 after a fall
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.app.session import Session
    from hmpc.app.viewers.history import History
    from hmpc.sim.simulator import Push

STRIDE = 1.0  # [s] over which velocities are averaged: about two steps
TOLERANCE = 0.08  # [m/s] of the mean velocity, within which it counts as undisturbed
SETTLED = 1.0  # [s] for which it has to stay so
LONGEST = 5.0  # [s] a recovery that takes longer scores nothing


class Recovery:
    """Watches a session after a push until there is a verdict."""

    def __init__(self, push: Push, session: Session, history: History):
        self.push, self._session = push, session
        self._start = push.start
        self._steps = session.stack.steps
        self._asked = session.command
        self._before = history.mean_velocity(self._start - STRIDE)[:2]
        self._last_off = self._start
        self.over = False
        self.score: float | None = None  # 0 to 100, once it is known
        self.verdict = "..."  # a sentence

    def watch(self, history: History) -> None:
        """Look at the session as it is now; called once a picture."""
        session = self._session
        if self.over:
            return
        if session.falls.down or session.over:
            self._judge(0.0, "it fell")
        elif (session.command.velocity_H != self._asked.velocity_H).any():
            self.over, self.verdict = True, "no verdict: the command changed"
        else:
            self._measure(history)

    def _measure(self, history: History) -> None:
        t = self._session.time
        mean = history.mean_velocity(max(t - STRIDE, self._start))[:2]
        if min(float(np.linalg.norm(mean - wanted)) for wanted in (self._before, self._asked.velocity_H)) > TOLERANCE:
            self._last_off = t
        # The mean at time t is about the stride before t: what was off then began to be right a stride earlier.
        took = max(self._last_off - self._start - STRIDE, 0.0)
        steps = self._session.stack.steps - self._steps
        if took > LONGEST:
            self._judge(0.0, f"not yet itself after {LONGEST:g} s")
        elif t - self._last_off > SETTLED and t - self._start > STRIDE:
            self._judge(100.0 * (1.0 - took / LONGEST), f"recovered in {took:.1f} s and {max(steps, 0)} steps")

    def _judge(self, score: float, words: str) -> None:
        self.over, self.score, self.verdict = True, score, f"{words}: score {score:.0f}"

    def __str__(self) -> str:
        push = self.push
        return f"{push.impulse:.0f} N s towards {math.degrees(push.direction):.0f}°: {self.verdict}"
