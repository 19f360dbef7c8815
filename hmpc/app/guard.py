"""What goes wrong in the controller stays in its tick.

state --> Guard --> Stack.step --> torques     finite state, finite torques, no exception: the usual way
            |
            +--> the last torques               for a moment: a lost sample, a solver that choked
            +--> SafeStop                       from then on, with a sentence that says why
"""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from numba import njit

from hmpc.errors import raised_at
from hmpc.wholebody.safe_stop import SafeStop

if TYPE_CHECKING:
    from hmpc.params import SafetyParams
    from hmpc.robot.model import RobotModel
    from hmpc.stack import Stack
    from hmpc.types import Array, Command, RobotState, Torques

_log = logging.getLogger(__name__)


class Guard:
    """Stands between the simulation and the stack; nothing that the stack does gets past it but usable torques."""

    def __init__(self, robot: RobotModel, params: SafetyParams, dt: float):
        self._params, self._safe_stop = params, SafeStop(robot, params, dt)
        self.failures = 0  # ticks without usable torques
        self.reason: str | None = None  # why the controller was given up
        self._trouble = ""  # of this tick
        self._failing_since: float | None = None  # [s]
        self._stopped_at = math.inf  # [s]
        self._last: Array | None = None  # (nu,) [N m] the last usable torques

    def step(self, stack: Stack, state: RobotState, command: Command) -> Torques | None:
        """The stack's torques; None if it has none that can be used, or had none for too long."""
        if self.reason is not None:
            return None
        torques = self._asked(stack, state, command)
        if torques is not None:
            self._failing_since, self._last = None, torques.tau
            return torques
        self._count(state.t)
        return None

    def substitute(self, state: RobotState) -> Array:
        """(nu,) [N m] for a tick in which the stack has none: the last ones, or those of the safe stop."""
        if self.reason is None and self._last is not None:
            return self._last
        return self.brake(state)

    def brake(self, state: RobotState) -> Array:
        """(nu,) [N m] of the safe stop."""
        return self._safe_stop.torques(state)

    def at_rest(self, t: float) -> bool:
        """Whether the safe stop has had the time that it needs."""
        return t >= self._stopped_at + self._params.stop_time

    def _asked(self, stack: Stack, state: RobotState, command: Command) -> Torques | None:
        if not is_finite(state):
            self._trouble = "The state was not finite"
            return None
        try:
            torques = stack.step(state, command)
        except Exception as error:  # a planner, a solver or a plug-in: whatever it is, the character is in mid-step
            self._trouble = f"The controller failed with {error!r} in {raised_at(error)}"
            return None
        if not math.isfinite(_sum(torques.tau)):
            self._trouble = "The torque was not finite"
            return None
        return torques

    def _count(self, t: float) -> None:
        self.failures += 1
        if self._failing_since is None:
            self._failing_since = t
            _log.warning("%s at %.3f s; the last torques are held.", self._trouble, t)
        if self._last is None or t - self._failing_since >= self._params.hold_time:
            self.reason, self._stopped_at = f"{self._trouble} at {t:.3f} s; the character is brought to a stop.", t
            _log.error("%s", self.reason)


def is_finite(state: RobotState) -> bool:
    """Whether every number of a state is finite."""
    numbers = state.qpos, state.qvel, state.body.numbers, state.angular_momentum_W, state.limbs.numbers
    return math.isfinite(_sum_of_state(*numbers))


@njit(cache=True)
def _sum(numbers: Array) -> float:
    """Finite if all numbers are, as they are of a size at which nothing overflows."""
    return numbers.sum()


@njit(cache=True)
def _sum_of_state(qpos: Array, qvel: Array, body: Array, momentum: Array, limbs: Array) -> float:
    return qpos.sum() + qvel.sum() + body.sum() + momentum.sum() + limbs.sum()
