"""From a row of the search's queue to a `FootstepPlan`: the third dimension, times and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.footsteps.heights import com_heights, vaults
from hmpc.types import FootstepPlan, Status

if TYPE_CHECKING:
    from hmpc.footsteps.areas import ComplexArray
    from hmpc.footsteps.gait import StepTiming
    from hmpc.footsteps.planner import FootstepStart
    from hmpc.footsteps.queue import Queue
    from hmpc.footsteps.search import Problem
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
    t = start.t + np.concatenate(([0.0], start.remaining + timing.duration * np.arange(phases)))
    double_support = np.full(phases, timing.double_support)
    double_support[0] = start.double_support
    foot, cop, height = queue.foot[row, :phases], queue.cop[row, :phases], queue.height[row, :phases]
    region = queue.region[row, :phases]
    uphill = (problem.ground.slope[region].conjugate() * (cop - foot)).real
    cop_W = _points(cop, height + uphill)
    com = queue.com[row, : phases + 1]
    first_is_left, duration = bool(problem.side[0] > 0.0), timing.duration
    z, vz = com_heights(
        foot, height, com, problem.yaw, first_is_left, problem.legs, problem.com_height, start, duration
    )
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
        com_vel_W=_points(queue.vel[row, : phases + 1], vz),
        vault=vaults(foot, problem.yaw, height, z, problem.legs, start, duration, params),
        omega=problem.omega,
        cost=float(queue.cost[row, :phases].sum()),
        status=status,
        constrained=bool(queue.moved[row, 1 : min(phases, 3)].max(initial=0.0) > params.free_move),
    )


def _points(horizontal: ComplexArray, height: Array) -> Array:
    return np.stack((horizontal.real, horizontal.imag, height), axis=1)
