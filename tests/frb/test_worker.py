"""The worker's protocol runs in a thread here; processes are started only to be killed."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

from hmpc.frb.model import Rollouts
from hmpc.frb.planner import FrbProblem, plan
from hmpc.frb.worker import ALIVE, PlanWorker, serve
from hmpc.params import FrbParams
from hmpc.types import FrbPlan

Walking = Callable[..., FrbProblem]
ROOT = Path(__file__).parents[2]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def worker(params: FrbParams, clock: Clock) -> Iterator[PlanWorker]:
    worker = PlanWorker(params, clock)
    worker.start()
    yield worker
    worker.close()


@pytest.fixture
def child(worker: PlanWorker) -> Iterator[Connection]:
    """The worker's end of its pipe, in our hands; the process itself waits at the pipe that it had."""
    waiting, (worker._connection, child) = worker._connection, Pipe()
    yield child
    waiting.close()


@pytest.fixture
def server(params: FrbParams) -> Iterator[Connection]:
    """Our end of the pipe to a running worker loop that is ready."""
    ours, theirs = Pipe()
    thread = threading.Thread(target=serve, args=(theirs, params), daemon=True)
    thread.start()
    assert ours.recv() == (ALIVE, None)
    yield ours
    ours.close()
    thread.join()


def answer_of(server: Connection) -> tuple[int, Any]:
    """Its next message that is no sign of life."""
    return next(message for message in iter(server.recv, None) if message[0] != ALIVE)


def fails(x: Rollouts) -> np.ndarray:
    raise RuntimeError("an objective of the user went wrong")


def test_worker_answers_with_the_plan_of_the_same_seed(server: Connection, walking: Walking, params: FrbParams) -> None:
    server.send((1, walking(1.5), 5, 12))
    job, answer = answer_of(server)
    assert job == 1
    np.testing.assert_array_equal(answer.com_W, plan(walking(1.5), params, seed=5, iterations=12).com_W)


def test_newer_problem_replaces_the_older(server: Connection, walking: Walking) -> None:
    server.send((1, walking(0.6), 0, 100_000))
    server.send((2, walking(0.6), 0, 1))
    answers = [answer_of(server), answer_of(server)]
    assert [job for job, _ in answers] == [1, 2]
    assert isinstance(answers[1][1], FrbPlan)


def test_failing_objective_is_reported_and_survived(server: Connection, walking: Walking) -> None:
    server.send((1, replace(walking(0.6), objectives=(fails,)), 0, 5))
    assert "went wrong" in answer_of(server)[1]
    server.send((2, walking(0.6), 0, 1))
    assert isinstance(answer_of(server)[1], FrbPlan)


def test_searches_leave_nothing_behind(server: Connection, walking: Walking) -> None:
    gc.disable()  # as when there is so much else in the memory that Python does not look through it
    try:
        for job in range(1, 5):
            server.send((job, walking(0.6), job, 1))
            answer_of(server)
        alive = [thing for thing in gc.get_objects() if type(thing).__name__ == "CMAEvolutionStrategy"]
    finally:
        gc.enable()
    assert len(alive) <= 1, "of the last one at most"


def test_the_process_starts_with_the_first_problem(params: FrbParams, walking: Walking) -> None:
    """Before that it would take a core from the browser in which a demo opens."""
    worker = PlanWorker(params)
    assert worker.alive and worker._process.pid is None and worker.poll() is None
    assert worker.submit(walking(0.6), seed=0, budget=1)
    assert worker._process.pid is not None
    worker.close()
    assert not worker.alive


def test_a_worker_that_was_never_needed_can_be_closed(params: FrbParams, walking: Walking) -> None:
    worker = PlanWorker(params)
    worker.close()
    assert not worker.alive and not worker.submit(walking(0.6), seed=0, budget=1)
    assert worker.poll() is None


def test_killed_worker_is_replaced(worker: PlanWorker, walking: Walking) -> None:
    assert worker.submit(walking(0.6), seed=0, budget=1)
    assert worker.busy
    worker._process.kill()
    worker._process.join()
    assert not worker.alive
    assert not worker.submit(walking(0.6), seed=0, budget=1)
    assert worker.poll() is None
    assert worker.alive
    assert not worker.busy
    assert worker.restarts == 1


def test_hung_worker_is_replaced(worker: PlanWorker, walking: Walking, clock: Clock, params: FrbParams) -> None:
    worker.submit(walking(0.6), seed=0, budget=1)
    clock.now = params.worker_startup - 1.0
    worker.poll()
    assert worker.restarts == 0
    clock.now = params.worker_startup + 1.0
    worker.poll()
    assert worker.restarts == 1
    assert worker.alive


def test_worker_that_shows_signs_of_life_is_slow_and_not_hung(
    worker: PlanWorker, child: Connection, walking: Walking, clock: Clock, params: FrbParams
) -> None:
    worker.submit(walking(0.6), seed=0, budget=1)
    for _ in range(5):
        clock.now += 0.9 * params.worker_timeout
        child.send((ALIVE, None))
        worker.poll()
    assert worker.restarts == 0 and worker.busy
    clock.now += 1.1 * params.worker_timeout
    worker.poll()
    assert worker.restarts == 1


def test_a_long_search_shows_signs_of_life(server: Connection, walking: Walking) -> None:
    server.send((1, walking(0.6), 0, 25))
    assert [server.recv()[0] for _ in range(4)] == [ALIVE, ALIVE, ALIVE, 1]


def test_worker_that_keeps_dying_is_given_up(params: FrbParams) -> None:
    worker = PlanWorker(replace(params, worker_restarts=1))
    worker.start()
    for _ in range(3):
        worker._process.kill()
        worker._process.join()
        assert worker.poll() is None
    assert worker.restarts == 1
    assert not worker.alive


@pytest.mark.sim
def test_a_worker_begins_in_processes_of_joblib_too(params: FrbParams) -> None:
    def first_word() -> object:
        worker = PlanWorker(params)
        worker.start()
        try:
            return worker._connection.recv()  # raises if the worker has ended instead
        finally:
            worker.close()

    assert joblib.Parallel(2)([joblib.delayed(first_word)()] * 2) == [(ALIVE, None)] * 2


def test_garbage_is_refused(worker: PlanWorker, child: Connection, walking: Walking, params: FrbParams) -> None:
    good = plan(walking(0.6), params, seed=0, iterations=0)
    broken = replace(good, com_W=np.full_like(good.com_W, np.nan))
    for garbage in ("an error", None, 42, broken):
        worker.submit(walking(0.6), seed=0, budget=1)
        child.send((worker._job, garbage))
        assert worker.poll() is None
    assert worker.refused == 4
    child.send("not even a pair")
    assert worker.poll() is None
    assert worker.restarts == 1


def test_late_answer_to_an_old_problem_is_dropped(
    worker: PlanWorker, child: Connection, walking: Walking, params: FrbParams
) -> None:
    good = plan(walking(0.6), params, seed=0, iterations=0)
    worker.submit(walking(0.6), seed=0, budget=1)
    worker.submit(walking(0.6), seed=1, budget=1)
    child.send((1, good))
    assert worker.poll() is None
    child.send((2, good))
    answer = worker.poll()
    assert answer is not None
    np.testing.assert_array_equal(answer.com_W, good.com_W)
    assert not answer.com_W.flags.writeable
    assert not worker.busy


def test_unanswered_problems_do_not_pile_up(worker: PlanWorker, walking: Walking) -> None:
    accepted = [worker.submit(walking(0.6), seed=0, budget=1) for _ in range(6)]
    assert accepted == [True] * 4 + [False] * 2


@pytest.mark.sim
def test_process_plans_beside_us(worker: PlanWorker, walking: Walking, params: FrbParams) -> None:
    worker.submit(walking(1.0), seed=2, budget=5)
    answer = None
    while answer is None and worker.restarts == 0:
        worker._connection.poll(30.0)
        answer = worker.poll()
    assert answer is not None
    assert answer.cost == pytest.approx(plan(walking(1.0), params, seed=2, iterations=5).cost, rel=1e-6)


def test_closed_worker_stays_closed(worker: PlanWorker, walking: Walking) -> None:
    worker.close()
    assert worker.poll() is None
    assert not worker.submit(walking(0.6), seed=0, budget=1)
    assert not worker.alive
    assert worker.restarts == 0


@pytest.mark.sim
def test_a_worker_does_not_outlive_a_simulation_that_is_killed() -> None:
    script = (
        "import os, signal\n"
        "from hmpc.frb import worker\n"
        "from hmpc.params import FrbParams\n"
        "if __name__ == '__main__':\n"
        "    worker.PlanWorker(FrbParams()).start()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # The output ends when nobody holds it any more: neither the simulation nor the worker.
    killed = subprocess.run([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, timeout=300, check=False)
    assert killed.returncode == -signal.SIGKILL
