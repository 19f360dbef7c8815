"""Who runs the search for a plan: the stack itself between two ticks, or a worker beside it (worker.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from hmpc.frb.planner import FrbProblem, plan

if TYPE_CHECKING:
    from hmpc.params import FrbParams
    from hmpc.types import FrbPlan


class Searcher(Protocol):
    """Takes problems and answers with plans, at once or later."""

    @property
    def faults(self) -> int:
        """What went wrong with the searches so far."""

    def submit(self, problem: FrbProblem, seed: int, budget: int) -> bool:
        """Ask for a plan after `budget` iterations; False if that is impossible now."""

    def poll(self) -> FrbPlan | None:
        """The answer to the newest problem, once."""

    def close(self) -> None:
        """No more problems."""


class SearchBetweenTicks:
    """The lock-step clock: simulated time stands still while CMA runs."""

    faults = 0

    def __init__(self, params: FrbParams):
        self._params = params
        self._answer: FrbPlan | None = None

    def submit(self, problem: FrbProblem, seed: int, budget: int) -> bool:
        self._answer = plan(problem, self._params, seed, budget)
        return True

    def poll(self) -> FrbPlan | None:
        answer, self._answer = self._answer, None
        return answer

    def close(self) -> None:
        pass
