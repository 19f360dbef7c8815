"""The medium-term planner beside the simulation, in a process of its own (Sec. 3.2.2).

New plans are optimised while the previous one is tracked. Nothing here waits and nothing
here raises into the control loop: a worker that died, hangs or answers with nonsense is
counted and replaced.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.frb.planner import FrbProblem, PlanSearch, plan
from hmpc.frb.reference import sample_plan
from hmpc.types import BodyModel, ContactPhase, ContactRegion, FrbPlan, FrbState, LimbModel

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from hmpc.params import FrbParams

ALIVE = -1  # job number of a sign of life: the worker has compiled its kernels, or goes on searching
CHUNK = 10  # iterations between two looks at the mailbox: a newer problem replaces the current one
MOST_OUTSTANDING = 4  # unanswered problems, beyond which the pipe could fill up and block


class PlanWorker:
    """Runs `PlanSearch` in a child process; the newest problem counts.

    The process starts with the first problem: while a demo opens its page, it would take a core from the browser.
    """

    def __init__(self, params: FrbParams, clock: Callable[[], float] = time.monotonic) -> None:
        self.params = params
        self.restarts = 0  # workers that were replaced
        self.refused = 0  # answers that were no usable plan
        self.last_error = ""  # why the last answer was refused
        self._clock = clock
        self._job = 0
        self._prepare()

    @property
    def alive(self) -> bool:
        """It searches, or can begin to."""
        return not self._connection.closed and (self._process.pid is None or self._process.is_alive())

    @property
    def faults(self) -> int:
        """Workers that were replaced and answers that were no usable plan."""
        return self.restarts + self.refused

    @property
    def busy(self) -> bool:
        """A problem was submitted and its answer is still to come."""
        return self._answered < self._job

    def __deepcopy__(self, memo: dict[int, object]) -> PlanWorker:
        """A process cannot be copied: the copies of a planner share it. Answers tell by their start whose they are."""
        return self

    def submit(self, problem: FrbProblem, seed: int, budget: int) -> bool:
        """Ask for a plan after `budget` iterations; False if the worker cannot take it now."""
        if not self.alive or self._job - self._answered >= MOST_OUTSTANDING:
            return False
        self.start()
        try:
            self._connection.send((self._job + 1, problem, seed, budget))
        except (OSError, ValueError):  # died a moment ago; poll() replaces it
            return False
        self._job += 1
        self._deadline = self._clock() + (self.params.worker_timeout if self._ready else self.params.worker_startup)
        return True

    def poll(self) -> FrbPlan | None:
        """The plan of the newest problem if it has come, without waiting."""
        if self._connection.closed:
            return None
        newest = None
        try:
            while self._connection.poll():
                newest = self._take(*self._connection.recv()) or newest
        except (EOFError, OSError, pickle.UnpicklingError, TypeError, ValueError) as error:
            self.last_error = repr(error)
            self.restart()
        if not self.alive or (self.busy and self._clock() > self._deadline):
            self.restart()
        return newest

    def restart(self) -> None:
        """Replace the worker, unless it was replaced too often; what it was working on is lost."""
        if self.restarts >= self.params.worker_restarts:
            self.close()
            return
        self.restarts += 1
        self.close()
        self._prepare()
        self.start()

    def close(self) -> None:
        """End the worker."""
        self._connection.close()
        self._theirs.close()
        if self._process.pid is not None:
            self._process.kill()
            self._process.join()
        self._answered = self._job

    def start(self) -> None:
        """Start the process, unless it has been."""
        if self._process.pid is None:
            with single_threaded_blas(), ordinary_start_method():
                self._process.start()
            self._theirs.close()  # so that the end of the worker is the end of the pipe

    def _prepare(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, self._theirs = context.Pipe()
        arguments = (self._theirs, self.params)
        self._process = context.Process(target=_main, args=arguments, daemon=True, name="hmpc-planner")
        self._ready = False
        self._answered = self._job
        self._deadline = 0.0

    def _take(self, job: int, answer: object) -> FrbPlan | None:
        if job == ALIVE:  # slow is not hung: a long search on a busy machine may take its time
            self._ready = True
            self._deadline = self._clock() + self.params.worker_timeout
            return None
        self._answered = max(self._answered, job)
        if job < self._job:  # a newer problem is under way
            return None
        if not isinstance(answer, FrbPlan) or not _is_finite(answer):
            self.refused += 1
            self.last_error = answer if isinstance(answer, str) else f"not a finite plan: {type(answer).__name__}"
            return None
        return replace(answer)  # freezes the arrays again, which pickling does not


def _main(connection: Connection, params: FrbParams) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the simulation decides when to stop
    Thread(target=_end_with_parent, daemon=True).start()
    serve(connection, params)


def _end_with_parent() -> None:
    """A simulation that is killed takes its worker with it, even if that is compiling for a minute."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def serve(connection: Connection, params: FrbParams) -> None:
    """The worker's loop: take the newest problem, search, answer. Ends when the other end is closed.

    A search leaves cycles behind, which Python would collect in the middle of a later one, and so rarely that the heap
    grows for hours. After the answer there is time for it, and little to look at besides what is loaded.
    """
    try:
        warm_up(params)
        gc.freeze()
        connection.send((ALIVE, None))
        message: Any = connection.recv()
        while True:
            newer = _search(connection, params, *message)
            gc.collect()
            message = newer or connection.recv()
    except (EOFError, OSError):  # nobody is listening any more
        return


def _search(connection: Connection, params: FrbParams, job: int, problem: FrbProblem, seed: int, budget: int) -> Any:
    """Search and answer; or break off and return the newer problem that came in the meantime."""
    answer: FrbPlan | str
    try:
        search = PlanSearch(problem, params, seed, short=budget <= params.short_search)
        for done in range(0, budget, CHUNK):
            if connection.poll():
                connection.send((job, "replaced by a newer problem"))
                return connection.recv()
            search.iterate(min(CHUNK, budget - done))
            connection.send((ALIVE, None))
        answer = search.best()
    except (EOFError, OSError):
        raise
    except Exception as error:  # a user's objective may raise anything; the loop is told, not stopped
        answer = repr(error)
    connection.send((job, answer))
    return None


def warm_up(params: FrbParams) -> None:
    """Compile (or load from the cache) every kernel by planning to stand on one leg for a moment."""
    ground = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.ones(2))
    leg = LimbModel(name="leg", half_extent=np.array([0.1, 0.05]), root_B=np.zeros(3), reach=1.0, is_foot=True)
    body = BodyModel(mass=70.0, inertia_B=10.0 * np.eye(3), com_height=1.0, step_width=0.0, limbs=(leg,))
    stance = ContactPhase(
        limb="leg",
        t_start=0.0,
        t_end=1.0,
        cop_W=np.zeros((2, 3)),
        f_l=np.full(2, body.mass * params.gravity),
        f_r_W=np.zeros((2, 3)),
        region=ground,
        center_W=np.zeros(3),
    )
    state = FrbState(com_W=np.array([0.0, 0.0, 1.0]), vel_W=np.zeros(3), R_WB=np.eye(3), omega_W=np.zeros(3))
    problem = FrbProblem(state=state, t0=0.0, horizon=0.1, body=body, phases=(stance,), step_width=0.0)
    sample_plan(plan(problem, params, seed=0, iterations=1), 0.0)


def _is_finite(answer: FrbPlan) -> bool:
    arrays = (answer.t, answer.com_W, answer.vel_W, answer.R_WB, answer.omega_W, answer.acc_W)
    return bool(len(answer.t)) and all(np.isfinite(array).all() for array in arrays)


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Environment for a child whose matrices are too small for threads, which would fight with the simulation."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def ordinary_start_method() -> Iterator[None]:
    """A start method that every Python knows: a child is told its parent's, and does not begin without it.

    In the processes of joblib that is joblib's own.
    """
    before = multiprocessing.get_start_method(allow_none=True)
    if before in {None, *multiprocessing.get_all_start_methods()}:  # None: nobody has chosen yet
        yield
        return
    multiprocessing.set_start_method("spawn", force=True)
    try:
        yield
    finally:
        multiprocessing.set_start_method(before, force=True)
