"""A session at one moment: everything that its future depends on, to go on from there bit by bit."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hmpc.app.commands.hub import Effective
    from hmpc.app.session import Session
    from hmpc.sim.simulator import Snapshot

_CONTROLLER = ("stack", "params", "guard", "state", "torques", "agenda")
_OUTCOME = ("metrics", "falls", "fault", "ended", "black_box", "cpu_seconds")


class SessionSnapshot(NamedTuple):
    """Everything that the future of a session depends on."""

    simulator: Snapshot
    controller: dict[str, Any]
    asked: Effective | None  # None: the hub stays as it is


def take(session: Session) -> SessionSnapshot:
    """The session as it is now."""
    session.metrics.flush()
    controller = {name: getattr(session, name) for name in (*_CONTROLLER, *_OUTCOME)}
    return SessionSnapshot(session.simulator.save(), _copied(controller, session), session.hub.effective)


def put_back(session: Session, snapshot: SessionSnapshot) -> None:
    """Make the session what it was when `snapshot` was taken of it."""
    session.simulator.restore(snapshot.simulator)
    vars(session).update(_copied(snapshot.controller, session))
    if snapshot.asked is not None:
        session.hub.restore(snapshot.asked)


def _copied(values: dict[str, Any], session: Session) -> dict[str, Any]:
    """A deep copy that shares the robot: its model and data belong to the simulator."""
    robot = session.simulator.robot
    return copy.deepcopy(values, {id(robot): robot})
