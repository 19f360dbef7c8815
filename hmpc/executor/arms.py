"""Arms that swing opposite to the legs: they take the yaw moment of the swinging leg."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.executor.smoothing import Follower
from hmpc.geometry import heading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.params import ArmParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, BodyModel, RobotState

    Indices = NDArray[np.int64]


class ArmSwing:
    """Each arm follows the foot of the other side: angle and angular velocity, so that it does not lag."""

    def __init__(self, robot: RobotModel, body: BodyModel, params: ArmParams, state: RobotState):
        self._robot, self._params = robot, params
        self._leg_length = body.com_height
        self._t = state.t
        self._motors, self._rest = robot.arm_pose("rest")
        self._base = Follower(state.qpos[robot.qadr[self._motors]], params.settle_time)
        opposite = zip(robot.hands(), reversed(robot.feet()), strict=True)
        swinging = [
            (robot.limb_index[foot.spec.name], motor, gain)
            for hand, foot in opposite
            for motor, gain in robot.arm_swing[hand.spec.name]
        ]
        feet, motors, gains = zip(*swinging, strict=True) if swinging else ((), (), ())
        self._joints = np.array(feet, dtype=np.int64), np.array(motors, dtype=np.int64), np.array(gains, dtype=float)

    def swing(self, state: RobotState, pose: Array, pose_velocity: Array) -> None:
        """Write the arms' targets into `pose` and `pose_velocity`."""
        dt, self._t = state.t - self._t, state.t
        base, body, params = self._base.follow(self._rest, dt), state.body, self._params
        of_arms, facing = (self._motors, base.x, base.v), heading(body.R_WB)
        _swing(
            facing,
            self._leg_length,
            params.amplitude,
            body.numbers,
            state.limbs.numbers,
            of_arms,
            self._joints,
            pose,
            pose_velocity,
        )


@njit(cache=True)
def _swing(
    facing: float,
    leg_length: float,
    amplitude: float,
    body: Array,
    limbs: Array,
    arms: tuple[Indices, Array, Array],
    joints: tuple[Indices, Indices, Array],
    pose: Array,
    pose_velocity: Array,
) -> None:
    """Arms (motors, angles, rates), and what swings them: the angle of a foot before the COM, seen from a hip.

    Of each of the `joints`: the foot that it follows, its motor, and a gain.
    """
    arm_motors, angles, rates = arms
    for k in range(arm_motors.shape[0]):
        pose[arm_motors[k]], pose_velocity[arm_motors[k]] = angles[k], rates[k]
    x, y = math.cos(facing) / leg_length, math.sin(facing) / leg_length
    com, vel = body[0], body[1]
    feet, motors, gains = joints
    for k in range(motors.shape[0]):
        foot, foot_vel = limbs[feet[k], 0], limbs[feet[k], 4]
        angle = x * (foot[0] - com[0]) + y * (foot[1] - com[1])
        rate = x * (foot_vel[0] - vel[0]) + y * (foot_vel[1] - vel[1])
        pose[motors[k]] += amplitude * gains[k] * angle
        pose_velocity[motors[k]] += amplitude * gains[k] * rate
