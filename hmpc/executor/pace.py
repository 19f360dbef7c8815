"""Walk as fast as told: step by step towards the commanded velocity, and then exactly there."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.footsteps.gait import step_timing
from hmpc.geometry import heading, rotation_z

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hmpc.params import FootstepParams, PaceParams
    from hmpc.types import Array, Command, RobotState

_CHANGES = (1.0, 0.5, 0.0)  # shares of the change to the command that are tried, in this order


class Proposal(NamedTuple):
    """A way to plan the next step."""

    pace: Array  # (3,) vx, vy [m/s], yaw rate [rad/s] that the step should have
    command: Command  # to plan it with
    hurried: bool  # for a body that falls: a quick step catches it where a longer one would come too late


class Pace:
    """The velocity to plan with so that the measured one becomes the commanded one.

    Speeding up takes a few steps, slowing down is quicker. Landings and the swinging legs brake or push by a
    few centimetres a step, which the planners' models do not know; their effect is learned: an integral of
    the velocity error, which rests until the command has been held for a few steps.
    """

    def __init__(self, params: PaceParams):
        self._params = params
        self._offset_H = np.zeros(2)
        self._pace = np.zeros(3)  # vx, vy [m/s], yaw rate [rad/s] on the way to the command
        self._steps_at_command = 0
        self._measured_H = np.zeros(2)  # [m/s] mean of the step behind
        self._longest = math.inf  # [s] that the next step may last
        self._last: tuple[float, Array] | None = None  # time and COM of the last touch-down
        self.free = True  # to walk as commanded; where the ground dictates the steps, there is nothing to learn

    @property
    def forward(self) -> float:
        """Forward velocity [m/s] of the current step, on the way to the commanded one."""
        return float(self._pace[0])

    @property
    def sideways(self) -> float:
        """Velocity to the left [m/s] of the current step, on the way to the commanded one."""
        return float(self._pace[1])

    @property
    def yaw_rate(self) -> float:
        """Yaw rate [rad/s] of the current step, on the way to the commanded one."""
        return float(self._pace[2])

    @property
    def settled(self) -> bool:
        """Whether it has been walking at the commanded velocity for a few steps."""
        return self._steps_at_command >= self._params.settle_steps

    def proposals(self, state: RobotState, command: Command, params: FootstepParams) -> Iterator[Proposal]:
        """Commands to plan the step with that begins now, from the boldest to the calmest; `take` one of them.

        First towards the command, at once or less so; then slower than before, and at last in a hurry.
        """
        if self._last is not None:
            self._measured_H = self._mean_velocity_H(state, *self._last)
            if self.free and self.settled:
                self._learn()
        self._last = (state.t, state.body.com_W)
        wanted, before, longest = np.array([*command.velocity_H, command.yaw_rate]), self._pace, self._longest
        change = self._within_a_step(wanted - before)
        held = np.abs(wanted - before)[:2].max() < self._params.same_command
        self._steps_at_command = self._steps_at_command + 1 if held else 0
        calmer = self._params.calming * before
        for pace in (*(before + share * change for share in _CHANGES), calmer):
            # As quick as the fastest of the velocities around this step needs: braking takes several steps, and one
            # that lasted as long as those of the slow gait to come would end out of reach of the leg.
            duration = min(step_timing(command, params, self._measured_H, pace[:2]).duration, longest)
            yield self._proposal(pace, command, duration, hurried=False)
        yield self._proposal(calmer, command, min(duration, self._params.hurried_step), hurried=True)

    def _proposal(self, pace: Array, command: Command, duration: float, *, hurried: bool) -> Proposal:
        velocity_H = self._planned_velocity(pace)
        planned = replace(command, velocity_H=velocity_H, yaw_rate=float(pace[2]), step_duration=duration)
        return Proposal(pace=pace, command=planned, hurried=hurried)

    def take(self, proposal: Proposal) -> None:
        """This is how the step that begins is planned."""
        assert proposal.command.step_duration is not None
        self._pace, self._longest = proposal.pace, proposal.command.step_duration + self._params.slower_step

    def _within_a_step(self, change: Array) -> Array:
        """As much of a change as one step can take: who turns round brakes first, and then speeds up."""
        params, speed = self._params, abs(self.forward)
        slowing = change[0] * self.forward < 0.0
        forward = min(max(speed, params.speed_up), params.slow_down) if slowing else params.speed_up
        largest = np.array([forward, params.sidestep_change, params.turn_change])
        return np.clip(change, -largest, largest)

    def _planned_velocity(self, pace: Array) -> Array:
        # What was learned on the way fades out towards a stop.
        params = self._params
        moving = math.hypot(*pace[:2]) / params.learned_speed + abs(float(pace[2])) / params.learned_turn
        return pace[:2] * (params.forward_gain, 1.0) + min(moving, 1.0) * self._offset_H

    def _learn(self) -> None:
        error_H = self._pace[:2] - self._measured_H
        limit, largest = self._params.limit, self._params.largest_error
        learned = self._offset_H + self._params.gain * np.clip(error_H, -largest, largest)
        self._offset_H = np.clip(learned, -limit, limit)

    def _mean_velocity_H(self, state: RobotState, since: float, com_W: Array) -> Array:
        """(2,) [m/s] since the COM was at `com_W`, in the heading midway."""
        duration = state.t - since
        midway = heading(state.body.R_WB) - 0.5 * duration * self.yaw_rate
        return (rotation_z(midway).T @ (state.body.com_W - com_W))[:2] / duration
