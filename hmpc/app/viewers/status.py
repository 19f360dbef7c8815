"""How it goes, in a few lines."""

from __future__ import annotations

import textwrap
from html import escape
from typing import TYPE_CHECKING

from hmpc.app.viewers.recovery import STRIDE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hmpc.app.session import Session
    from hmpc.app.viewers.stage import Stage
    from hmpc.types import Array

_LAG = 0.8  # share of the speed asked for, below which it is said
_LINE = 60  # letters in a line of a desktop window
_GOOD, _BAD, _BUSY = "#2f9e44", "#e03131", "#f08c00"


def health(session: Session) -> tuple[str, bool]:
    """A sentence about the character, and whether all is well."""
    if session.fault is not None:
        return f"Stopped. {session.fault} Press Reset.", False
    if session.falls.wanted is not None:
        return "Fallen. It gets up as soon as it lies still.", False
    if session.falls.down and (fall := session.falls.last) is not None:
        ways = ["Reset", *(name.replace("_", " ").capitalize() for name in session.tasks_now())]
        return f"Fallen after {fall.t:.1f} s: {fall.reason}. Press {' or '.join(ways)}.", False
    if session.stack.barrier is not None and session.command.velocity_H.any():
        return f"{session.stack.doing}: {session.stack.barrier}", True
    return session.stack.doing, True


def pace(stage: Stage) -> str:
    """Time, and how fast it passes; by the millisecond where single ticks are looked at."""
    place, time = stage.session.environment.name, stage.session.time
    if stage.paused:
        return f"{place}, {time:.3f} s, paused"
    return f"{place}, {time:.1f} s, {stage.real_time_factor:.2f} x real time"


def lags(stage: Stage) -> bool:
    """Whether time passes clearly more slowly than it was asked to."""
    return not stage.paused and stage.real_time_factor < _LAG * stage.speed


def asked(session: Session) -> str:
    """The command that holds, and who gave it."""
    now = session.hub.effective.command
    return f"asked {_sentence((*now.velocity_H, now.yaw_rate))} ({source(session)})"


def source(session: Session) -> str:
    """Who gave the command that holds, and what became of it."""
    now = session.hub.effective
    return now.source + (", timed out" if now.timed_out else ", clipped" if now.clipped else "")


def goes(stage: Stage) -> str:
    """What comes of the command."""
    return f"goes {_sentence(velocity(stage))}"


def velocity(stage: Stage) -> Array:
    """(3,) forward, left [m/s], turn [rad/s]: the mean of the last stride."""
    return stage.history.mean_velocity(stage.session.state.t - STRIDE)


def _sentence(values: Iterable[float]) -> str:
    vx, vy, turn = _numbers(values)
    return f"{vx} {vy} m/s, {turn} rad/s"


def _numbers(values: Iterable[float]) -> tuple[str, ...]:
    return tuple(f"{round(value, 2) + 0.0:.2f}" for value in values)  # + 0.0: there is no minus zero


def trouble(session: Session) -> str:
    """What did not go as planned, counted."""
    late, failed = session.stack.late_plans, session.metrics.failures
    return f"{late} late plan{'s' * (late != 1)}, {failed} fault{'s' * (failed != 1)}"


def as_text(stage: Stage) -> str:
    """For a window that shows plain text."""
    words = textwrap.fill(stage.preparing or health(stage.session)[0], _LINE)
    return "\n".join((pace(stage), words, asked(stage.session), goes(stage), trouble(stage.session)))


def as_html(stage: Stage) -> str:
    """For the head of the page."""
    words, well = health(stage.session)
    color = _BUSY if stage.preparing else _GOOD if well else _BAD
    time = escape(pace(stage))
    if lags(stage):  # in the same line: what is below must not jump
        time = f'<span style="color:{_BUSY}" title="This machine cannot go that fast.">{time} (too slow)</span>'
    content = f'<b style="color:{color}">{escape(stage.preparing or words)}</b><br>{time}{_velocities(stage)}'
    return f'<div style="padding:0.2em 0.8em 0.4em;font-size:0.85em;line-height:1.5">{content}</div>'


def _velocities(stage: Stage) -> str:
    """A table of what is asked for and what comes of it."""
    now = stage.session.hub.effective
    rows = (
        (0.6, "", ("forward", "left", "turn")),
        (1.0, f"asked ({source(stage.session)})", _numbers((*now.command.velocity_H, now.command.yaw_rate))),
        (1.0, "goes", _numbers(velocity(stage))),
        (0.6, trouble(stage.session), ("m/s", "m/s", "rad/s")),
    )
    cells = "".join(
        f'<tr style="opacity:{opacity}"><td>{escape(name)}</td>'
        + "".join(f'<td style="text-align:right;min-width:3.5em">{value}</td>' for value in values)
        + "</tr>"
        for opacity, name, values in rows
    )
    return f'<table style="width:100%;border-spacing:0;font-variant-numeric:tabular-nums">{cells}</table>'
