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
    return session.stack.doing, True


def pace(stage: Stage) -> str:
    """Time, and how fast it passes; by the millisecond where single ticks are looked at."""
    place, time = stage.session.environment.name, stage.session.time
    if stage.paused:
        return f"{place}, {time:.3f} s, paused"
    return f"{place}, {time:.1f} s, {stage.real_time_factor:.2f} x real time"


def asked(session: Session) -> str:
    """The command that holds, and who gave it."""
    now = session.hub.effective
    source = f"{now.source}, timed out" if now.timed_out else now.source
    return f"asked {_velocity((*now.command.velocity_H, now.command.yaw_rate))} ({source})"


def goes(stage: Stage) -> str:
    """What comes of it: the mean velocity of the last stride."""
    return f"goes {_velocity(stage.history.mean_velocity(stage.session.state.t - STRIDE))}"


def _velocity(values: Iterable[float]) -> str:
    vx, vy, turn = (f"{round(value, 2) + 0.0:.2f}" for value in values)  # + 0.0: there is no minus zero
    return f"{vx} {vy} m/s, {turn} rad/s"


def trouble(session: Session) -> str:
    """What did not go as planned, counted."""
    return f"{session.stack.late_plans} late plans, {session.metrics.failures} faults"


def as_text(stage: Stage) -> str:
    """For a window that shows plain text."""
    words = textwrap.fill(stage.preparing or health(stage.session)[0], _LINE)
    return "\n".join((pace(stage), words, asked(stage.session), goes(stage), trouble(stage.session)))


def as_html(stage: Stage) -> str:
    """For the head of the page."""
    words, well = health(stage.session)
    color = _BUSY if stage.preparing else _GOOD if well else _BAD
    lines = [
        f'<b style="color:{color}">{escape(stage.preparing or words)}</b>',
        *(escape(line) for line in (pace(stage), asked(stage.session), goes(stage))),
        f'<span style="opacity:0.6">{escape(trouble(stage.session))}</span>',
    ]
    return f'<div style="padding:0.2em 0.8em 0.4em;font-size:0.85em;line-height:1.5">{"<br>".join(lines)}</div>'
