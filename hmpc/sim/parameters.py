"""Parameters of an environment: plain dataclass fields that know their unit, range and meaning.

Command line, sliders, documentation and validation all read the same `Parameter`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

import numpy as np

from hmpc.errors import InputError, SpecError

_KEY = "hmpc.parameter"


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One knob of an environment: a number within [low, high], or a word out of `choices`."""

    name: str = ""  # the field's, filled in by `parameters_of`
    default: float | int | str
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    help: str
    choices: tuple[str, ...] = ()

    @property
    def valid(self) -> str:
        """The valid values in words, for messages and help texts."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} from {self.low:g} to {self.high:g}{' ' + self.unit if self.unit else ''}"

    def check(self, value: object) -> None:
        """Raise `InputError` unless `value` is valid; NaN and infinity never are."""
        if self.choices:
            good = value in self.choices
        else:
            kinds = (int, np.integer) if isinstance(self.default, int) else (int, np.integer, float, np.floating)
            good = isinstance(value, kinds) and not isinstance(value, bool) and self.low <= float(value) <= self.high
        if not good:
            raise InputError(f"Parameter {self.name!r} must be {self.valid}, got {value!r}.")

    def parse(self, text: str) -> float | int | str:
        """The value that `text` (from a command line or a file) stands for; checked."""
        value: float | int | str = text
        if not self.choices:
            try:
                value = type(self.default)(text)
            except ValueError:
                raise InputError(f"Parameter {self.name!r} must be {self.valid}, got {text!r}.") from None
        self.check(value)
        return value


def parameter(default: float, low: float, high: float, unit: str, help: str) -> Any:
    """A dataclass field for a number; a whole number if `default` is an int."""
    return field(default=default, metadata={_KEY: Parameter(default=default, low=low, high=high, unit=unit, help=help)})


def choice(default: str, choices: tuple[str, ...], help: str) -> Any:
    """A dataclass field for one word out of `choices`."""
    return field(default=default, metadata={_KEY: Parameter(default=default, choices=choices, help=help)})


def parameters_of(environment: object) -> tuple[Parameter, ...]:
    """The parameters of an environment (instance or class), in the order of its fields."""
    if not is_dataclass(environment):
        return ()
    found = []
    for item in fields(environment):
        if _KEY not in item.metadata:
            raise SpecError(f"Field {item.name!r} of {environment!r} must default to parameter(...) or choice(...).")
        found.append(replace(item.metadata[_KEY], name=item.name))
    return tuple(found)


def check_parameters(environment: object) -> None:
    """Raise `InputError` naming the valid range if a field of `environment` is outside of it."""
    for item in parameters_of(environment):
        item.check(getattr(environment, item.name))
