"""From a row of the search's queue to a `FootstepPlan`: the third dimension, times and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.types import FootstepPlan, Status

if TYPE_CHECKING:
    from hmpc.footsteps.areas import ComplexArray
    from hmpc.footsteps.gait import StepTiming
    from hmpc.footsteps.planner import FootstepStart
    from hmpc.footsteps.queue import Queue
    from hmpc.footsteps.search import Problem
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
) -> FootstepPlan:
    """The plan in `row` of the queue, as far as its `phases`."""
    t = start.t + np.concatenate(([0.0], start.remaining + timing.duration * np.arange(phases)))
    double_support = np.full(phases, timing.double_support)
    double_support[0] = start.double_support
    foot, cop, height = queue.foot[row, :phases], queue.cop[row, :phases], queue.height[row, :phases]
    region = queue.region[row, :phases]
    uphill = (problem.ground.slope[region].conjugate() * (cop - foot)).real
    cop_W = _points(cop, height + uphill)
    z, vz = com_heights(height, problem.com_height, start, timing.duration)
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
        com_W=_points(queue.com[row, : phases + 1], z),
        com_vel_W=_points(queue.vel[row, : phases + 1], vz),
        omega=problem.omega,
        cost=float(queue.cost[row, :phases].sum()),
        status=status,
    )


def com_heights(foot_height: Array, com_height: float, start: FootstepStart, duration: float) -> tuple[Array, Array]:
    """Height [m] and vertical velocity [m/s] of the COM at the boundaries of the phases.

    When a foot lands, the COM is `com_height` above the mean of both feet and rises as they do, which on even stairs
    is at a constant rate. From the measured height it returns there within a step: where only a part r of the first
    phase is left, it goes r² of the way by the end of it, so that the acceleration does not depend on r.
    """
    z, vz = np.empty(len(foot_height) + 1), np.zeros(len(foot_height) + 1)
    z[1:-1] = com_height + 0.5 * (foot_height[1:] + foot_height[:-1])
    vz[1:-1] = (foot_height[1:] - foot_height[:-1]) / duration
    z[-1] = com_height + foot_height[-1]
    z[0], vz[0] = start.com_W[2], start.com_vel_W[2]
    blend = min(start.remaining / duration, 1.0) ** 2
    z[1] = blend * z[1] + (1.0 - blend) * (z[0] + vz[0] * start.remaining)
    vz[1] = blend * vz[1] + (1.0 - blend) * vz[0]
    return z, vz


def _points(horizontal: ComplexArray, height: Array) -> Array:
    return np.stack((horizontal.real, horizontal.imag, height), axis=1)
