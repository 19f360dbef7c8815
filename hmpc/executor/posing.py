"""Moving about on the ground: joints go from pose to pose, and the ground carries whatever lies on it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.smoothing import quintic
from hmpc.types import MotionTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hmpc.robot.model import RobotModel
    from hmpc.types import RobotState


class Posing:
    """Through named poses of the whole body, at rest in each of them: (name, seconds to get there).

    No limb is asked for a force: what touches the ground, and how hard, follows from the motion of the joints.
    """

    def __init__(self, robot: RobotModel, state: RobotState, poses: Sequence[tuple[str, float]]):
        names, durations = zip(*poses, strict=True)
        self._q = [state.qpos[robot.qadr].copy(), *(robot.named_pose(name) for name in names)]
        self._t = state.t + np.cumsum([0.0, *durations])

    @property
    def end(self) -> float:
        """[s] when the last pose is reached."""
        return float(self._t[-1])

    def lost_holds(self, t: float) -> list[str]:
        """None: who lies holds on to nothing."""
        return []

    @property
    def slipped(self) -> list[str]:
        """None, for the same reason."""
        return []

    def update(self, state: RobotState) -> MotionTarget:
        """Targets for this tick."""
        k = int(np.clip(np.searchsorted(self._t, state.t, side="right") - 1, 0, len(self._t) - 2))
        (start, end), (q0, q1) = list(pairwise(self._t))[k], list(pairwise(self._q))[k]
        s, ds, _ = quintic((state.t - start) / (end - start))
        return MotionTarget(
            body=state.body,
            acc_W=np.zeros(3),
            support={},
            swing={},
            pose=q0 + s * (q1 - q0),
            pose_velocity=ds / (end - start) * (q1 - q0),
        )
