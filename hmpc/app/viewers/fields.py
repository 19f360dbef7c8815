"""Controls made from declarations: the parameters of an environment, the numbers of a params dataclass."""

from __future__ import annotations

import inspect
import io
import math
import re
import tokenize
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import viser

    from hmpc.sim.parameters import Parameter

_MOST_NOTCHES = 1000  # a whole number with a wider range than this is typed, not slid
_NOTCHES = 100  # of a slider for a real number
_RANGE = 10.0  # a number of the controller can be made so many times larger or smaller in the page


def add_parameter(gui: viser.GuiApi, parameter: Parameter, value: Any) -> Any:
    """A control for a parameter of an environment, with its unit and range."""
    label = parameter.name.replace("_", " ") + (f" [{parameter.unit}]" if parameter.unit else "")
    hint = f"{parameter.help} ({parameter.valid})"
    if parameter.choices:
        return gui.add_dropdown(label, options=parameter.choices, initial_value=value, hint=hint)
    low, high = parameter.low, parameter.high
    if isinstance(parameter.default, int):
        if high - low > _MOST_NOTCHES:
            least, most = (int(bound) if math.isfinite(bound) else None for bound in (low, high))
            return gui.add_number(label, value, min=least, max=most, step=1, hint=hint)
        return gui.add_slider(label, min=int(low), max=int(high), step=1, initial_value=int(value), hint=hint)
    if not (math.isfinite(low) and math.isfinite(high)):
        return gui.add_number(label, float(value), hint=hint)
    return gui.add_slider(
        label, min=low, max=high, step=_round_step((high - low) / _NOTCHES), initial_value=float(value), hint=hint
    )


def add_field(gui: viser.GuiApi, name: str, value: Any, usual: Any, comment: str) -> Any:
    """A control for a number or switch of the controller; `usual` is its default, the comment begins with its unit."""
    label = " ".join((name, *re.findall(r"^\[.*?\]", comment)))
    if isinstance(usual, tuple):
        return gui.add_text(label, as_text(value), hint=f"{comment} (default {as_text(usual)})".strip())
    hint = f"{comment} (default {usual:g})".strip()
    if isinstance(usual, bool):
        return gui.add_checkbox(label, value, hint=hint)
    low, high = sorted((usual / _RANGE, usual * _RANGE)) if usual else (-1.0, 1.0)
    low, high = min(low, value), max(high, value)
    if isinstance(usual, int):
        return gui.add_number(label, value, min=max(1, math.floor(low)), max=math.ceil(high), step=1, hint=hint)
    step = _round_step(abs(usual) / _NOTCHES) if usual else 0.01
    return gui.add_number(label, value, min=low, max=high, step=step, hint=hint)


def as_text(value: Any) -> Any:
    """A list of numbers as it is typed; anything else as it is."""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


def _round_step(step: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above `step`."""
    power = 10.0 ** math.floor(math.log10(step))
    return power * max(factor for factor in (1.0, 2.0, 5.0) if factor * power <= step * 1.001)


def comments_of(kind: type) -> dict[str, str]:
    """What the comments beside the fields of a dataclass say: unit, reason, section of the paper."""
    names = {item.name for item in fields(kind)}
    found: dict[str, str] = {}
    try:
        source = inspect.getsource(kind)
    except OSError:  # installed without its source: the controls work, without hints
        return found
    name = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME and token.string in names and not name:
            name = token.string
        elif token.type == tokenize.COMMENT and name:
            found[name] = token.string.lstrip("# ")
        elif token.type in (tokenize.NEWLINE, tokenize.NL):
            name = ""
    return found
