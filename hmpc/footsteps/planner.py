"""TIER 1, the long-term planner (Sec. 3.1): where to step, for the next few seconds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.errors import InputError, UnknownNameError
from hmpc.footsteps.areas import surfaces
from hmpc.footsteps.assembly import footstep_plan
from hmpc.footsteps.gait import LEFT, RIGHT, Gait, periodic_gait, step_timing
from hmpc.footsteps.heights import com_height_over
from hmpc.footsteps.leaps import leap_phase
from hmpc.footsteps.limits import can_be_stepped_on, capture_bounds, feet, legs_of, step_limits, turned, widened_for
from hmpc.footsteps.lipm import catch_gain, phase_map
from hmpc.footsteps.obstacle import barrier
from hmpc.footsteps.problem import Problem, Weights
from hmpc.footsteps.retiming import rhythm_of
from hmpc.footsteps.routes import plans_along_routes
from hmpc.footsteps.seams import over_low_edges, without_seams
from hmpc.footsteps.search import search
from hmpc.types import ContactRegion, FootstepPlan, Status, read_only

if TYPE_CHECKING:
    from hmpc.footsteps.gait import StepTiming
    from hmpc.footsteps.queue import Queue
    from hmpc.params import FootstepParams
    from hmpc.types import Array, BodyModel, Command

_STOPPING_STEPS = 2  # until the feet are side by side
_ANYWHERE = 100.0  # [m] half extent of ground that is not there


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
    swing_height: float = math.nan  # [m] of where the swing foot stands or stood; NaN: not known
    cop_W: Array | None = None  # (3,) [m] centre of pressure now, for a double support; None: the stance foot
    fall: float = 0.0  # [m/s] downwards, that the stance foot is still to catch after a flight

    def __post_init__(self) -> None:
        for name in ("com_W", "com_vel_W", "stance_foot_W"):
            object.__setattr__(self, name, read_only(getattr(self, name), 3))
        if self.cop_W is not None:
            object.__setattr__(self, "cop_W", read_only(self.cop_W, 3))
        vectors = (*self.com_W, *self.com_vel_W, *self.stance_foot_W, *self.pressure_W)
        numbers = (self.t, self.yaw, self.stance_yaw, self.fall, *vectors)
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
    others: tuple[Callable[[], FootstepPlan], ...]

    @property
    def alternatives(self) -> tuple[FootstepPlan, ...]:
        """The others, put together now: they are only looked at, and most of them by nobody."""
        return tuple(plan() for plan in self.others)


class _Found(NamedTuple):
    """What a search has found."""

    problem: Problem
    timing: StepTiming
    queue: Queue
    phases: int  # that its plans have: fewer than were asked for where nothing leads on
    viable: bool  # whether the body can be caught by steps within the limits


class FootstepPlanner:
    """Lays inverted pendulums out over the stepping regions of an environment.

    The first phase of a plan is the step going on now; `params.steps` more follow. The status of a plan:

    - OK: it follows the command.
    - FALLBACK: the body is beyond capture by steps within the limits; these are the steps that come nearest to it.
    - UNREACHABLE: the command leads where nothing can be stepped on, so the plan follows it for as long as it can and
      then stops, feet side by side.
    """

    def __init__(self, body: BodyModel, regions: Sequence[ContactRegion], params: FootstepParams) -> None:
        self.body = body
        self.params = params
        self.feet = feet(body)
        sole = max(float(body.limb(foot).half_extent.max()) for foot in self.feet)
        joined = without_seams([region for region in regions if can_be_stepped_on(region, params)])
        self.regions = over_low_edges(joined, sole + params.safety_margin, params.low_edge)
        if not self.regions:
            raise InputError("None of the regions can be stepped on: each is too small, too steep, or a bar to hold.")
        self._ground = surfaces(self.regions)
        self._p_W = np.array([region.p_W for region in self.regions])
        self._R_WR = np.array([region.R_WR for region in self.regions])
        self._small = np.array([region.half_extent.max() <= params.small_region for region in self.regions])
        self._legs = legs_of(body, params.heel_stretch)
        self._limits = step_limits(self._legs, params)
        self._weights = Weights(
            velocity=params.velocity_weight,
            displacement=params.displacement_weight,
            width=params.width_weight,
            reach=params.reach_weight,
            climb=params.climb_weight,
            leap=params.leap_weight,
            damping=params.cop_move_damping,
        )

    def plan(self, start: FootstepStart, command: Command) -> FootstepOptions:
        """The footsteps that follow `command` from `start`, or come to a stop, and the next best ones."""
        steps = self.params.steps
        to_a_stop = [(walked, True) for walked in range(steps - _STOPPING_STEPS, -1, -1)]
        for walked, viable_only in ((steps + 1, True), *to_a_stop, (0, False)):
            found = self._search(start, command, walked, 0.0, viable_only=viable_only)
            if found.phases == steps + 1:
                break
        if found.phases <= _STOPPING_STEPS:
            return self._on_any_ground(start, command)
        status = Status.UNREACHABLE if walked < steps else Status.OK if found.viable else Status.FALLBACK
        return self._options(start, found, status)

    def leap(self, start: FootstepStart, command: Command, flight: float) -> FootstepOptions | None:
        """The footsteps that follow `command` with a leap of `flight` [s] if need be; None if there are none."""
        found = self._search(start, command, self.params.steps + 1, flight, viable_only=True)
        return self._options(start, found, Status.OK) if found.viable and found.phases > self.params.steps else None

    def warm_up(self, start: FootstepStart, command: Command) -> None:
        """Compile now what would be compiled when the walk comes to small regions, in the middle of a step."""
        if self._small.any():
            self._search(start, command, self.params.steps + 1, 0.0, viable_only=True, along_routes=True)

    def _search(
        self,
        start: FootstepStart,
        command: Command,
        walked: int,
        flight: float,
        *,
        viable_only: bool,
        along_routes: bool = False,
    ) -> _Found:
        """Plans that follow a command for so many steps; `along_routes` also where there is no need for them."""
        gait, in_place = self.gait(command), self.gait(command, in_place=True)
        com = complex(*start.com_W[:2])
        # A fall is caught along the line from the foot to the COM, as in `leap_map`.
        caught = catch_gain(gait.omega, start.fall / self.params.gravity) * (com - complex(*start.stance_foot_W[:2]))
        vel = complex(*start.com_vel_W[:2]) + caught
        height, region = float(start.stance_foot_W[2]), self._region_under(start.stance_foot_W)
        problem = self._problem(start, gait, in_place, walked, flight)
        queue, phases, viable = search(problem, self.params.queue, com, vel, height, region, viable_only)
        straight_on = walked > self.params.steps and flight == 0.0
        if along_routes or (straight_on and self._needs_route(gait, queue, phases)):
            rhythm = rhythm_of(gait, start.remaining, start.double_support, self.params)
            n, tolerance = self.params.routes, self.params.capture_tolerance
            routes = plans_along_routes(problem, n, rhythm, com, vel, height, region, tolerance)
            if routes.size[0] > 0:
                queue, phases, viable = routes, self.params.steps + 1, True
        return _Found(problem, gait.timing, queue, phases, viable)

    def _options(self, start: FootstepStart, found: _Found, status: Status) -> FootstepOptions:
        """What was found, in the order of its cost."""
        problem, timing, queue, phases, _ = found
        best, *others = (
            partial(footstep_plan, start, problem, timing, queue, int(row), phases, self.regions, status, self.params)
            for row in np.argsort(queue.cost[: queue.size[0], :phases].sum(axis=1), kind="stable")
        )
        return FootstepOptions(best=best(), others=tuple(others))

    def _needs_route(self, gait: Gait, queue: Queue, phases: int) -> bool:
        """Whether a walk straight on comes to regions that are too small to leave the feet a choice."""
        if not self._small.any() or gait.path_step.real <= 0.0 or abs(gait.turn) > self.params.route_turn:
            return False
        return phases <= self.params.steps or bool(self._small[queue.region[: queue.size[0], :phases]].any())

    def _on_any_ground(self, start: FootstepStart, command: Command) -> FootstepOptions:
        """Steps as if there were ground everywhere: for a body that falls towards where there is none."""
        floor = ContactRegion(p_W=start.stance_foot_W, R_WR=np.eye(3), half_extent=np.full(2, _ANYWHERE))
        options = FootstepPlanner(self.body, (floor,), self.params).plan(start, command)
        return replace(options, best=replace(options.best, status=Status.FALLBACK))

    def barrier(self, foot_W: Array, yaw: float, command: Command) -> str:
        """Why the commanded way is barred for a character whose foot stands at `foot_W`, in a sentence."""
        return barrier(foot_W, yaw, command.velocity_H, self.regions, self._limits)

    def gait(self, command: Command, *, in_place: bool = False) -> Gait:
        """The periodic gait of a command, slowed down to steps within reach; `in_place`: without getting anywhere."""
        timing, limits, share = step_timing(command, self.params), self._limits, self.params.cruise_share
        sideways = 0.5 * share * (limits.outward - limits.inward)
        closest = 0.5 * (limits.outward + limits.inward) - sideways
        largest = np.array([self.params.cruise_forward * limits.forward, sideways]) / timing.duration
        smallest = np.array([-share * limits.backward, -sideways]) / timing.duration
        velocity = complex(*np.clip(command.velocity_H, smallest, largest))
        width = self.body.step_width if command.step_width is None else command.step_width
        omega = math.sqrt(self.params.gravity / (self.body.com_height * command.body_height))
        if in_place:
            return periodic_gait(0j, 0.0, width, timing, omega, closest)
        return periodic_gait(velocity, command.yaw_rate, width, timing, omega, closest)

    def com_height(
        self, com_W: Array, yaw: float, feet_W: Mapping[str, Array], landed: str, body_height: float
    ) -> float:
        """Height [m] at which the COM belongs over two feet when the one called `landed` lands."""
        foot = [complex(*feet_W[name][:2]) for name in self.feet]
        height, landing = [float(feet_W[name][2]) for name in self.feet], self.feet.index(landed)
        standing, drop = self.body.com_height * body_height, self.params.toes_first_drop
        return com_height_over(complex(*com_W[:2]), yaw, foot, height, landing, self._legs, standing, drop)

    def _problem(self, start: FootstepStart, gait: Gait, in_place: Gait, walked: int, flight: float) -> Problem:
        """To follow one gait for `walked` steps, then the other if any are left, with one `flight` [s] if need be."""
        timing, omega = gait.timing, gait.omega
        k = np.arange(self.params.steps + 1)
        stance_side = self._side(start.stance_limb, start.swing_limb)
        side = np.where(k % 2 == 0, stance_side, -stance_side)
        to_mid_stance = start.remaining - 0.5 * timing.single_support
        yaw = start.yaw + gait.turn * (to_mid_stance / timing.duration + np.minimum(k, walked))
        step_yaw = yaw[0] + gait.turn * (np.minimum(np.arange(len(k) + 1), walked + 0.5) - 0.5)
        gaits = [gait if i <= walked else in_place for i in k]
        heading = np.exp(1j * yaw)
        phase = phase_map(omega, timing.duration, timing.double_support)
        stance = complex(*start.stance_foot_W[:2])
        limits = turned(self._limits, self._legs, gait.turn)
        return Problem(
            omega=omega,
            com_height=self.params.gravity / omega**2,
            first=phase_map(omega, start.remaining, start.double_support),
            phase=phase,
            times=np.append(start.remaining, np.full(len(k) - 1, timing.duration)),
            leap=leap_phase(flight, gait, self.body.com_height, self.params),
            side=side,
            yaw=np.append(start.stance_yaw, yaw[1:]),
            direction=np.exp(1j * step_yaw),
            capture_offset=np.array([g.capture_offset(s) for g, s in zip(gaits, side, strict=True)]) * heading,
            v_end=np.array([g.end_velocity(s) for g, s in zip(gaits, side, strict=True)]) * heading,
            step=np.array([g.step(s) for g, s in zip(gaits, side, strict=True)]) * np.exp(1j * step_yaw[:-1]),
            step_width=np.array([g.step(s).imag for g, s in zip(gaits, side, strict=True)]),
            stance=stance,
            height_before=start.swing_height,
            cop_start=complex(*start.pressure_W[:2]),
            legs=self._legs,
            limits=limits,
            weights=self._weights,
            capture=widened_for(capture_bounds(limits, phase, omega), gait, self.params.reach_tolerance),
            progress=np.exp(1j * step_yaw[:-1]) * np.sign(gait.path_step) * (walked > 0),
            max_lag=self.params.max_lag * abs(gait.path_step) * min(walked, self.params.steps),
            end_tolerance=self.params.stop_tolerance if walked < self.params.steps else math.inf,
            ground=self._ground,
        )

    def _side(self, stance_limb: str, swing_limb: str) -> float:
        for limb in (stance_limb, swing_limb):
            if limb not in self.feet:
                raise UnknownNameError("foot", limb, self.feet)
        if stance_limb == swing_limb:
            raise InputError(f"{stance_limb!r} cannot stand and swing at the same time.")
        return LEFT if stance_limb == self.feet[0] else RIGHT

    def _region_under(self, foot_W: Array) -> int:
        """The region nearest to a foot that stands."""
        offset_R = np.einsum("mji,mj->mi", self._R_WR, foot_W - self._p_W)
        offset_R[:, :2] -= np.clip(offset_R[:, :2], -self._ground.half, self._ground.half)
        return int(np.argmin(np.einsum("mi,mi->m", offset_R, offset_R)))
