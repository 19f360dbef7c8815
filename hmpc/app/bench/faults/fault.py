"""What a fault is: something that is wrong for a while, and then is not."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from hmpc.app.bench.plant import Plant
from hmpc.app.session import Session

A_STEP = (0.4, 0.6)  # [s] so that at least one plan is concerned while it walks


@dataclass(frozen=True)
class Fault:
    """As long as the context of `inject` lasts, something is wrong with the session."""

    name: str
    inject: Callable[[Session, np.random.Generator], AbstractContextManager[None]]
    seconds: tuple[float, float]  # [s] shortest and longest that it lasts


@contextlib.contextmanager
def replaced(owner: object, name: str, stand_in: Any) -> Iterator[None]:
    """`stand_in` instead of the attribute `name` of an object or module, for as long as the context lasts."""
    before = vars(owner).get(name)  # None: it comes from the class
    setattr(owner, name, stand_in)
    try:
        yield
    finally:
        if before is None:
            delattr(owner, name)
        else:
            setattr(owner, name, before)


def plant_of(session: Session) -> Plant:
    """The body of a session that was made for faults."""
    return cast(Plant, session.simulator)
