"""Routes over small regions: which of them to step on, with steps as even as they can be.

Where feet have no choice of place, a walk is not found step by step: a step that suits the body now may lead to a
stone from which none goes on. A route is a sequence of regions with a place on each, found without looking at the
body's motion; when to step along it is found after that, see `retiming`.

Compiled; horizontal vectors are complex numbers x + iy.
"""

from __future__ import annotations

import cmath
import math

from numba import njit

from hmpc.footsteps.areas import clamp, dot, height_at, out_of_reach, radius
from hmpc.footsteps.compiled import allocating, kernel
from hmpc.footsteps.problem import Problem
from hmpc.footsteps.queue import Queue, copy_plan, empty_queue, insert
from hmpc.footsteps.retiming import Rhythm, retime
from hmpc.footsteps.search import foothold, safe_area_of, step_reach

_SWEEPS = 8  # of evening out; a foot's neighbours are at most a few steps away


@kernel
def even_out(problem: Problem, q: Queue, i: int, phases: int) -> None:
    """Move each foot of a route, on its region, to where the steps before and after differ least from the gait's.

    Gauss-Seidel on the sum of |step - gait's step|².
    """
    for _ in range(_SWEEPS):
        for k in range(1, phases):
            place = q.foot[i, k - 1] + problem.step[k]
            if k + 1 < phases:
                place = 0.5 * (place + q.foot[i, k + 1] - problem.step[k + 1])
            q.foot[i, k] = clamp(safe_area_of(problem, k, q.region[i, k]), place)
    for k in range(1, phases):
        q.height[i, k] = height_at(problem.ground, q.region[i, k], q.foot[i, k])


@kernel
def rate(problem: Problem, q: Queue, i: int, phases: int) -> bool:
    """Set the costs of a route's steps; whether all of them are within reach and it leads along the commanded path."""
    weights, lag = problem.weights, 0.0
    for k in range(1, phases):
        foot, stance = q.foot[i, k], q.foot[i, k - 1]
        beyond = abs(foot - clamp(step_reach(problem, k, stance, 1.0), foot))
        if beyond > problem.limits.tolerance:
            return False
        lag += dot(problem.progress[k], stance + problem.step[k] - foot)
        before = q.height[i, k - 2] if k > 1 else problem.height_before
        uneven = 0.0 if math.isnan(before) else q.height[i, k] - 2.0 * q.height[i, k - 1] + before
        q.cost[i, k] = (
            weights.displacement * abs(foot - stance - problem.step[k]) ** 2
            + weights.reach * beyond**2
            + weights.climb * uneven**2
        )
    return lag <= problem.max_lag


@njit(cache=True)
def plans_along_routes(
    problem: Problem, n: int, rhythm: Rhythm, com: complex, vel: complex, height: float, region: int, tolerance: float
) -> Queue:
    """Plans along the n most even routes for a body at `com`, `vel`, those that it can walk in time; there may be none.

    Its foot stands on `region` at `height` [m]; its capture point may be off by `tolerance` [m].
    """
    routes, phases = find_routes(problem, n, height, region)
    found, routes.size[0] = routes.size[0], 0
    if phases < problem.side.shape[0]:
        return routes
    for row in range(found):
        if retime(problem, routes, row, com, vel, rhythm) < tolerance:
            copy_plan(routes, row, routes, routes.size[0], phases)
            routes.size[0] += 1
    return routes


@allocating
def find_routes(problem: Problem, n: int, height: float, region: int) -> tuple[Queue, int]:
    """The n most even routes from the foot that stands on `region` at `height` [m], and how many phases they have."""
    phases = problem.side.shape[0]
    q, longer = empty_queue(n, phases), empty_queue(n, phases)
    q.size[0] = 1
    q.foot[0, 0], q.cop[0, 0], q.height[0, 0], q.region[0, 0] = problem.stance, problem.stance, height, region
    for k in range(1, phases):
        longer.size[0] = 0
        for i in range(q.size[0]):
            extend_route(problem, q, i, k, longer)
        if longer.size[0] == 0:
            return q, k
        q, longer = longer, q
    return q, phases


@kernel
def extend_route(problem: Problem, q: Queue, i: int, k: int, longer: Queue) -> None:
    """Add all ways to go on with route i by foot k to the queue `longer`."""
    last = longer.foot.shape[0] - 1
    # The foot that stands may move on its region so that others are reached; the very first one stands already.
    standing = safe_area_of(problem, k - 1, q.region[i, k - 1])
    from_its_middle, room = step_reach(problem, k, standing.center, 1.0), radius(standing) + problem.limits.tolerance
    for region in range(problem.ground.center.shape[0]):
        stance = q.foot[i, k - 1]
        if k > 1:
            if out_of_reach(problem.ground, region, from_its_middle, room):
                continue
            ahead = clamp(safe_area_of(problem, k, region), stance + problem.step[k])
            stance = clamp(standing, ahead - problem.step[k])
        reach = step_reach(problem, k, stance, 1.0)
        place = foothold(problem, k, region, stance + problem.step[k], reach, q.height[i, k - 1])
        if cmath.isnan(place):
            continue
        copy_plan(q, i, longer, last, k)
        longer.foot[last, k], longer.region[last, k] = place, region
        even_out(problem, longer, last, k + 1)
        if rate(problem, longer, last, k + 1):
            insert(longer, k + 1)
