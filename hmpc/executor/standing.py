"""Standing: hold the COM over the feet at the commanded height and posture, lift a foot on request."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.balance import capture_point
from hmpc.executor.smoothing import Follower, Motion, quintic
from hmpc.executor.swing import surface_angles
from hmpc.executor.toes import laid_flat
from hmpc.geometry import heading, rotation_error, rotation_exp, rotation_zyx
from hmpc.types import FrbState, LimbTarget, MotionTarget

if TYPE_CHECKING:
    from hmpc.params import ExecutorParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, BodyModel, Command, RobotState


class Standing:
    """Targets of a character that stands on its feet.

    The COM goal is the middle of the supporting feet; to lift a foot the COM first goes
    over the other one, and the foot leaves the ground only when the COM has arrived. A foot
    that loses the ground (after a push, or at the end of a walk) is put down flat where it stood.
    """

    def __init__(self, robot: RobotModel, body: BodyModel, params: ExecutorParams, state: RobotState):
        self._robot, self._body, self._gravity, self._params = robot, body, params.gravity, params.standing
        self._feet = [limb.spec.name for limb in robot.feet()]
        self._t = state.t
        yaw, pitch, roll = _yaw_pitch_roll(state.body.R_WB)
        shift, height = params.standing.shift_speed, params.standing.height_speed
        reference_time = params.standing.reference_time
        # With the pendulum's own time a COM that moves is caught by a COP that stays at its capture point; in less
        # time the COP would have to go beyond it, and the foot behind would lose the ground.
        pendulum = math.sqrt(body.com_height / params.gravity)
        speeds = np.array([shift, shift, height])
        self._com = Follower(state.body.com_W, pendulum, speeds, state.body.vel_W)
        self._angles = Follower(np.array([yaw, pitch, roll]), reference_time, params.standing.trunk_speed)
        self._pose = Follower(state.qpos[robot.qadr], reference_time, params.standing.joint_speed)
        self._stood = {foot: state.limbs[foot] for foot in self._feet}  # as they last touched the ground
        self._leaning_over: str | None = None
        self._lead = 0.0  # [m] by which the capture point should be before that foot then
        self._lifted: str | None = None
        self._progress = 0.0  # of the lift, 0 on the ground .. 1 at full height
        self._lift_from = np.zeros(3)

    def update(self, state: RobotState, command: Command) -> MotionTarget:
        """Targets for this tick."""
        dt, self._t = state.t - self._t, state.t
        swing = self._lift(state, command, dt)
        for foot in self._feet:
            if foot in swing:
                continue
            if state.limbs[foot].touching:
                self._stood[foot] = state.limbs[foot]
            else:
                swing[foot] = self._put_down(foot)
        supporting = [foot for foot in self._feet if foot not in swing]
        body, acc = self._body_target(state, command, dt)
        pose = self._pose.follow(self._posed(command), dt)
        return MotionTarget(
            body=body,
            acc_W=acc,
            support=dict.fromkeys(supporting, math.inf),
            swing=swing,
            pose=pose.x,
            pose_velocity=pose.v,
        )

    def lean_over(self, foot: str, lead: float) -> None:
        """Bring the weight over one foot, the capture point `lead` [m] before its middle, as before a first step."""
        self._leaning_over, self._lead = foot, lead

    def stand_level(self) -> None:
        """Bring the weight back to between the feet: no step is to come."""
        self._leaning_over = None

    def _body_target(self, state: RobotState, command: Command, dt: float) -> tuple[FrbState, Array]:
        wanted = self._lifted or command.posture.lifted_foot
        under = [self._leaning_over] if self._leaning_over else [foot for foot in self._feet if foot != wanted]
        facing = _mean_heading([self._stood[foot].R_WL for foot in self._feet])
        ahead = self._params.com_offset
        if self._leaning_over:
            # The foot leaves when the capture point is halfway to where it is aimed at.
            ahead = 2.0 * self._lead - ahead
        above = command.body_height * self._body.com_height
        goal = np.array([ahead * math.cos(facing), ahead * math.sin(facing), above])
        for foot in under:
            goal += self._stood[foot].p_W / len(under)
        com = self._com.follow(goal, dt)
        angles = self._angles.follow(
            np.array([_near(facing + command.posture.trunk_yaw, self._angles.x[0]), command.posture.trunk_pitch, 0.0]),
            dt,
        )
        body = _frb_state(com, angles)
        yielding = self._yielding(state, goal)
        if yielding > 0.0:
            phi = rotation_error(state.body.R_WB, body.R_WB)
            omega = body.omega_W + yielding * (state.body.omega_W - body.omega_W)
            body = replace(body, R_WB=rotation_exp(yielding * phi) @ body.R_WB, omega_W=omega)
        return body, com.a

    def _yielding(self, state: RobotState, goal: Array) -> float:
        """Share of the trunk's reference that gives way to its measured motion, 0 .. 1.

        Close to the edge of the soles the COM and the trunk compete for the same centre of pressure.
        There the COM comes first: a trunk that goes with a push can be righted later.
        """
        point = capture_point(state, self._body.com_height, self._gravity)
        offset = point - goal[:2]
        distance = math.hypot(*offset)
        if distance < self._params.yield_distance:
            return 0.0
        standing = [foot for foot in self._feet if foot != self._lifted]
        corners = np.concatenate([self._robot.corners_W(foot, self._stood[foot])[:, :2] for foot in standing])
        margin = ((corners - goal[:2]) @ offset).max() / distance - distance
        return 1.0 - min(max(margin / self._params.yield_margin, 0.0), 1.0)

    def _posed(self, command: Command) -> Array:
        """Standing pose with the commanded arms and head."""
        robot, posture = self._robot, command.posture
        motors, arms = robot.arm_pose(posture.arms)
        q = robot.stand_pose.copy()
        q[motors] = arms
        q[robot.head_motors] = posture.head_yaw, posture.head_pitch
        return q

    def _lift(self, state: RobotState, command: Command, dt: float) -> dict[str, LimbTarget]:
        wanted, params = command.posture.lifted_foot, self._params
        if self._lifted is None and wanted is not None and self._arrived(state, wanted):
            self._lifted, self._progress = wanted, 0.0
            self._lift_from = state.limbs[wanted].p_W
            self._lift_facing = heading(state.limbs[wanted].R_WL)
        if self._lifted is None:
            return {}
        direction = 1.0 if wanted == self._lifted else -1.0
        self._progress = min(max(self._progress + direction * dt / params.lift_time, 0.0), 1.0)
        if self._progress == 0.0 and direction < 0.0:
            self._lifted = None
            return {}
        moving = direction / params.lift_time if self._progress < 1.0 else 0.0
        s, ds, dds = quintic(self._progress)
        up = np.array([0.0, 0.0, command.posture.lift_height])
        return {
            self._lifted: LimbTarget(
                p_W=self._lift_from + s * up,
                R_WL=rotation_zyx(self._lift_facing, 0.0, 0.0),
                vel_W=ds * moving * up,
                acc_W=dds * moving**2 * up,
                omega_W=np.zeros(3),
            )
        }

    def _put_down(self, foot: str) -> LimbTarget:
        stood = self._stood[foot]
        below = self._params.ground_search * stood.normal_W
        yaw, zero = heading(stood.R_WL), np.zeros(3)
        return LimbTarget(
            p_W=laid_flat(stood, float(self._body.limb(foot).half_extent[0])) - below,
            R_WL=rotation_zyx(yaw, *surface_angles(stood.normal_W, yaw)),
            vel_W=zero,
            acc_W=zero,
            omega_W=zero,
        )

    def _arrived(self, state: RobotState, lifted: str) -> bool:
        under = np.mean([self._stood[foot].p_W for foot in self._feet if foot != lifted], axis=0)
        offset = (state.body.com_W - under)[:2]
        return bool(
            np.linalg.norm(offset) < self._params.lift_com_error
            and np.linalg.norm(state.body.vel_W[:2]) < self._params.lift_com_speed
        )


def _frb_state(com: Motion, angles: Motion) -> FrbState:
    yaw, pitch, roll = angles.x
    c, s = math.cos(yaw), math.sin(yaw)
    dyaw, dpitch, droll = angles.v
    # Angular velocity of Rz(yaw) Ry(pitch) Rx(roll) in world axes, for small roll.
    omega = np.array([-s * dpitch + c * droll, c * dpitch + s * droll, dyaw])
    return FrbState(com_W=com.x, vel_W=com.v, R_WB=rotation_zyx(yaw, pitch, roll), omega_W=omega)


def _yaw_pitch_roll(R: Array) -> tuple[float, float, float]:
    return heading(R), math.asin(-min(max(R[2, 0], -1.0), 1.0)), math.atan2(R[2, 1], R[2, 2])


def _mean_heading(rotations: list[Array]) -> float:
    return math.atan2(sum(R[1, 0] for R in rotations), sum(R[0, 0] for R in rotations))


def _near(angle: float, reference: float) -> float:
    """The angle plus the whole turns that bring it closest to the reference."""
    return angle + 2.0 * math.pi * round((reference - angle) / (2.0 * math.pi))
