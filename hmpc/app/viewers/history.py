"""The last seconds of a session, sampled once a picture: what plots, the timeline and the recovery score read."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.geometry import heading, rotation_z

if TYPE_CHECKING:
    from hmpc.app.session import Session
    from hmpc.types import Array

SPAN = 8.0  # [s] that are remembered


class Sample(NamedTuple):
    """A moment of a session."""

    t: float  # [s]
    velocity: Array  # (3,) forward, left [m/s], counter-clockwise [rad/s]
    asked: Array  # (3,) the same as commanded
    com_height: float  # [m] above the lower foot
    force: Array  # (L,) [N] on each limb
    touching: tuple[bool, ...]  # (L,)


class History:
    """Samples of the last `SPAN` seconds, oldest first; times always increase."""

    def __init__(self) -> None:
        self.samples: deque[Sample] = deque()
        self.limbs: tuple[str, ...] = ()

    def add(self, session: Session) -> None:
        """Remember how the session is now; a session that begins again is a new story."""
        state = session.state
        if self.samples and state.t <= self.samples[-1].t:
            if state.t == self.samples[-1].t:
                return
            self.samples.clear()
        self.limbs = tuple(state.limbs)
        feet = [limb.name for limb in session.robot.limbs if limb.is_foot]
        body, command = state.body, session.command
        velocity_H = rotation_z(heading(body.R_WB)).T @ body.vel_W
        self.samples.append(
            Sample(
                t=state.t,
                velocity=np.array([*velocity_H[:2], body.omega_W[2]]),
                asked=np.array([*command.velocity_H, command.yaw_rate]),
                com_height=float(body.com_W[2] - min(state.limbs[foot].p_W[2] for foot in feet)),
                force=np.array([np.linalg.norm(limb.force_W) for limb in state.limbs.values()]),
                touching=tuple(limb.touching for limb in state.limbs.values()),
            )
        )
        while self.samples[0].t < state.t - SPAN:
            self.samples.popleft()

    def mean_velocity(self, since: float) -> Array:
        """(3,) mean of the velocities from time `since` [s] on."""
        return np.mean([sample.velocity for sample in self.samples if sample.t >= since], axis=0)
