"""The stage: the session that the windows show, how it is played, and what can be changed while it plays.

Everything here happens in the thread of the simulation, between two ticks; windows bring wishes from other threads
over a queue.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hmpc.app.viewers.history import History
from hmpc.app.viewers.recovery import Recovery
from hmpc.errors import HmpcError, SimulationError
from hmpc.sim.simulator import Push

if TYPE_CHECKING:
    from hmpc.app.commands.hub import CommandHub
    from hmpc.app.records.takes import Takes
    from hmpc.app.session import Session
    from hmpc.params import Params

FRAME = 1.0 / 30.0  # [s] between two pictures
_MOST_NOTICES = 5  # that wait for a window to show them, or for somebody to look
_SMOOTHING = 0.1  # of the real-time factor, per frame

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Setting:
    """What is on stage: who, where, and which of all the random things that can happen."""

    environment: str  # its name, or package.module:Name
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of the environment, if not at their defaults
    robot: str = "humanoid"
    seed: int = 0


SessionMaker = Callable[["Setting", "Params", "CommandHub"], "Session"]


class Stage:
    """A session that plays, pauses, begins again, and gives way to another one without closing the window."""

    def __init__(self, session: Session, setting: Setting, make: SessionMaker, takes: Takes | None = None):
        self.session, self.setting, self._make = session, setting, make
        self._takes = takes  # records what happens here
        self.paused = False
        self.speed = 1.0  # simulated seconds per second
        self.real_time_factor = 1.0  # simulated seconds per second of this machine's time, at most `speed`
        self.preparing = ""  # what keeps the character waiting; "": nothing
        self.history = History()
        self.history.add(session)
        self.recovery: Recovery | None = None  # from the last push
        self.notices: deque[str] = deque(maxlen=_MOST_NOTICES)  # sentences that no window has shown yet

    # ----- playing

    def play_frame(self) -> None:
        """Simulate what belongs into the time of one picture, or as much of it as this machine can."""
        if not self.paused:
            self._play_frame()
        self.history.add(self.session)
        self._watch_pushes()

    def _play_frame(self) -> None:
        began = time.monotonic()
        simulated = self.simulate(self.speed * FRAME, began + FRAME)
        took = max(time.monotonic() - began, FRAME)
        self.real_time_factor += _SMOOTHING * (simulated / took - self.real_time_factor)

    def _watch_pushes(self) -> None:
        """The last push gets a score, whoever gave it: a button, a key, the network."""
        pushes = (deed for _, deed in reversed(self.session.agenda.done) if isinstance(deed, Push))
        last = next(pushes, None)
        if last is not None and (self.recovery is None or self.recovery.push is not last):
            self.recovery = Recovery(last, self.session, self.history)
        if self.recovery is not None:
            self.recovery.watch(self.history)

    def simulate(self, seconds: float, deadline: float) -> float:
        """Up to `seconds` of simulation, but not past the deadline on the clock; returns the seconds simulated."""
        session = self.session
        start = session.time
        try:
            while not session.ended and session.time - start < seconds and time.monotonic() < deadline:
                session.tick()
                if self._takes is not None:
                    self._takes(session)
        except SimulationError:
            pass  # session.fault says what happened
        except Exception as error:  # a plug-in: the window stays and says so, the log has the details
            session.ended, session.fault = True, f"The simulation failed at {session.time:.3f} s: {error!r}."
            _log.exception("%s", session.fault)
        return session.time - start

    def step_once(self) -> None:
        """Pause, and go on by a single tick."""
        self.paused = True
        self.simulate(0.5 * self.session.simulator.control_period, deadline=float("inf"))

    # ----- changing

    def push(self, impulse: float, direction: float) -> None:
        """Push now, with `impulse` [N s] towards `direction` [rad]."""
        self.session.push(Push(self.session.time, impulse, direction))

    def begin(self, task: str) -> None:
        """Start a task; if it cannot be had, it is said and nothing changes."""
        try:
            self.session.task(task)
        except HmpcError as error:
            self.notices.append(str(error))

    def begin_next(self) -> None:
        """Start the task that comes after the last one in the list of those offered now."""
        offered, last = self.session.tasks_now(), self.session.stack.task
        if not offered:
            self.notices.append("There is no task to begin here.")
            return
        before = offered.index(last.task.name) if last and last.task.name in offered else -1
        self.begin(offered[(before + 1) % len(offered)])

    def reset(self) -> None:
        """Back to the start, standing still."""
        self.cut()
        self.session.reset()
        self.recovery = None

    def cut(self) -> None:
        """What is recorded ends here; what comes next is another run."""
        if self._takes is not None:
            self._takes.cut(self.session)

    def swap(self, setting: Setting) -> bool:
        """Another environment, robot or seed; if that cannot be had, it is said and everything stays as it is."""
        old = self.session
        if setting == self.setting:
            self.reset()
            return True
        try:
            made = self._make(setting, old.params, old.hub)
        except HmpcError as error:
            self.notices.append(str(error))
            return False
        self.cut()
        self.session = made
        old.close()
        self.setting, self.recovery = setting, None
        return True

    def retune(self, params: Params) -> bool:
        """Go on with other parameters; if they make no sense, it is said and the old ones stay."""
        try:
            self.session.retune(params)
        except HmpcError as error:
            self.notices.append(str(error))
            return False
        return True

    def reseed(self, seed: int) -> None:
        """Begin again with another seed."""
        self.swap(replace(self.setting, seed=seed))


class NoticeHandler(logging.Handler):
    """Warnings and errors of the log, for the windows: what the terminal says, the page says too."""

    def __init__(self, stage: Stage):
        super().__init__(logging.WARNING)
        self._stage = stage

    def emit(self, record: logging.LogRecord) -> None:
        self._stage.notices.append(record.getMessage())
