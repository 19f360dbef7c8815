"""The physics: MuJoCo as a black box that takes torques and returns states."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np
from numba import njit

from hmpc.errors import InputError, UnknownNameError
from hmpc.geometry import heading, rotation_z
from hmpc.robot.inertia import body_model, scale_gains_to_loads
from hmpc.robot.model import RobotModel
from hmpc.robot.placing import place_lying, place_seated
from hmpc.sim.contacts import ContactReader
from hmpc.sim.grip import Grips, GripSnapshot, Hand, add_grip
from hmpc.sim.scenery import MAX_FRICTION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import Environment
    from hmpc.types import Array, RobotState

PHYSICS_RATE = 500.0  # [Hz] lowest rate at which the physics is stepped (Sec. 5.3)
REST_DEPTH = 0.00075  # [m] that the soles sink into the ground under the character's weight
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION
_LOAD_DENSITY = 7850.0  # [kg/m^3] what is carried is a ball of steel


@dataclass(frozen=True)
class Push:
    """An impulse at the torso's centre, in the heading frame of the moment at which it starts."""

    start: float  # [s]
    impulse: float  # [N s]
    direction: float  # [rad] 0 pushes forward, pi/2 to the left
    duration: float = 0.1  # [s]

    def __post_init__(self) -> None:
        numbers = (self.start, self.impulse, self.direction, self.duration)
        if not all(math.isfinite(x) for x in numbers) or self.start < 0 or self.duration <= 0:
            raise InputError("A push needs a time >= 0, a finite impulse and direction, and a duration > 0.")


class _ActivePush(NamedTuple):
    force_W: Array  # (3,) [N]
    steps: int  # of physics that it still lasts


class Snapshot(NamedTuple):
    """Everything that the future of a simulation depends on."""

    physics: Array
    forces_W: Array
    grips: GripSnapshot
    scheduled: tuple[Push, ...]
    active: tuple[_ActivePush, ...]


class Simulator:
    """A character in an environment; `observe`, think, `apply`, again and again.

    The controller runs between MuJoCo's two half-steps, so that it sees the kinematics
    and contacts of this very step and its torques act on it.
    """

    def __init__(self, environment: Environment, robot: RobotSpec, control_rate: float = PHYSICS_RATE):
        if not (math.isfinite(control_rate) and 10.0 <= control_rate <= 10_000.0):
            raise InputError(f"The control rate must be between 10 and 10000 Hz, not {control_rate}.")
        self.environment, self.start = environment, environment.start()
        self.control_period = 1.0 / control_rate
        self.substeps = max(1, math.ceil(PHYSICS_RATE / control_rate - 1e-9))
        self.model = self._compile(robot)
        self.data = mujoco.MjData(self.model)
        self._qpos, self._qvel, self._ctrl = self.data.qpos, self.data.qvel, self.data.ctrl  # views
        self.robot = RobotModel(robot, self.model, self.data)
        self.contacts = ContactReader(self.robot)
        self.grips = Grips(self.model, self.data, _hands(robot))
        self.robot.place(self.robot.stand_pose, np.zeros(3), 0.0)
        self.body_model = body_model(self.robot)
        loaded = [limb for limb, mass in self.start.loads.items() if mass > 0.0]
        scale_gains_to_loads(self.robot, [self.model.body(_load_name(limb)).id for limb in loaded])
        self.reset()

    def _compile(self, robot: RobotSpec) -> mujoco.MjModel:
        spec = mujoco.MjSpec.from_file(str(robot.mjcf))
        self.environment.build(spec)
        _add_loads(spec, robot, self.start.loads)
        for name, hand in _hands(robot).items():
            add_grip(spec, name, hand)
        spec.option.timestep = self.control_period / self.substeps
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.impratio = 10.0  # stiffer friction than normal force: soles creep less
        # A state that has become non-finite must be seen, not replaced by the initial one.
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
        # A character is one island of constraints: there is nothing to be found by looking for several.
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND
        model = spec.compile()
        if (model.geom_friction[:, 0] > MAX_FRICTION).any():
            raise InputError(f"Environment {self.environment.name!r} has a friction coefficient above {MAX_FRICTION}.")
        return model

    def reset(self) -> None:
        """Back to the environment's start, at rest."""
        mujoco.mj_resetData(self.model, self.data)
        self.grips.hold(())
        ground_W = self.start.position_W - (0.0, 0.0, REST_DEPTH)
        pose = self.robot.named_pose(self.start.pose)
        if self.start.seat_height is not None:
            place_seated(self.robot, pose, ground_W, self.start.yaw, self.start.seat_height)
        elif self.start.lying is not None:
            off = np.random.default_rng(self.start.pose_seed).uniform(-1.0, 1.0, size=len(pose))
            pose = pose + self.start.disarray * off
            place_lying(self.robot, pose, ground_W, self.start.yaw, face_down=self.start.lying == "front")
        else:
            self.robot.place(pose, ground_W, self.start.yaw)
        self.contacts.find()
        self.forces_W = self.contacts.forces()
        self._scheduled: list[Push] = []
        self._active: list[_ActivePush] = []
        self._R_WB = rotation_z(self.start.yaw)  # of the body when last observed

    @property
    def time(self) -> float:
        return float(self.data.time)

    @property
    def is_finite(self) -> bool:
        """Whether the physics has a future."""
        return math.isfinite(_sum(self._qpos, self._qvel))

    def push(self, push: Push) -> None:
        """Let `push` happen at its time, or now if that has passed."""
        self._scheduled.append(push)

    def observe(self) -> RobotState:
        """First half of a step: positions, velocities and contacts of now."""
        mujoco.mj_step1(self.model, self.data)
        self.contacts.find()
        touching, normals_W = self.contacts.touches()
        for limb in self.grips.closed():
            touching[self.robot.limb_index[limb]] = True
        for limb in self.grips.torn:  # it may brush the bar, but it holds nothing
            touching[self.robot.limb_index[limb]] = False
        state = self.robot.observe(touching, normals_W, self.forces_W)
        self._R_WB = state.body.R_WB
        return state

    def apply(self, tau: Array) -> None:
        """Second half: torques act for one control period; motors cannot exceed their limits."""
        _clip(tau, self.robot.torque_limit, self._ctrl)
        self._apply_pushes()
        mujoco.mj_step2(self.model, self.data)
        self.forces_W = self.contacts.forces()
        if closed := self.grips.closed():
            for limb in closed:
                self.forces_W[self.robot.limb_index[limb]] += self.grips.force_W(limb)
            self.grips.release_overloaded()
        for _ in range(self.substeps - 1):
            self._apply_pushes()
            mujoco.mj_step(self.model, self.data)

    def _apply_pushes(self) -> None:
        """Force of the pushes during the next step of physics; its duration is rounded, its impulse is exact."""
        if not (self._scheduled or self._active):
            return
        dt = self.model.opt.timestep
        due = [push for push in self._scheduled if push.start <= self.time + 0.5 * dt]
        self._scheduled = [push for push in self._scheduled if push not in due]
        for push in due:
            steps = max(1, round(push.duration / dt))
            angle = heading(self._R_WB) + push.direction
            force = push.impulse / (steps * dt) * np.array([math.cos(angle), math.sin(angle), 0.0])
            self._active.append(_ActivePush(force, steps))
        # One that is over stays in the list for one more step, which takes its force back.
        active = [push for push in self._active if push.steps > 0]
        self.data.xfrc_applied[self.robot.torso, :3] = sum((push.force_W for push in active), np.zeros(3))
        self._active = [_ActivePush(push.force_W, push.steps - 1) for push in active]

    def save(self) -> Snapshot:
        """Everything that the future depends on."""
        physics = np.empty(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, physics, _STATE)
        grips = self.grips.save()
        return Snapshot(physics, self.forces_W.copy(), grips, tuple(self._scheduled), tuple(self._active))

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot exactly as if nothing had happened in between."""
        mujoco.mj_setState(self.model, self.data, snapshot.physics, _STATE)
        self.forces_W = snapshot.forces_W.copy()
        self.grips.restore(snapshot.grips)
        self._scheduled, self._active = list(snapshot.scheduled), list(snapshot.active)


@njit(cache=True)
def _clip(tau: Array, limit: Array, ctrl: Array) -> None:
    ctrl[:] = np.minimum(np.maximum(tau, -limit), limit)


@njit(cache=True)
def _sum(qpos: Array, qvel: Array) -> float:
    """Of all numbers: finite if they are, as they are of a size at which nothing overflows."""
    return qpos.sum() + qvel.sum()


def _hands(robot: RobotSpec) -> dict[str, Hand]:
    return {limb.name: Hand(limb.tip_body, limb.geoms) for limb in robot.limbs if limb.kind == "hand"}


def _load_name(limb: str) -> str:
    return f"{limb}_load"


def _add_loads(spec: mujoco.MjSpec, robot: RobotSpec, loads: Mapping[str, float]) -> None:
    """Balls of steel, fixed to the pads of the limbs that carry them; they meet nothing."""
    limbs = {limb.name: limb for limb in robot.limbs}
    for name, mass in loads.items():
        if name not in limbs:
            raise UnknownNameError("limb", name, limbs)
        if mass <= 0.0:
            continue
        pad = spec.site(limbs[name].site)
        radius = (mass / _LOAD_DENSITY * 3.0 / (4.0 * math.pi)) ** (1.0 / 3.0)
        load = spec.body(limbs[name].tip_body).add_body(name=_load_name(name), pos=pad.pos)
        load.add_geom(
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[radius, 0.0, 0.0],
            mass=mass,
            contype=0,
            conaffinity=0,
            group=2,
            rgba=[0.35, 0.37, 0.4, 1.0],
        )
