"""Stand or walk: which of the two, and when a step begins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.balance import capture_point, within_support
from hmpc.executor.standing import Standing
from hmpc.executor.walking import Walking

if TYPE_CHECKING:
    from hmpc.footsteps.ground import Ground
    from hmpc.params import ExecutorParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import BodyModel, Command, MotionTarget, RobotState


class Executor:
    """Turns plans into targets, tick by tick, and notices what the ground does to them.

    Standing -> walking: the weight goes over one foot first, and the other leaves the ground when
    the capture point has arrived there. Walking -> standing: at a touch-down that leaves the
    capture point between the soles, when nothing else is commanded or the way is barred.
    """

    def __init__(self, robot: RobotModel, body: BodyModel, params: ExecutorParams, state: RobotState, ground: Ground):
        self._robot, self._body, self._params, self._ground = robot, body, params, ground
        self._feet = [limb.spec.name for limb in robot.feet()]
        self._standing = Standing(robot, body, params, state)
        self.walking: Walking | None = None
        self._barred: Command | None = None  # a command that leads nowhere
        self.ends_level = False  # whether a walk should end with the feet side by side

    @property
    def barred(self) -> bool:
        """Whether the command leads where nothing can be stepped on, as far as has been found out."""
        return self._barred is not None

    def bar(self, command: Command) -> None:
        """Stop, and stand until something else is commanded."""
        self._barred = command

    def step_begins(self, state: RobotState, command: Command) -> bool:
        """Advance the phase machine; True when a step begins and needs a plan."""
        if self._barred is not None and self._is_other(command, self._barred):
            self._barred = None
        moving = self._is_moving(command) and not self.barred
        if self.walking is None:
            if moving:
                return self._leaves_standing(state, command)
            self._standing.stand_level()
            return False
        if not self.walking.touched_down(state):
            return False
        if not moving and self._can_stand(state):
            self.stand(state)
            return False
        self.walking.next_step(state)
        return True

    def stand(self, state: RobotState) -> None:
        """Stand from now on, whatever was done before."""
        self._standing = Standing(self._robot, self._body, self._params, state)
        self.walking = None

    def at_rest(self, state: RobotState) -> bool:
        """Whether the character stands still on both feet, the weight between them."""
        params, feet = self._params.standing, [state.limbs[foot] for foot in self._feet]
        off = np.linalg.norm((state.body.com_W - np.mean([foot.p_W for foot in feet], axis=0))[:2])
        slow = np.linalg.norm(state.body.vel_W) < params.lift_com_speed
        return bool(self.walking is None and all(foot.touching for foot in feet) and slow and off < params.rest_error)

    def update(self, state: RobotState, command: Command) -> MotionTarget:
        """Targets for this tick."""
        if self.walking is None:
            return self._standing.update(state, command)
        return self.walking.update(state, command)

    def _is_moving(self, command: Command) -> bool:
        slow = self._params.moving_speed
        return math.hypot(*command.velocity_H.tolist()) > slow or abs(command.yaw_rate) > slow

    def _is_other(self, command: Command, before: Command) -> bool:
        change = (*(command.velocity_H - before.velocity_H), command.yaw_rate - before.yaw_rate)
        return max(abs(x) for x in change) > self._params.moving_speed

    def _leaves_standing(self, state: RobotState, command: Command) -> bool:
        # Step first with the foot on the side to which the way leads.
        left, right = self._feet
        stance = right if command.velocity_H[1] + command.yaw_rate > 0.0 else left
        self._standing.lean_over(stance, self._lead(command))
        point = capture_point(state, command.body_height * self._body.com_height, self._params.gravity)
        across = (state.limbs[left].p_W - state.limbs[right].p_W)[:2]
        distance = abs((point - state.limbs[stance].p_W[:2]) @ across) / np.linalg.norm(across)
        if distance > self._params.start_lean:
            return False
        self.walking = Walking(self._robot, self._body, self._params, state, stance, self._ground)
        return True

    def _lead(self, command: Command) -> float:
        """[m] of the capture point before the foot that will stand: the first step is to lead on, not back."""
        params = self._params
        pace = min(max(float(command.velocity_H[0]), -params.pace.speed_up), params.pace.speed_up)
        return params.start_lead * pace

    def _can_stand(self, state: RobotState) -> bool:
        if np.linalg.norm(state.body.vel_W[:2]) > self._params.stop_speed:
            return False
        left, right = (state.limbs[foot] for foot in self._feet)
        if self.ends_level and abs((left.p_W - right.p_W) @ left.R_WL[:, 0]) > self._params.level_feet:
            return False
        point = capture_point(state, self._body.com_height, self._params.gravity)
        return within_support(self._robot, state, self._feet, point, self._params.stop_margin)
