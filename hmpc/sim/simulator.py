"""The physics: MuJoCo as a black box that takes torques and returns states."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from hmpc.errors import InputError
from hmpc.robot.model import RobotModel
from hmpc.sim.contacts import ContactReader
from hmpc.sim.scenery import MAX_FRICTION

if TYPE_CHECKING:
    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import Environment
    from hmpc.types import Array, RobotState

PHYSICS_RATE = 500.0  # [Hz] lowest rate at which the physics is stepped (Sec. 5.3)
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


@dataclass(frozen=True)
class Push:
    """An impulse at the torso's centre."""

    start: float  # [s]
    impulse: float  # [N s]
    direction: float  # [rad] in the heading frame: 0 pushes forward, pi/2 to the left
    duration: float = 0.1  # [s]

    def __post_init__(self) -> None:
        numbers = (self.start, self.impulse, self.direction, self.duration)
        if not all(math.isfinite(x) for x in numbers) or self.start < 0 or self.duration <= 0:
            raise InputError("A push needs a time >= 0, a finite impulse and direction, and a duration > 0.")


class Simulator:
    """A character in an environment; `observe`, think, `apply`, again and again.

    The controller runs between MuJoCo's two half-steps, so that it sees the kinematics
    and contacts of this very step and its torques act on it.
    """

    def __init__(self, environment: Environment, robot: RobotSpec, control_rate: float = PHYSICS_RATE):
        if not (math.isfinite(control_rate) and 10.0 <= control_rate <= 10_000.0):
            raise InputError(f"The control rate must be between 10 and 10000 Hz, not {control_rate}.")
        spec = mujoco.MjSpec.from_file(str(robot.mjcf))
        environment.build(spec)
        self.control_period = 1.0 / control_rate
        self.substeps = max(1, math.ceil(PHYSICS_RATE / control_rate - 1e-9))
        spec.option.timestep = self.control_period / self.substeps
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.impratio = 10.0  # stiffer friction than normal force: soles creep less
        self.model = spec.compile()
        if (self.model.geom_friction[:, 0] > MAX_FRICTION).any():
            raise InputError(f"Environment {environment.name!r} has a friction coefficient above {MAX_FRICTION}.")
        self.data = mujoco.MjData(self.model)
        self.environment = environment
        self.robot = RobotModel(robot, self.model, self.data)
        self.contacts = ContactReader(self.robot)
        self.robot.place(self.robot.stand_pose, np.zeros(3), 0.0)
        self.body_model = self.robot.body_model()
        self.reset()

    def reset(self) -> None:
        """Back to the environment's start, at rest."""
        mujoco.mj_resetData(self.model, self.data)
        start = self.environment.start()
        self.robot.place(self.robot.stand_pose, np.asarray(start.position_W), start.yaw)
        self.forces_W = self.contacts.forces()
        self.pushes: list[tuple[Push, Array]] = []

    @property
    def time(self) -> float:
        return float(self.data.time)

    def push(self, push: Push, yaw: float) -> None:
        """Register a push given in the heading frame at heading `yaw`."""
        angle = yaw + push.direction
        force = push.impulse / push.duration * np.array([math.cos(angle), math.sin(angle), 0.0])
        self.pushes.append((push, force))

    def observe(self) -> RobotState:
        """First half of a step: positions, velocities and contacts of now."""
        mujoco.mj_step1(self.model, self.data)
        return self.robot.observe(*self.contacts.touches(), self.forces_W)

    def apply(self, tau: Array) -> None:
        """Second half: torques act for one control period; motors cannot exceed their limits."""
        d = self.data
        d.ctrl[:] = np.clip(tau, -self.robot.torque_limit, self.robot.torque_limit)
        self._apply_pushes()
        mujoco.mj_step2(self.model, d)
        self.forces_W = self.contacts.forces()
        for _ in range(self.substeps - 1):
            self._apply_pushes()
            mujoco.mj_step(self.model, d)

    def _apply_pushes(self) -> None:
        if not self.pushes:
            return
        now = self.time
        self.pushes = [(p, f) for p, f in self.pushes if now < p.start + p.duration - 1e-9]
        force = self.data.xfrc_applied[self.robot.torso]
        force[:] = 0.0
        for push, force_W in self.pushes:
            if now >= push.start - 1e-9:
                force[:3] += force_W

    def save(self) -> Array:
        """Everything that the future depends on, as one array."""
        state = np.empty(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, state, _STATE)
        return state

    def restore(self, state: Array) -> None:
        """Continue from a saved state exactly as if nothing had happened in between."""
        mujoco.mj_setState(self.model, self.data, state, _STATE)
