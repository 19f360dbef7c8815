"""Walk as fast as told: a slow correction of what the pendulum model gets wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.geometry import heading, rotation_z

if TYPE_CHECKING:
    from hmpc.params import PaceParams
    from hmpc.types import Array, Command, RobotState


class Pace:
    """The velocity to plan with so that the measured one is the commanded one.

    Landings and the swinging legs brake or push by a few centimetres a step, which the planners'
    models do not know. Their effect is learned step by step: an integral of the velocity error, which
    pauses while a change of command has not had two steps to take effect.
    """

    def __init__(self, params: PaceParams):
        self._params = params
        self._offset_H = np.zeros(2)
        self._commanded_H = np.zeros(2)
        self._steps_since_change = 0
        self._last: tuple[float, Array] | None = None

    def plan_velocity(self, state: RobotState, command: Command) -> Array:
        """(2,) [m/s] to plan the step with that begins now, in the heading frame."""
        params = self._params
        if np.abs(command.velocity_H - self._commanded_H).max() > params.same_command:
            self._steps_since_change = 0
        else:
            self._steps_since_change += 1
        self._commanded_H = command.velocity_H
        if self._last is not None and self._steps_since_change >= params.settle_steps:
            t, com_W = self._last
            mean_W = (state.body.com_W - com_W) / (state.t - t)
            mean_H = (rotation_z(heading(state.body.R_WB)).T @ mean_W)[:2]
            self._offset_H = np.clip(
                self._offset_H + params.gain * (command.velocity_H - mean_H), -params.limit, params.limit
            )
        self._last = (state.t, state.body.com_W)
        return command.velocity_H + self._offset_H
