"""A body that differs from what the controller believes of it, without the controller being told."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from hmpc.sim.simulator import Push, Simulator, Snapshot

if TYPE_CHECKING:
    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import Environment
    from hmpc.types import Array

LONGEST_DELAY = 10  # [ticks]


class _Measured(NamedTuple):
    """What a sensor would tell of a tick."""

    qpos: Array
    qvel: Array
    forces_W: Array


class Plant(Simulator):
    """Two models of one character: the controller sees this one, and `truth` is what moves.

    The torques go to the truth, through motors of `motor_strength`; what becomes of it is measured, and seen here after
    `delay` ticks. With nothing changed the two are the same to the bit.
    """

    def __init__(self, environment: Environment, robot: RobotSpec, control_rate: float):
        self.truth = Simulator(environment, robot, control_rate)
        model = self.truth.model
        self._nominal = (model.body_mass.copy(), model.body_inertia.copy(), model.geom_friction.copy())
        self.motor_strength = np.ones(self.truth.robot.nu)
        self.delay = 0  # [ticks] at most LONGEST_DELAY
        super().__init__(environment, robot, control_rate)

    def scale_mass(self, scale: float) -> None:
        """Let every segment weigh `scale` times what the controller thinks."""
        mass, inertia, _ = self._nominal
        model = self.truth.model
        model.body_mass[:], model.body_inertia[:] = scale * mass, scale * inertia
        mujoco.mj_setConst(model, mujoco.MjData(model))

    def limit_friction(self, friction: float) -> None:
        """Let nothing have more friction than this; infinity for what it was."""
        model = self.truth.model
        model.geom_friction[:, 0] = np.minimum(self._nominal[2][:, 0], friction)

    def reset(self) -> None:
        super().reset()
        self.truth.reset()
        self._measured: deque[_Measured] = deque(maxlen=LONGEST_DELAY + 1)
        self._up_to_date = True  # what is seen is what is

    def restore(self, snapshot: Snapshot) -> None:
        super().restore(snapshot)
        self.truth.reset()
        self._measured.clear()
        self._up_to_date = True

    def push(self, push: Push) -> None:
        self.truth.push(push)

    def apply(self, tau: Array) -> None:
        truth, data = self.truth, self.truth.data
        if self._up_to_date:  # somebody may have set the state since, as reset and restore do
            data.qpos[:], data.qvel[:], data.time = self.data.qpos, self.data.qvel, self.time
        truth.observe()
        truth.apply(self.motor_strength * tau)
        self._measured.append(_Measured(data.qpos.copy(), data.qvel.copy(), truth.forces_W))
        seen = self._measured[-1 - min(self.delay, len(self._measured) - 1)]
        self._up_to_date = seen is self._measured[-1]
        self.data.qpos[:], self.data.qvel[:], self.forces_W = seen
        self.data.time = truth.time
