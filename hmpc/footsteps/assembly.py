"""From a row of the search's queue to a `FootstepPlan`: the third dimension, times and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.footsteps.heights import com_heights, cubic, vaults
from hmpc.footsteps.search import flight
from hmpc.types import FootstepPlan, Leap, Status

if TYPE_CHECKING:
    from hmpc.footsteps.areas import ComplexArray
    from hmpc.footsteps.gait import StepTiming
    from hmpc.footsteps.planner import FootstepStart
    from hmpc.footsteps.problem import Problem
    from hmpc.footsteps.queue import Queue
    from hmpc.params import FootstepParams
    from hmpc.types import Array, ContactRegion


def footstep_plan(
    start: FootstepStart,
    problem: Problem,
    timing: StepTiming,
    queue: Queue,
    row: int,
    phases: int,
    regions: tuple[ContactRegion, ...],
    status: Status,
    params: FootstepParams,
) -> FootstepPlan:
    """The plan in `row` of the queue, as far as its `phases`."""
    duration, double_support = queue.duration[row, :phases], np.full(phases, timing.double_support)
    double_support[0] = start.double_support
    leaping = int(queue.leap[row])
    if leaping:
        double_support[leaping] = problem.leap.push
    t = start.t + np.concatenate(([0.0], np.cumsum(duration)))
    foot, cop, height = queue.foot[row, :phases], queue.cop[row, :phases], queue.height[row, :phases]
    region = queue.region[row, :phases]
    uphill = (problem.ground.slope[region].conjugate() * (cop - foot)).real
    cop_W = _points(cop, height + uphill)
    com = queue.com[row, : phases + 1]
    first_is_left = bool(problem.side[0] > 0.0)
    whole = np.append(max(float(duration[0]), timing.duration), duration[1:])  # the first phase from its beginning
    share = float(duration[0]) / whole[0]
    z, vz = com_heights(
        foot,
        height,
        com,
        problem.yaw,
        first_is_left,
        problem.legs,
        problem.com_height,
        start,
        duration,
        share,
        params.toes_first_drop,
        params.landing_rise,
    )
    vel = queue.vel[row, : phases + 1].copy()
    vel[0] = complex(*start.com_vel_W[:2])
    vault = vaults(foot, problem.yaw, height, z, problem.legs, whole, share, params)
    if start.fall > 0.0:
        vault[0] = 0.0
    leap = _leap(problem, queue, row, float(t[leaping])) if leaping else None
    if leap is not None:
        vault[leaping - 1 : leaping + 1] = 0.0
        # On the way from the boundary before to lift-off.
        before, after = (z[leaping - 1], vz[leaping - 1]), (leap.com_W[0, 2], leap.com_vel_W[0, 2])
        last = duration[leaping - 1]
        z[leaping], vz[leaping], _ = cubic(last, last + problem.leap.push, before, after)
    limbs = (start.stance_limb, start.swing_limb)
    return FootstepPlan(
        limb=tuple(limbs[k % 2] for k in range(phases)),
        t_start=t[:-1],
        t_end=t[1:],
        region=tuple(regions[i] for i in region),
        double_support=double_support,
        foot_W=_points(foot, height),
        cop_W=cop_W,
        cop_start_W=start.pressure_W if start.double_support > 0.0 else cop_W[0],
        yaw=problem.yaw[:phases],
        com_W=_points(com, z),
        com_vel_W=_points(vel, vz),
        vault=vault,
        omega=problem.omega,
        cost=float(queue.cost[row, :phases].sum()),
        status=status,
        leap=leap,
        constrained=bool(queue.moved[row, 1 : min(phases, 3)].max(initial=0.0) > params.free_move),
    )


def _leap(problem: Problem, queue: Queue, row: int, start: float) -> Leap:
    """The leap of the plan in `row`, whose phase starts at the time `start`."""
    k, leap = int(queue.leap[row]), problem.leap
    fly = flight(problem, queue, row, k)
    falling = fly.upwards - leap.gravity * leap.flight
    lift_off = start + leap.push
    return Leap(
        step=k,
        lift_off=lift_off,
        touch_down=lift_off + leap.flight,
        com_W=_points(np.array([fly.lift_off, fly.touch_down]), np.array([fly.lift_off_height, fly.touch_down_height])),
        com_vel_W=_points(np.full(2, fly.velocity), np.array([fly.upwards, falling])),
    )


def _points(horizontal: ComplexArray, height: Array) -> Array:
    return np.stack((horizontal.real, horizontal.imag, height), axis=1)
