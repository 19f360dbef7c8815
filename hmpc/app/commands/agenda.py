"""The agenda of a run: what its tape still asks for, and what has been done so far."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING

from hmpc.app.commands.deeds import Begin, Deed, Tune
from hmpc.app.config import with_overrides
from hmpc.errors import HmpcError, UnknownNameError
from hmpc.registry import find_task
from hmpc.sim.simulator import Push

if TYPE_CHECKING:
    from hmpc.app.commands.tape import CommandTape
    from hmpc.app.session import Session
    from hmpc.types import Command

_log = logging.getLogger(__name__)

SAME_TIME = 1e-9  # [s] by which the time of a tick may be off after many additions


class Agenda:
    """Deeds and commands by time [s]; the session asks at every tick what is due."""

    def __init__(self) -> None:
        self.done: list[tuple[float, Deed]] = []  # pushes to come among them: they are the physics' business already
        self.tape: CommandTape | None = None
        self._coming: deque[tuple[float, Deed]] = deque()
        self._command: Command | None = None

    def follow(self, tape: CommandTape) -> list[Push]:
        """Go by a tape from now on. Returns its pushes, which know their time to the step of physics."""
        self.tape = tape
        self._coming = deque((t, deed) for t, deed in tape.deeds if not isinstance(deed, Push))
        return [deed for _, deed in tape.deeds if isinstance(deed, Push)]

    @property
    def gets_up(self) -> bool:
        """Whether the tape still asks for a task by which who has fallen gets up."""
        return any(isinstance(deed, Begin) and find_task(deed.task).begins_lying for _, deed in self._coming)

    def due(self, t: float) -> list[Deed]:
        """Deeds of the tape whose time has come."""
        found = []
        while self._coming and self._coming[0][0] <= t + SAME_TIME:
            found.append(self._coming.popleft()[1])
        return found

    def new_command(self, t: float) -> Command | None:
        """What the tape asks for at `t`, if it is not what it asked for the last time."""
        if self.tape is None or (command := self.tape.at(t)) is self._command:
            return None
        self._command = command
        return command


def check_deeds(session: Session, tape: CommandTape) -> None:
    """Raise `InputError` if a tape asks for a task or a parameter that does not exist where the session is."""
    params = session.params
    for _, deed in tape.deeds:
        if isinstance(deed, Begin) and deed.task not in session.tasks():
            raise UnknownNameError(f"task in environment {session.environment.name!r}:", deed.task, session.tasks())
        if isinstance(deed, Tune):
            params = with_overrides(params, deed.values)


def perform(session: Session, deed: Deed) -> None:
    """Do it between two ticks; what cannot be done is said, and the run goes on."""
    try:
        if isinstance(deed, Push):
            session.push(deed)
        elif isinstance(deed, Begin):
            session.task(deed.task)
        else:
            session.retune(with_overrides(session.params, deed.values))
    except HmpcError as error:
        _log.warning("%s", error)
