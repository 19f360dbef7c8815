"""The controller of a session, at its start."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from hmpc.errors import UnknownNameError
from hmpc.forces.sharing import Sharing
from hmpc.planning import Clock, PlanKind
from hmpc.registry import find_task
from hmpc.sim.beliefs import mistaken_heights
from hmpc.stack import Stack
from hmpc.tasks.situation import Scene
from hmpc.wholebody.controller import PdKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hmpc.app.session import Session

_KINDS = {"pd": PdKind, "plan": PlanKind, "clock": Clock, "sharing": Sharing}


def check_kinds(controller: Mapping[str, str]) -> None:
    """Raise `UnknownNameError` if one of the options of a controller is none that there is."""
    for option, kind in _KINDS.items():
        if controller[option] not in get_args(kind):
            raise UnknownNameError(option, controller[option], get_args(kind))


def new_stack(session: Session) -> Stack:
    """A stack for the character as it stands, sits or lies, with the task that it begins with."""
    sim, environment = session.simulator, session.environment
    stack = Stack(
        sim.robot,
        sim.body_model,
        mistaken_heights(environment.regions(), session.height_error, session.seed),
        session.params,
        session.state,
        dt=sim.control_period,
        seed=session.seed,
        scene=Scene(
            regions=environment.regions(),
            handholds=environment.handholds(),
            seats=environment.seats(),
            lying=sim.start.lying is not None,
        ),
        standing=sim.start.seat_height is None and sim.start.lying is None,
        **session.controller,  # type: ignore[arg-type]
    )
    if sim.start.task is not None:
        stack.begin(find_task(sim.start.task), session.state)
    return stack
