"""The last moments before something went wrong, kept for whoever wants to know why."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from hmpc.types import Array, RobotState

HISTORY = 100  # states that are kept


class BlackBox:
    """States and torques of the last ticks."""

    def __init__(self) -> None:
        self._rows: deque[tuple[float, Array, Array, Array]] = deque(maxlen=HISTORY)

    def add(self, state: RobotState, tau: Array) -> None:
        """One more tick."""
        self._rows.append((state.t, state.qpos, state.qvel, tau))

    def save(self, path: Path, fault: Array) -> str:
        """Write them, and what is wrong; returns a sentence about where they are. A full disk is no second fault."""
        columns = zip(("t", "qpos", "qvel", "tau"), zip(*self._rows, strict=True), strict=False)
        content: dict[str, Any] = {name: np.array(rows) for name, rows in columns}
        try:
            np.savez(path, **content, fault=fault)
        except OSError as error:
            return f"The last states could not be written to {path}: {error.strerror}."
        return f"The last {len(self._rows)} states are in {path}."
