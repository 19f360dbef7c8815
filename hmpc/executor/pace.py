"""Walk as fast as told: step by step towards the commanded velocity, and then exactly there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.geometry import heading, rotation_z

if TYPE_CHECKING:
    from hmpc.params import PaceParams
    from hmpc.types import Array, Command, RobotState


class Pace:
    """The velocity to plan with so that the measured one becomes the commanded one.

    Speeding up takes a few steps, slowing down is quicker. Landings and the swinging legs brake or push by a
    few centimetres a step, which the planners' models do not know; their effect is learned: an integral of
    the velocity error, which rests until the command has been held for a few steps.
    """

    def __init__(self, params: PaceParams):
        self._params = params
        self._offset_H = np.zeros(2)
        self._target_H = np.zeros(2)
        self._steps_at_command = 0
        self.yaw_rate = 0.0  # [rad/s] to turn with: follows the command in steps as well
        self._last: tuple[float, Array] | None = None

    @property
    def forward(self) -> float:
        """Forward velocity [m/s] of the current step, on the way to the commanded one."""
        return float(self._target_H[0])

    def plan_velocity(self, state: RobotState, command: Command) -> Array:
        """(2,) [m/s] to plan the step with that begins now, in the heading frame."""
        params = self._params
        if self._last is not None and self._steps_at_command >= params.settle_steps:
            self._learn(state)
        self._last = (state.t, state.body.com_W)
        change = command.velocity_H - self._target_H
        slowing = change * self._target_H < 0.0
        largest = np.where(slowing, params.slow_down, params.speed_up)
        self._target_H = self._target_H + np.clip(change, -largest, largest)
        self.yaw_rate += min(max(command.yaw_rate - self.yaw_rate, -params.turn_change), params.turn_change)
        held = np.abs(change).max() < params.same_command
        self._steps_at_command = self._steps_at_command + 1 if held else 0
        # What was learned on the way fades out towards a stop.
        moving = min(float(np.linalg.norm(self._target_H)) / params.learned_speed, 1.0)
        return self._target_H * (params.forward_gain, 1.0) + moving * self._offset_H

    def _learn(self, state: RobotState) -> None:
        assert self._last is not None
        t, com_W = self._last
        mean_W = (state.body.com_W - com_W) / (state.t - t)
        error_H = self._target_H - (rotation_z(heading(state.body.R_WB)).T @ mean_W)[:2]
        limit, largest = self._params.limit, self._params.largest_error
        learned = self._offset_H + self._params.gain * np.clip(error_H, -largest, largest)
        self._offset_H = np.clip(learned, -limit, limit)
