"""Faults of the planners and the force solver, under the lock-step clock: late, wrong, silent, raising."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import hmpc.frb.searcher
from hmpc.app.bench.faults.fault import A_STEP, Fault, replaced
from hmpc.app.session import Session
from hmpc.frb.planner import FrbProblem
from hmpc.frb.searcher import Searcher
from hmpc.types import FrbPlan

_SOLVES = (0.002, 0.016)  # [s]
_GARBAGE: tuple[Callable[[FrbPlan], FrbPlan], ...] = (
    lambda plan: replace(plan, com_W=np.full_like(plan.com_W, np.nan)),
    lambda plan: replace(plan, acc_W=np.full_like(plan.acc_W, np.inf)),
    lambda plan: replace(plan, com_W=plan.com_W + 100.0),
    lambda plan: replace(plan, vel_W=1e6 * plan.vel_W),
    lambda plan: replace(plan, R_WB=np.zeros_like(plan.R_WB)),
    lambda plan: replace(plan, phases=()),
)


def _searcher(session: Session) -> Searcher:
    return session.stack._searcher


@contextlib.contextmanager
def _late(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """A plan comes 10 to 500 ms after it was asked for."""
    searcher, delay, asked = _searcher(session), rng.uniform(0.01, 0.5), -np.inf
    submit, poll = searcher.submit, searcher.poll

    def remember(problem: FrbProblem, seed: int, budget: int) -> bool:
        nonlocal asked
        asked = session.time
        return submit(problem, seed, budget)

    waiting = lambda: poll() if session.time >= asked + delay else None  # noqa: E731
    with replaced(searcher, "submit", remember), replaced(searcher, "poll", waiting):
        yield


@contextlib.contextmanager
def _garbage(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """A plan has numbers that cannot be followed."""
    searcher, spoil = _searcher(session), _GARBAGE[int(rng.integers(len(_GARBAGE)))]
    poll = searcher.poll

    def spoiled() -> FrbPlan | None:
        answer = poll()
        return None if answer is None else spoil(answer)

    with replaced(searcher, "poll", spoiled):
        yield


@contextlib.contextmanager
def _silent(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """No plan comes at all."""
    searcher = _searcher(session)
    with replaced(searcher, "submit", lambda *_: False), replaced(searcher, "poll", lambda: None):
        yield


@contextlib.contextmanager
def _raising(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """The search raises, as it would with a broken objective of a user's."""
    with replaced(hmpc.frb.searcher, "plan", _raise):
        yield


def _raise(*_: object) -> Any:
    raise RuntimeError("injected")


@contextlib.contextmanager
def _unsolved(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """The force solver finds nothing, answers with NaN, or raises."""
    distributor = session.stack._short_term
    solve = distributor._solve
    kind = int(rng.integers(3))

    def fail(task: Any) -> Any:
        force_W, residual_W, solved = solve(task)
        if kind == 0:
            return force_W, residual_W, False
        return np.full_like(force_W, np.nan), residual_W, solved

    with replaced(distributor, "_solve", _raise if kind == 2 else fail):
        yield


FAULTS = (
    Fault("plan 10 to 500 ms late", _late, A_STEP),
    Fault("plan is garbage", _garbage, A_STEP),
    Fault("no plan comes", _silent, A_STEP),
    Fault("planner raises", _raising, A_STEP),
    Fault("force QP fails", _unsolved, _SOLVES),
)
