"""Live plots, and the timeline of contacts: which limb touched when, and what is planned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.app.viewers.history import SPAN

if TYPE_CHECKING:
    from collections.abc import Sequence

    import viser

    from hmpc.app.session import Session
    from hmpc.app.viewers.history import History
    from hmpc.app.viewers.stage import Stage

_HEIGHT = 130  # [px] of a plot
_COLORS = ("#d9480f", "#1971c2", "#2f9e44", "#7048e8")
_AXIS = {"size": 48}  # [px] room for "1,000"
_GRAVITY = 9.81  # [m/s^2]
_AHEAD = 1.5  # [s] of the plan on the timeline
_BEHIND = 3.0  # [s] of the past on it
_ROW = 18  # [px] height of a limb on it
_LABEL = 64  # [px] width of the names
_WIDTH = 300  # [px] of the whole timeline


class Charts:
    """Velocity against command, COM height, forces on feet and hands, contact timeline."""

    def __init__(self, gui: viser.GuiApi, session: Session):
        limbs = [limb for limb in session.robot.limbs if limb.kind in ("foot", "hand")][: len(_COLORS)]
        self._limbs = [session.robot.limbs.index(limb) for limb in limbs]
        self._timeline_on = gui.add_checkbox("contact timeline", True, hint="dark: measured; light: planned")
        self._timeline = gui.add_html("")
        self._plots_on = gui.add_checkbox("live plots", True)
        names = ("forward", "left", "turn")
        body = session.simulator.body_model
        heights, forces = (0.85 * body.com_height, 1.02 * body.com_height), (0.0, _GRAVITY * body.mass)
        self._keys = [_key(gui, names)]
        self._velocity = _plot(gui, "velocity [m/s], [rad/s]; dashed: asked for", names, (-0.3, 0.6), dashed=names)
        self._height = _plot(gui, "COM height [m]", ("COM",), heights)
        self._keys.append(_key(gui, [limb.name.replace("_", " ") for limb in limbs]))
        self._force = _plot(gui, "forces on the limbs [N]", [limb.name for limb in limbs], forces)

    def show(self, stage: Stage) -> None:
        """Draw the last seconds."""
        history = stage.history
        for part in (self._velocity, self._height, self._force, *self._keys):
            part.visible = self._plots_on.value
        self._timeline.visible = self._timeline_on.value
        if self._timeline_on.value:
            self._timeline.content = timeline(history, stage.session)
        if self._plots_on.value and len(history.samples) > 1:
            self._draw(history)

    def _draw(self, history: History) -> None:
        samples = history.samples
        t = np.array([sample.t for sample in samples])
        velocity = np.array([sample.velocity for sample in samples])
        asked = np.array([sample.asked for sample in samples])
        self._velocity.data = (t, *velocity.T, *asked.T)
        self._height.data = (t, np.array([sample.com_height for sample in samples]))
        self._force.data = (t, *np.array([sample.force[self._limbs] for sample in samples]).T)


def _key(gui: viser.GuiApi, names: Sequence[str]) -> Any:
    """What the colours of the plot below it mean."""
    words = "".join(
        f'<span style="color:{color};padding-right:1em">{name}</span>'
        for name, color in zip(names, _COLORS, strict=False)
    )
    return gui.add_html(f'<div style="padding:0 0.8em;font-size:0.75em">{words}</div>')


def _plot(
    gui: viser.GuiApi, title: str, names: Sequence[str], least: tuple[float, float], dashed: Sequence[str] = ()
) -> Any:
    """Lines over time; the axis shows at least the range `least`, and more where there is more."""
    low, high = ({"soft": bound, "mode": 1, "pad": 0.1} for bound in least)
    series: list[Any] = [{"label": "t [s]"}]
    series += [{"label": name, "stroke": color, "width": 1.5} for name, color in zip(names, _COLORS, strict=False)]
    series += [
        {"label": f"{name} asked", "stroke": color, "width": 1.0, "dash": (5, 4)}
        for name, color in zip(dashed, _COLORS, strict=False)
    ]
    return gui.add_uplot(
        data=tuple(np.array([0.0, SPAN]) if k == 0 else np.zeros(2) for k in range(len(series))),
        series=tuple(series),
        title=title,
        scales={"x": {"time": False}, "y": {"range": {"min": low, "max": high}}},
        axes=({"size": 28}, _AXIS),  # type: ignore[arg-type]
        legend={"show": False},
        height=_HEIGHT,
        padding=(4, 8, 0, 0),
    )


def timeline(history: History, session: Session) -> str:
    """A bar for every stay of a limb on a surface: dark what was, light what tier 2 plans; the line between is now."""
    now = session.state.t
    scale = (_WIDTH - _LABEL) / (_BEHIND + _AHEAD)
    plan = session.stack.plan
    rows: list[str] = []
    y = 0
    for number, limb in enumerate(history.limbs):
        color = _COLORS[number % len(_COLORS)]
        past = [stay for stay in stays(history, limb) if stay[1] > now - _BEHIND]
        phases = [phase for phase in plan.phases if phase.limb == limb] if plan is not None else []
        if not (past or phases or limb.endswith(("foot", "hand"))):
            continue  # knees and the seat are shown when they touch something
        rows.append(_text(0, y + 12, limb.replace("_", " ")))
        for start, end in past:
            rows.append(_bar(max(start, now - _BEHIND), end, now, scale, y, color, 1.0))
        for phase in phases:
            start, end = max(phase.t_start, now), min(phase.t_end, now + _AHEAD)
            rows.append(_bar(start, end, now, scale, y, color, 0.35))
        y += _ROW
    x = _LABEL + _BEHIND * scale
    rows.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{y}" stroke="currentColor" stroke-width="1"/>')
    for at, words in ((_LABEL, f"{_BEHIND:g} s ago"), (x - 10, "now"), (x + 32, "planned")):
        rows.append(_text(at, y + 10, words))
    return f'<svg viewBox="0 0 {_WIDTH} {y + 14}" width="100%" style="padding:0 0.6em">{"".join(rows)}</svg>'


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="11" fill="currentColor" opacity="0.65">{words}</text>'


def _bar(start: float, end: float, now: float, scale: float, y: int, color: str, opacity: float) -> str:
    if end <= start:
        return ""
    x = _LABEL + (start - now + _BEHIND) * scale
    return (
        f'<rect x="{x:.1f}" y="{y + 3}" width="{(end - start) * scale:.1f}" height="{_ROW - 6}" rx="2" '
        f'fill="{color}" fill-opacity="{opacity}"/>'
    )


def stays(history: History, limb: str) -> list[tuple[float, float]]:
    """Begin and end [s] of every contact of `limb` in the history."""
    index, found = history.limbs.index(limb), []
    began: float | None = None
    last = 0.0
    for sample in history.samples:
        if sample.touching[index] and began is None:
            began = sample.t
        elif not sample.touching[index] and began is not None:
            found.append((began, sample.t))
            began = None
        last = sample.t
    return found if began is None else [*found, (began, last)]
