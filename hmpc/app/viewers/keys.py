"""The keys that steer the character, the same in every window."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hmpc.app.commands.request import as_request

if TYPE_CHECKING:
    from hmpc.app.viewers.stage import Stage

SOURCE = "keys"
PUSH = 15.0  # [N s] forward
HELP = "I/K faster/slower, J/L turn, U/O sideways, H stop, G push, T task, R reset, Space pause, N one tick"


class Key(NamedTuple):
    """What a key adds to the command."""

    meaning: str
    forward: float = 0.0  # [m/s]
    left: float = 0.0  # [m/s]
    turn: float = 0.0  # [rad/s] counter-clockwise


STEERING = {
    "I": Key("faster, or less backwards", forward=0.1),
    "K": Key("slower, or backwards", forward=-0.1),
    "J": Key("turn left", turn=0.1),
    "L": Key("turn right", turn=-0.1),
    "U": Key("to the left", left=0.05),
    "O": Key("to the right", left=-0.05),
}
OTHERS = {
    "H": "stop",
    "G": f"push forward with {PUSH:g} N s",
    "T": "begin a task: get up, sit down, stand up, climb",
    "R": "reset",
    " ": "pause or play",
    "N": "pause and go on by one tick",
}


def press(key: str, stage: Stage) -> None:
    """Do what a key stands for; a key that stands for nothing does nothing.

    Windows tell when a key goes down, not when it comes up again, so keys change a command that then stays: they do
    not have to be held.
    """
    session = stage.session
    if key in STEERING:
        step, now = STEERING[key], as_request(session.command)
        wish = replace(
            now,
            vx=round(now.vx + step.forward, 6),
            vy=round(now.vy + step.left, 6),
            yaw_rate=round(now.yaw_rate + step.turn, 6),
        )
        session.hub.put(SOURCE, wish)
    elif key == "H":
        session.hub.put(SOURCE, replace(as_request(session.command), vx=0.0, vy=0.0, yaw_rate=0.0))
    elif key == "G":
        stage.push(PUSH, 0.0)
    elif key == "T":
        stage.begin_next()
    elif key == "R":
        stage.reset()
    elif key == " ":
        stage.paused = not stage.paused
    elif key == "N":
        stage.step_once()
