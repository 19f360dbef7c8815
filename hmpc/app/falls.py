"""Falls, and the way up again.

who falls -> the motors brake -> asked to get up, and lies still -> the task begins where the body lies

A fall stays in the report, whatever becomes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.errors import InputError

if TYPE_CHECKING:
    from hmpc.tasks.task import Task
    from hmpc.types import RobotState


class Fall(NamedTuple):
    """When and why the character counts as fallen."""

    t: float  # [s]
    reason: str


class Falls:
    """The falls of a run, and whether the character is down because of the last one."""

    def __init__(self, still: float):
        self._still = still  # [m/s], [rad/s] of who lies still, at most
        self.all: list[Fall] = []
        self.down = False  # the motors brake
        self.wanted: Task | None = None  # by which the character gets up as soon as it lies still

    @property
    def first(self) -> Fall | None:
        return self.all[0] if self.all else None

    @property
    def last(self) -> Fall | None:
        return self.all[-1] if self.all else None

    @property
    def over(self) -> bool:
        """Whether the character is down and nobody has asked it to get up."""
        return self.down and self.wanted is None

    def add(self, fall: Fall) -> None:
        """One more."""
        self.all.append(fall)
        self.down = True

    def check(self, task: Task) -> None:
        """Raise `InputError` if who is down cannot begin this task."""
        if self.down and not task.begins_lying:
            raise InputError(f"A character that has fallen cannot begin {task.name!r}: let it get up, or reset it.")

    def way_up(self, state: RobotState) -> Task | None:
        """The task that begins now, with which the character is not down any more; None if it is not time."""
        if self.wanted is None or np.abs(state.qvel).max() > self._still:
            return None
        task, self.wanted, self.down = self.wanted, None, False
        return task
