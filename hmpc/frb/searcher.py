"""Who runs the search for a plan: the stack itself between two ticks, or a worker beside it (worker.py)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from hmpc.frb.planner import FrbProblem, plan

if TYPE_CHECKING:
    from hmpc.params import FrbParams
    from hmpc.types import FrbPlan


_log = logging.getLogger(__name__)


class Searcher(Protocol):
    """Takes problems and answers with plans, at once or later."""

    @property
    def faults(self) -> int:
        """What went wrong with the searches so far."""

    @property
    def busy(self) -> bool:
        """An answer is still to come. Not busy and no answer: the search failed, or was lost with its process."""

    def submit(self, problem: FrbProblem, seed: int, budget: int) -> bool:
        """Ask for a plan after `budget` iterations; False if that is impossible now."""

    def poll(self) -> FrbPlan | None:
        """The answer to the newest problem, once."""

    def close(self) -> None:
        """No more problems."""


class SearchBetweenTicks:
    """The lock-step clock: simulated time stands still while CMA runs. A search that raises has no answer."""

    def __init__(self, params: FrbParams):
        self._params = params
        self.faults = 0
        self.last_error = ""  # why the last search failed
        self._answer: FrbPlan | None = None

    @property
    def busy(self) -> bool:
        return self._answer is not None

    def submit(self, problem: FrbProblem, seed: int, budget: int) -> bool:
        try:
            self._answer = plan(problem, self._params, seed, budget)
        except Exception as error:  # a user's objective may raise anything; so does the worker's search
            self._answer = None
            self.faults += 1
            if self.last_error != repr(error):  # said once, not at every step
                self.last_error = repr(error)
                _log.warning("The search for a plan failed: %s.", self.last_error)
        return self._answer is not None

    def poll(self) -> FrbPlan | None:
        answer, self._answer = self._answer, None
        return answer

    def close(self) -> None:
        pass
