"""Deeds: what can be asked for beside a velocity. They happen once, at a moment that the tape of the run remembers.

In command files and tapes a row can name them: `push` [N s] with `push_direction` [rad] and `push_duration` [s],
`task`, and `tune`, new values for parameters of the controller ("tracking.kp_force=3500 frb.iterations=100").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hmpc.errors import InputError
from hmpc.sim.simulator import Push

WORDS = ("task", "tune")  # columns that hold text
COLUMNS = ("task", "push", "push_direction", "push_duration", "tune")


@dataclass(frozen=True)
class Begin:
    """Begin a task of the place."""

    task: str  # its name


@dataclass(frozen=True)
class Tune:
    """Go on with other parameters."""

    values: Mapping[str, Any]  # by dotted path


Deed = Push | Begin | Tune


def deeds_in(row: Mapping[str, Any], t: float) -> list[Deed]:
    """What the columns of a row ask for, at time `t` [s]; raises `InputError` if they make no sense."""
    found: list[Deed] = []
    if "push" in row:
        options = {name: row[f"push_{name}"] for name in ("direction", "duration") if f"push_{name}" in row}
        found.append(_push(t, row["push"], options))
    elif "push_direction" in row or "push_duration" in row:
        raise InputError("push_direction and push_duration need a push.")
    for name, kind in (("task", Begin), ("tune", _tune)):
        if name in row:
            if not isinstance(row[name], str):
                raise InputError(f"{name} must be text, got {row[name]!r}.")
            found.append(kind(row[name]))
    return found


def columns_of(deed: Deed) -> dict[str, Any]:
    """What a row says that asks for this."""
    if isinstance(deed, Push):
        return {"push": deed.impulse, "push_direction": deed.direction, "push_duration": deed.duration}
    if isinstance(deed, Begin):
        return {"task": deed.task}
    return {"tune": " ".join(f"{path}={_text(value)}" for path, value in deed.values.items())}


def _push(t: float, impulse: Any, options: Mapping[str, Any]) -> Push:
    try:
        numbers = {name: float(value) for name, value in options.items()}
        return Push(max(t, 0.0), float(impulse), **{"direction": 0.0, **numbers})
    except (TypeError, ValueError):
        raise InputError(f"A push needs numbers, got {impulse!r} and {dict(options)}.") from None


def _tune(text: str) -> Tune:
    pairs = [pair.partition("=") for pair in text.split()]
    if not pairs or not all(path and equals for path, equals, _ in pairs):
        raise InputError(f"tune must be like 'tracking.kp_force=3500', got {text!r}.")
    return Tune({path: value for path, _, value in pairs})


def _text(value: Any) -> str:
    return ",".join(map(repr, value)) if isinstance(value, list | tuple) else str(value)
