"""The error tree: one base class, so that callers can catch everything hmpc raises.

Bad input raises one of these with the valid choices in its message. Bad luck
(a solver that fails, a late plan, a fall) is not an error: it is a status.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path


class HmpcError(Exception):
    """Base of every error raised on purpose by hmpc."""


class InputError(HmpcError):
    """A value given by the user is not usable (the command line exits with 2)."""


class UnknownNameError(InputError):
    """A name was given that does not exist; the message lists the ones that do."""

    def __init__(self, kind: str, name: str, valid: Iterable[str]):
        choices = sorted(valid)
        close = get_close_matches(name, choices, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        super().__init__(f"Unknown {kind} {name!r}.{hint} Available: {', '.join(choices) or 'none'}.")


class SpecError(InputError):
    """A robot or environment description does not fit its model."""


class PluginError(HmpcError):
    """A plug-in could not be loaded, or its code failed."""


class SimulationError(HmpcError):
    """The simulation cannot go on (a non-finite state or torque)."""


def raised_at(error: BaseException) -> str:
    """File and line that an error comes from."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"


@contextlib.contextmanager
def code_of(what: str) -> Iterator[None]:
    """Around somebody else's code: whatever it raises becomes one sentence that says where."""
    try:
        yield
    except HmpcError:
        raise
    except Exception as error:
        raise PluginError(f"{what} failed with {error!r} in {raised_at(error)}.") from error
