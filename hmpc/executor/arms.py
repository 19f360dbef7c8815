"""Arms that swing opposite to the legs: they take the yaw moment of the swinging leg."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hmpc.executor.smoothing import Follower
from hmpc.geometry import heading

if TYPE_CHECKING:
    from hmpc.params import ArmParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, BodyModel, RobotState


class ArmSwing:
    """Each arm follows the foot of the other side: angle and angular velocity, so that it does not lag."""

    def __init__(self, robot: RobotModel, body: BodyModel, params: ArmParams, state: RobotState):
        self._robot, self._params = robot, params
        self._leg_length = body.com_height
        self._t = state.t
        self._motors, self._rest = robot.arm_pose("rest")
        self._base = Follower(state.qpos[robot.qadr[self._motors]], params.settle_time)
        feet = [limb.spec.name for limb in robot.feet()]
        hands = [limb.spec.name for limb in robot.hands()]
        self._opposite = dict(zip(hands, reversed(feet), strict=True))

    def swing(self, state: RobotState, pose: Array, pose_velocity: Array) -> None:
        """Write the arms' targets into `pose` and `pose_velocity`."""
        dt, self._t = state.t - self._t, state.t
        base = self._base.follow(self._rest, dt)
        pose[self._motors], pose_velocity[self._motors] = base.x, base.v
        body, facing = state.body, heading(state.body.R_WB)
        x, y = math.cos(facing) / self._leg_length, math.sin(facing) / self._leg_length
        (com_x, com_y, _), (com_vx, com_vy, _) = body.com_W.tolist(), body.vel_W.tolist()
        for hand, foot in self._opposite.items():
            limb = state.limbs[foot]
            (foot_x, foot_y, _), (foot_vx, foot_vy, _) = limb.p_W.tolist(), limb.vel_W.tolist()
            angle = x * (foot_x - com_x) + y * (foot_y - com_y)
            rate = x * (foot_vx - com_vx) + y * (foot_vy - com_vy)
            for motor, gain in self._robot.arm_swing[hand]:
                pose[motor] += self._params.amplitude * gain * angle
                pose_velocity[motor] += self._params.amplitude * gain * rate
