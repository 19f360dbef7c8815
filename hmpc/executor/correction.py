"""The foothold and the moment of touch-down of a step, corrected while the foot swings."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hmpc.executor.balance import capture_error
from hmpc.executor.foothold import beside_or_clear, choose_landing, time_for_place
from hmpc.footsteps.ground import landing_area, nearest_place
from hmpc.frb.reference import capture_points, sample_plan
from hmpc.geometry import heading, rotation_z, wrap_angle

if TYPE_CHECKING:
    from hmpc.executor.schedule import StepSchedule
    from hmpc.footsteps.gait import Gait
    from hmpc.footsteps.ground import LandingArea
    from hmpc.params import ExecutorParams
    from hmpc.types import Array, FootstepPlan, FrbPlan, FrbState, LimbState, RobotState


def gait_offset(gait: Gait, footsteps: FootstepPlan, stance_side: float) -> Array:
    """(2,) [m] that the gait wants between capture point and foothold at the touch-down of the current step.

    The gait gives the one from the stance foot in that foot's heading, and the step in the heading midway.
    """
    stance_yaw, turn = float(footsteps.yaw[0]), wrap_angle(float(footsteps.yaw[1] - footsteps.yaw[0]))
    capture = cmath.rect(1.0, stance_yaw) * gait.capture_offset(stance_side)
    offset = capture - cmath.rect(1.0, stance_yaw + 0.5 * turn) * gait.step(-stance_side)
    return np.array([offset.real, offset.imag])


class StepFrame(NamedTuple):
    """At the stance foot, in the heading midway between the feet, mirrored so that the swing side is +y."""

    stance: Array  # (2,) [m]
    to_S: Array  # (2, 2)
    turn: float  # [rad] from the stance foot to the foothold

    @staticmethod
    def of(stance: LimbState, yaw: float, outward: float) -> StepFrame:
        """For a step to a foot with the heading `yaw`; `outward` is 1 if it goes to the left, -1 to the right."""
        stance_yaw = heading(stance.R_WL)
        turn = wrap_angle(yaw - stance_yaw)
        midway = stance_yaw + 0.5 * turn
        c, s = math.cos(midway), math.sin(midway)
        to_S = np.array([c, s, -s * outward, c * outward]).reshape(2, 2)
        return StepFrame(stance.p_W[:2], to_S, turn)


class Correction:
    """Where and when the swing foot lands, given a plan of the step and how far the body is off it."""

    def __init__(
        self,
        plan: FrbPlan,
        footsteps: FootstepPlan,
        schedule: StepSchedule,
        gait_offset_W: Array,
        sole: Array,
        params: ExecutorParams,
        *,
        flew: bool,
    ):
        self._plan, self._sole, self._params = plan, sole, params
        self.omega = footsteps.omega
        self.foothold_W = np.array(schedule.foothold_W)
        self._area = landing_area(schedule.region, sole, schedule.yaw, params.landing_margin)
        self._planned = schedule
        # The plan's own offset between capture point and foothold, unless the legs could not do what the gait wants:
        # then the foot may still get there by landing earlier.
        landing, _ = sample_plan(plan, schedule.touch_down)
        offset = (landing.com_W + landing.vel_W / self.omega - schedule.foothold_W)[:2]
        off_gait = float(np.linalg.norm(offset - gait_offset_W))
        out_of_reach = off_gait > params.foothold.off_gait and not (footsteps.constrained or flew)
        self._capture_offset_W = gait_offset_W if out_of_reach else offset

    def miss_H(self, state: RobotState, foot: LimbState) -> Array:
        """(2,) [m] how far the capture point was off its plan at touch-down, beyond what the foothold made up for."""
        body, _ = sample_plan(self._plan, self._planned.touch_down)
        deviation = state.body.com_W - body.com_W + (state.body.vel_W - body.vel_W) / self.omega
        return (rotation_z(heading(state.body.R_WB)).T @ (deviation - (foot.p_W - self._planned.foothold_W)))[:2]

    def correct(
        self,
        state: RobotState,
        body: FrbState,
        foot: LimbState,
        frame: StepFrame,
        schedule: StepSchedule,
        bias: Array,
        swing_start: float,
        dt: float,
    ) -> StepSchedule:
        """Land where and when the capture point will be off its plan by as much as it is bound to be, and by `bias`.

        A deviation of the capture point from the plan, where the body should be at `body`, grows by exp(omega t),
        whatever the COP of the plan is. Forward it is low-passed (it follows the trunk's every nod), sideways not.
        """
        if schedule.touch_down - state.t < self._params.foothold_freeze:
            return schedule
        params, omega = self._params.foothold, self.omega
        dx, dy = capture_error(state.body, body, omega)
        plan, stance, to_S = self._plan, frame.stance, frame.to_S
        motion = plan.t, plan.com_W, plan.vel_W, plan.acc_W, omega
        outlook = state.t, (dx, dy), motion, self._capture_offset_W, stance, to_S, bias

        def foothold_at(landing: Array) -> Array:
            return _footholds(landing, *outlook)

        def place(wanted: Array) -> Array:
            return _place(wanted, stance, to_S, self._area)

        landing = schedule.touch_down
        x, y, reachable, planned_x, planned_y, before = _look_ahead(
            landing, outlook, self._area, schedule.foothold_W, self.foothold_W
        )
        # A foot that is turned against the other comes as close with its toes or its heel.
        apart = params.inward + float(self._sole[0]) * abs(math.sin(frame.turn))
        apart = min(apart, max(planned_y, params.inward))
        earliest = max(state.t + params.shortest_rest, swing_start + params.shortest_swing)
        if abs(x - reachable) > params.given:
            latest = min(self._planned.touch_down + params.latest, landing + params.slowdown * dt)
            landing = min(max(time_for_place(landing, foothold_at, place, params), earliest), latest)
            x, y = foothold_at(np.array([landing]))[0].tolist()
        elif math.dist((x, y), (planned_x, planned_y)) > params.disturbed:
            foot_S = _seen(foot.p_W[:2], stance, to_S)
            landing, wanted_S = choose_landing(state.t, landing, earliest, foothold_at, foot_S, place, apart, params)
            x, y = wanted_S.tolist()
        # Time may run at most twice as fast for the foot, so that its path stays smooth.
        touch_down = max(landing, schedule.touch_down - dt)
        lag = (x - before) * math.exp(-dt / self._params.foothold_filter)
        foothold_S = beside_or_clear(x - lag, y, apart, params)
        self.foothold_W = _stand(foothold_S, stance, to_S, self._area)
        return schedule if touch_down == schedule.touch_down else replace(schedule, touch_down=touch_down)


@njit(cache=True)
def _footholds(
    landing: Array,
    t: float,
    off: tuple[float, float],
    motion: tuple[Array, Array, Array, Array, float],
    offset: Array,
    stance: Array,
    to_S: Array,
    bias: Array,
) -> Array:
    """Footholds (C, 2) [m] at times (C,) for capture points that are `off` their plan at `t`, and ever more so."""
    nodes, com, vel, acc, omega = motion
    wanted = capture_points(landing, nodes, com, vel, acc, omega)
    for i in range(len(landing)):
        growth = math.exp(omega * (landing[i] - t))
        wanted[i, 0] = wanted[i, 0] + growth * off[0] - offset[0] - stance[0]
        wanted[i, 1] = wanted[i, 1] + growth * off[1] - offset[1] - stance[1]
    return wanted @ to_S.T + bias


@njit(cache=True)
def _look_ahead(
    landing: float,
    outlook: tuple[float, tuple[float, float], tuple[Array, Array, Array, Array, float], Array, Array, Array, Array],
    area: LandingArea,
    planned_W: Array,
    before_W: Array,
) -> tuple[float, float, float, float, float, float]:
    """What `_footholds` of one `landing` is to be compared with, in the `StepFrame` [m].

    Its x and y, x of the nearest place in the area, x and y of the planned foothold, x of that of the last tick.
    """
    footholds, (stance, to_S) = _footholds(np.array([landing]), *outlook), outlook[4:6]
    reachable, planned = _place(footholds, stance, to_S, area), _seen(planned_W[:2], stance, to_S)
    before = _seen(before_W[:2], stance, to_S)
    return footholds[0, 0], footholds[0, 1], reachable[0, 0], planned[0], planned[1], before[0]


@njit(cache=True)
def _seen(point_W: Array, stance: Array, to_S: Array) -> Array:
    """Points (..., 2) in the `StepFrame` of the stance foot."""
    return (point_W - stance) @ to_S.T


@njit(cache=True)
def _stand(point_S: Array, stance: Array, to_S: Array, area: LandingArea) -> Array:
    """Where (..., 3) [m] a landing area lets a foot stand that wants to be at points (..., 2) of the `StepFrame`."""
    return nearest_place(stance + point_S @ to_S, area)


@njit(cache=True)
def _place(wanted_S: Array, stance: Array, to_S: Array, area: LandingArea) -> Array:
    """The same in the `StepFrame`."""
    return _seen(_stand(wanted_S, stance, to_S, area)[:, :2], stance, to_S)
