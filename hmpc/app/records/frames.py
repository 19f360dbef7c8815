"""Frames: what one picture of a run shows, taken from a session that goes on or from the log of one that is over."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import mujoco
import numpy as np

from hmpc.app.records.columns import Observer
from hmpc.app.records.log import read_log
from hmpc.app.records.plans import PlanPicture, read_plans

if TYPE_CHECKING:
    from hmpc.app.session import Session


class Frame(NamedTuple):
    """One moment."""

    row: Mapping[str, Any]  # the columns of that tick
    plan: PlanPicture | None


class Sink(Protocol):
    """Something that makes a picture of every frame."""

    rate: float  # [1/s] of frames

    def add(self, frame: Frame) -> None:
        """The next frame."""


class Camera:
    """A watcher that hands a frame of the session to `sink` whenever one is due."""

    def __init__(self, sink: Sink):
        self._sink, self._observer, self._taken = sink, Observer(), 0

    def __call__(self, session: Session) -> None:
        if session.time * self._sink.rate < self._taken:
            return
        if (frame := live_frame(session, self._observer)) is not None:
            self._sink.add(frame)
            self._taken += 1


def live_frame(session: Session, observer: Observer | None = None) -> Frame | None:
    """The frame of a session now; None if there is nothing to be said about the last tick."""
    row = (observer or Observer()).row(session)
    planned = session.stack.plan is not None and not session.falls.down
    return None if row is None else Frame(row, PlanPicture.of(session) if planned else None)


class Recording:
    """The frames of a run that is over."""

    def __init__(self, folder: Path):
        self._log, self._plans = read_log(folder), read_plans(folder)
        self._plan_times = [plan.t for plan in self._plans]
        self.t = self._log["t"]

    @property
    def seconds(self) -> float:
        """How long it is."""
        return float(self.t[-1] - self.t[0])

    def at(self, t: float) -> Frame:
        """The last frame up to `t` seconds after the start of the log."""
        k = max(int(np.searchsorted(self.t, self.t[0] + t + 1e-9, side="right")) - 1, 0)
        made = bisect_right(self._plan_times, float(self.t[k]))
        row = {name: column[k] for name, column in self._log.items() if len(column) == len(self.t)}
        return Frame(row, self._plans[made - 1] if made else None)

    def frames(self, rate: float) -> Iterator[Frame]:
        """All of it, `rate` frames a second."""
        return (self.at(k / rate) for k in range(int(self.seconds * rate) + 1))


class Puppet:
    """A copy of the character that shows frames; nothing is simulated."""

    def __init__(self, model: mujoco.MjModel):
        self.model, self.data = model, mujoco.MjData(model)

    def pose(self, frame: Frame) -> None:
        """Put every body where it was."""
        self.data.qpos[:] = frame.row["qpos"]
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)
