"""How it goes, in a few lines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hmpc.app.session import Session
    from hmpc.app.viewers.stage import Stage

_GOOD, _BAD, _BUSY = "#2f9e44", "#e03131", "#f08c00"


def health(session: Session) -> tuple[str, bool]:
    """A sentence about the character, and whether all is well."""
    if session.fault is not None:
        return f"Stopped. {session.fault} Press Reset.", False
    if session.fall is not None:
        return f"Fallen after {session.fall.t:.1f} s: {session.fall.reason}. Press Reset.", False
    return "walking" if session.stack.is_walking else "standing", True


def pace(stage: Stage) -> str:
    """Time, and how fast it passes."""
    factor = "paused" if stage.paused else f"{stage.real_time_factor:.2f} x real time"
    return f"{stage.session.environment.name}, {stage.session.time:.1f} s, {factor}"


def asked(session: Session) -> str:
    """The command that holds, and who gave it."""
    now = session.hub.effective
    (vx, vy), turn = now.command.velocity_H, now.command.yaw_rate
    source = f"{now.source}, timed out" if now.timed_out else now.source
    return f"asked {vx + 0.0:.2f} {vy + 0.0:.2f} m/s, {turn + 0.0:.2f} rad/s ({source})"


def trouble(session: Session) -> str:
    """What did not go as planned, counted."""
    return f"{session.stack.late_plans} late plans, {session.metrics.failures} faults"


def as_text(stage: Stage) -> str:
    """For a window that shows plain text."""
    words = stage.preparing or health(stage.session)[0]
    return "\n".join((pace(stage), words, asked(stage.session), trouble(stage.session)))


def as_html(stage: Stage) -> str:
    """For the head of the page."""
    words, well = health(stage.session)
    color = _BUSY if stage.preparing else _GOOD if well else _BAD
    lines = [
        f'<b style="color:{color}">{escape(stage.preparing or words)}</b>',
        *(escape(line) for line in (pace(stage), asked(stage.session))),
        f'<span style="opacity:0.6">{escape(trouble(stage.session))}</span>',
    ]
    return f'<div style="padding:0.2em 0.8em 0.4em;font-size:0.85em;line-height:1.5">{"<br>".join(lines)}</div>'
