"""What a picture shows of a plan: where the feet and the body will go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hmpc.errors import InputError

if TYPE_CHECKING:
    from hmpc.app.session import Session
    from hmpc.types import Array, FootstepPlan

_FILE = "plans.jsonl"
_MILLIMETRE = 3  # digits that are kept


class PlanPicture(NamedTuple):
    """A plan, as far as it is drawn."""

    t: float  # [s] when it was made
    footsteps: Array  # (K, 4) [m], [rad] position and heading of every foot to come
    alternatives: tuple[Array, ...]  # like footsteps: what tier 1 would do instead
    com_W: Array  # (T, 3) [m] way of the COM

    @staticmethod
    def of(session: Session) -> PlanPicture:
        """The plan that a session follows now; that of a task has no footsteps."""
        plan, options = session.stack.plan, session.stack.footsteps
        assert plan is not None
        if options is None:
            return PlanPicture(session.state.t, np.empty((0, 4)), (), plan.com_W)
        return PlanPicture(session.state.t, _feet(options.best), tuple(map(_feet, options.alternatives)), plan.com_W)


def _feet(plan: FootstepPlan) -> Array:
    """The footholds after the one that stands already."""
    return np.column_stack([plan.foot_W, plan.yaw])[1:]


class PlanWriter:
    """A line of JSON for every plan; a line that was cut off by a kill is left out by the reader."""

    def __init__(self, folder: Path):
        self._path = folder / _FILE
        self._path.write_text("")

    def add(self, plan: PlanPicture) -> None:
        line = json.dumps({name: _plain(value) for name, value in plan._asdict().items()})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return np.round(value, _MILLIMETRE).tolist()


def read_plans(folder: Path) -> list[PlanPicture]:
    """The plans of a run, in the order of their times."""
    path = folder / _FILE
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
        entries = [json.loads(line) for line in lines if line.endswith("\n")]
        return [
            PlanPicture(
                float(entry["t"]),
                np.reshape(entry["footsteps"], (-1, 4)).astype(float),
                tuple(np.reshape(feet, (-1, 4)).astype(float) for feet in entry["alternatives"]),
                np.reshape(entry["com_W"], (-1, 3)).astype(float),
            )
            for entry in entries
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"The plans in {str(path)!r} cannot be read: {error}.") from None
