"""The command hub: whoever wants something of the character puts it here, and the session takes it from here.

    keys, sliders, gamepad, network, file, Python -- put --> hub -- take, once a tick --> Session

Rules that hold for every source:

- The newest request wins, whoever made it; so a slider is put when it moves, not over and over again.
- A request holds for `hold` seconds of simulated time. Then its velocities are zero until somebody asks anew; what it
  said about the style (body height, step duration, posture) stays. `HOLD` is for what is repeated as long as it is
  meant, held keys and the network; `LATCHED` is for sliders, files and Python.
- NaN, infinity and words that the robot does not know are refused at the door with an `InputError`; what is beyond the
  robot's limits is clipped and said.
- Requests are stamped with the simulated time of the tick that takes them, so a recorded run can be done again.
- Deeds (a push, a task) are posted, and done in order at the next tick.

The hub does not limit how fast a command changes: the executor does, by steps the legs can follow (`Pace`) and by the
speeds of the standing targets, and doing it here as well would only delay both.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from hmpc.app.commands.limits import check_posture, clip_command
from hmpc.app.commands.request import Request
from hmpc.errors import InputError
from hmpc.types import Command

if TYPE_CHECKING:
    from hmpc.app.commands.deeds import Deed
    from hmpc.robot.spec import RobotSpec

HOLD = 0.5  # [s] after which a key or a connection that says nothing more counts as let go: two missed beats of 4 Hz
LATCHED = math.inf  # [s] until somebody asks for something else
NOBODY = "nobody"  # the source before the first request
MOST_POSTED = 16  # deeds that wait for a tick; a paused simulation takes none


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Effective:
    """What the character is asked for now, and by whom. Immutable: it can be kept and put back."""

    command: Command  # within the robot's limits
    source: str = NOBODY  # who asked for it
    clipped: str = ""  # what the limits cut off, in a sentence; "" if nothing
    hold: float = LATCHED  # [s] of simulated time
    since: float | None = None  # [s] simulated time at which it was first taken; None: not yet
    timed_out: bool = False  # the source went silent, and the velocities are zero for that reason


class CommandHub:
    """Where all commands meet. `put`, `post` and `effective` may be used from any thread."""

    def __init__(self, robot: RobotSpec, command: Command):
        self._lock = Lock()
        self.restart(robot, command)

    def restart(self, robot: RobotSpec, command: Command) -> None:
        """Forget what was asked for: a run begins at time zero, with this command."""
        with self._lock:
            self._robot = robot
            self._effective = Effective(command=command)
            self._posted: deque[Deed] = deque()

    def put(self, source: str, wish: Request | Command, hold: float = LATCHED) -> Effective:
        """Ask for something in the name of `source`; returns what comes of it.

        A `Request` leaves what it does not name as it is, a `Command` says everything. Only the newest wish is kept,
        however many there are.
        """
        if not hold > 0.0:
            raise InputError(f"A command must be held for a positive time, got {hold} s.")
        with self._lock:
            wanted = wish.onto(self._effective.command) if isinstance(wish, Request) else wish
            check_posture(wanted, self._robot)
            command, clipped = clip_command(wanted, self._robot)
            self._effective = Effective(command=command, source=source, clipped=clipped, hold=hold)
            return self._effective

    def post(self, deed: Deed) -> None:
        """Ask for something that is done at the next tick."""
        with self._lock:
            if len(self._posted) >= MOST_POSTED:
                raise InputError(f"{MOST_POSTED} pushes and tasks are waiting already: is the simulation paused?")
            self._posted.append(deed)

    def posted(self) -> list[Deed]:
        """What was posted since the last time; only the session calls this."""
        found: list[Deed] = []
        while self._posted:
            found.append(self._posted.popleft())
        return found

    def take(self, t: float) -> Command:
        """The command for the tick at simulated time `t` [s]; only the session calls this."""
        with self._lock:
            now = self._effective
            if now.since is None:
                self._effective = replace(now, since=t)
            elif t - now.since >= now.hold and not now.timed_out:
                stopped = replace(now.command, velocity_H=np.zeros(2), yaw_rate=0.0)
                self._effective = replace(now, command=stopped, timed_out=True)
            return self._effective.command

    @property
    def effective(self) -> Effective:
        """What the character is asked for now, for displays."""
        return self._effective

    def restore(self, effective: Effective) -> None:
        """Go on as it was when `effective` was read."""
        with self._lock:
            self._effective = effective
