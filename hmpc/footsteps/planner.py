"""TIER 1, the long-term planner (Sec. 3.1): where to step, for the next few seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hmpc.errors import InputError, UnknownNameError
from hmpc.footsteps.areas import rectangle, surfaces
from hmpc.footsteps.assembly import footstep_plan
from hmpc.footsteps.gait import LEFT, RIGHT, Gait, periodic_gait, step_timing
from hmpc.footsteps.limits import can_be_stepped_on, capture_bounds, feet, legs_of, step_limits
from hmpc.footsteps.lipm import phase_map
from hmpc.footsteps.search import Problem, Weights, search
from hmpc.types import FootstepPlan, Status, read_only

if TYPE_CHECKING:
    from hmpc.params import FootstepParams
    from hmpc.types import Array, BodyModel, Command, ContactRegion

_STOPPING_STEPS = 2  # until the feet are side by side


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FootstepStart:
    """The situation that a plan starts from: one foot stands, the other swings."""

    t: float  # [s]
    com_W: Array  # (3,) [m]
    com_vel_W: Array  # (3,) [m/s]
    yaw: float  # [rad] heading
    stance_limb: str
    stance_foot_W: Array  # (3,) [m]
    stance_yaw: float  # [rad]
    swing_limb: str
    remaining: float  # [s] until the swing foot touches down
    double_support: float = 0.0  # [s] of these, until the swing foot leaves the ground
    cop_W: Array | None = None  # (3,) [m] centre of pressure now, for a double support; None: the stance foot

    def __post_init__(self) -> None:
        for name in ("com_W", "com_vel_W", "stance_foot_W"):
            object.__setattr__(self, name, read_only(getattr(self, name), 3))
        if self.cop_W is not None:
            object.__setattr__(self, "cop_W", read_only(self.cop_W, 3))
        vectors = (*self.com_W, *self.com_vel_W, *self.stance_foot_W, *self.pressure_W)
        numbers = (self.t, self.yaw, self.stance_yaw, *vectors)
        if not all(math.isfinite(x) for x in numbers):
            raise InputError("The start of a footstep plan needs finite numbers.")
        if not 0.0 <= self.double_support <= self.remaining < math.inf:
            times = f"got {self.double_support:g} s of {self.remaining:g} s"
            raise InputError(f"The double support must be a part of the remaining time of the step; {times}.")

    @property
    def pressure_W(self) -> Array:
        """The centre of pressure now (3,) [m]."""
        return self.stance_foot_W if self.cop_W is None else self.cop_W


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FootstepOptions:
    """The best plan, and others through different regions in the order of their cost."""

    best: FootstepPlan
    alternatives: tuple[FootstepPlan, ...]


class FootstepPlanner:
    """Lays inverted pendulums out over the stepping regions of an environment.

    The first phase of a plan is the step going on now; `params.steps` more follow. The status of a plan:

    - OK: it follows the command.
    - FALLBACK: the body is beyond capture by steps within the limits; these are the steps that come nearest to it.
    - UNREACHABLE: the command leads where nothing can be stepped on, so the plan follows it for as long as it can and
      then stops, feet side by side. If not even that is possible, the plan has only the phases that were found.
    """

    def __init__(self, body: BodyModel, regions: Sequence[ContactRegion], params: FootstepParams) -> None:
        self.body = body
        self.params = params
        self.feet = feet(body)
        self.regions = tuple(region for region in regions if can_be_stepped_on(region, params))
        if not self.regions:
            raise InputError("None of the regions can be stepped on: each is too small, too steep, or a bar to hold.")
        self._ground = surfaces(self.regions)
        self._legs = legs_of(body)
        self._limits = step_limits(self._legs, params)
        self._weights = Weights(
            velocity=params.velocity_weight,
            displacement=params.displacement_weight,
            width=params.width_weight,
            reach=params.reach_weight,
            damping=params.cop_move_damping,
        )

    def plan(self, start: FootstepStart, command: Command) -> FootstepOptions:
        """The footsteps that follow `command` from `start`, and the next best ones."""
        steps = self.params.steps
        for walked in (steps, *range(steps - _STOPPING_STEPS, -1, -1)):
            options = self._plan(start, command, walked, keep_balance=True)
            if len(options.best.limb) == steps + 1:
                return options
        return self._plan(start, command, 0, keep_balance=False)

    def gait(self, command: Command, *, in_place: bool = False) -> Gait:
        """The periodic gait of a command, slowed down to steps within reach; `in_place`: without getting anywhere."""
        timing, limits = step_timing(command, self.params), self._limits
        sideways = 0.5 * (limits.outward - limits.inward)
        largest = np.array([limits.forward, sideways]) / timing.duration
        smallest = np.array([-limits.backward, -sideways]) / timing.duration
        velocity = complex(*np.clip(command.velocity_H, smallest, largest))
        width = self.body.step_width if command.step_width is None else command.step_width
        omega = math.sqrt(self.params.gravity / (self.body.com_height * command.body_height))
        if in_place:
            return periodic_gait(0j, 0.0, width, timing, omega, limits.inward)
        return periodic_gait(velocity, command.yaw_rate, width, timing, omega, limits.inward)

    def _plan(self, start: FootstepStart, command: Command, walked: int, *, keep_balance: bool) -> FootstepOptions:
        """Plans that follow the command for `walked` steps and then step in place."""
        gait = self.gait(command)
        problem = self._problem(start, gait, self.gait(command, in_place=True), walked)
        com, vel = complex(*start.com_W[:2]), complex(*start.com_vel_W[:2])
        queue, phases, balanced = search(
            problem, self.params.queue, com, vel, start.stance_foot_W[2], self._region_under(start), keep_balance
        )
        if walked < self.params.steps or phases <= self.params.steps:
            status = Status.UNREACHABLE
        else:
            status = Status.OK if balanced else Status.FALLBACK
        best, *others = (
            footstep_plan(start, problem, gait.timing, queue, int(row), phases, self.regions, status)
            for row in np.argsort(queue.cost[: queue.size[0], :phases].sum(axis=1), kind="stable")
        )
        return FootstepOptions(best=best, alternatives=tuple(others))

    def _problem(self, start: FootstepStart, gait: Gait, in_place: Gait, walked: int) -> Problem:
        timing, omega = gait.timing, gait.omega
        k = np.arange(self.params.steps + 1)
        stance_side = self._side(start.stance_limb, start.swing_limb)
        side = np.where(k % 2 == 0, stance_side, -stance_side)
        to_mid_stance = start.remaining - 0.5 * timing.single_support
        yaw = start.yaw + gait.turn * (to_mid_stance / timing.duration + np.minimum(k, walked))
        gaits = [gait if i <= walked else in_place for i in k]
        v_end = np.array([g.end_velocity(s) for g, s in zip(gaits, side, strict=True)])
        stance = complex(*start.stance_foot_W[:2])
        stance_direction = complex(math.cos(start.stance_yaw), math.sin(start.stance_yaw))
        cop_half = self.params.sole_use * self._legs.sole[0 if stance_side == LEFT else 1]
        return Problem(
            omega=omega,
            com_height=self.params.gravity / omega**2,
            first=phase_map(omega, start.remaining, start.double_support),
            phase=phase_map(omega, timing.duration, timing.double_support),
            side=side,
            yaw=yaw,
            v_end=v_end * np.exp(1j * yaw),
            step_width=np.array([g.step(s).imag for g, s in zip(gaits, side, strict=True)]),
            stance=stance,
            stance_cop=rectangle(stance, stance_direction, cop_half[0], cop_half[1]),
            cop_start=complex(*start.pressure_W[:2]),
            legs=self._legs,
            limits=self._limits,
            weights=self._weights,
            capture=capture_bounds(self._limits, math.exp(-omega * timing.duration)),
            ground=self._ground,
        )

    def _side(self, stance_limb: str, swing_limb: str) -> float:
        for limb in (stance_limb, swing_limb):
            if limb not in self.feet:
                raise UnknownNameError("foot", limb, self.feet)
        if stance_limb == swing_limb:
            raise InputError(f"{stance_limb!r} cannot stand and swing at the same time.")
        return LEFT if stance_limb == self.feet[0] else RIGHT

    def _region_under(self, start: FootstepStart) -> int:
        """The region nearest to the foot that stands."""
        foot = start.stance_foot_W
        inside = [
            region.p_W + region.R_WR @ np.append(np.clip(region.R_WR.T[:2] @ (foot - region.p_W), -h, h), 0.0)
            for region in self.regions
            for h in (region.half_extent,)
        ]
        return int(np.argmin(np.linalg.norm(foot - np.array(inside), axis=1)))
