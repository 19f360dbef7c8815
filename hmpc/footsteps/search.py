"""The search over stepping regions (Fig. 3): a queue of the n most promising plans, one phase longer at a time.

For each plan in the queue, the pendulum says where the next COP should be (Fig. 3a): where the phase ends with the
capture point as in the periodic gait. (The paper asks for its velocity. In a steady gait the two agree; off it, this
one keeps the body capturable for as long as steps within the limits can.) If that is a safe place, it is taken; if
not, the COP is moved to every region within reach, one new plan each (Fig. 3b). Where a COP had to be moved, the one
before it is re-planned with both phases coupled (Fig. 3c).

Compiled; horizontal vectors are complex numbers x + iy.
"""

from __future__ import annotations

import cmath
import math

import numpy as np
from numba import njit

from hmpc.footsteps.areas import (
    Area,
    allowed_share,
    clamp,
    clamp_to_both,
    dot,
    ground_height,
    height_at,
    out_of_reach,
    rectangle,
    safe_area,
    surface_area,
    too_near_a_wall,
)
from hmpc.footsteps.compiled import allocating, kernel
from hmpc.footsteps.leaps import Flight, flight_of, is_possible
from hmpc.footsteps.limits import strain
from hmpc.footsteps.lipm import PhaseMap, capture_point, cop_for_capture_offset, coupled_cop_shift, propagate
from hmpc.footsteps.problem import Problem
from hmpc.footsteps.queue import Queue, copy_plan, empty_queue, insert

_SAME_HEIGHT = 0.01  # [m] regions nearer than this are one surface
# [m] how high ground ahead has to be to be in the way of a knee: above the shin of a leg that climbs a step that is
# itself as high, and bends that far; nearly as high as the knee otherwise.
_SHIN, _KNEE = 0.22, 0.33
_FAR = 3.0  # [m] further than any leap leads
_MOVED = 1e-6  # [m] a COP further than this from where the pendulum wants it has been moved


@kernel
def capture_offset(problem: Problem, q: Queue, i: int, k: int) -> complex:
    """Capture point relative to the foot at the end of phase k."""
    return capture_point(q.com[i, k + 1], q.vel[i, k + 1], problem.omega) - q.foot[i, k]


@kernel
def is_viable(problem: Problem, q: Queue, i: int, k: int) -> bool:
    """Does phase k of plan i lead on: within reach of further steps, along the commanded path, to a stop if it must?

    A plan that only treads at the edge of a gap, held back at each step, does not follow its command.
    """
    offset = capture_offset(problem, q, i, k)
    if k == problem.side.shape[0] - 1 and abs(offset - problem.capture_offset[k]) > problem.end_tolerance:
        return False
    lag = 0.0
    for j in range(1, k + 1):
        reachable = clamp(step_reach(problem, j, q.foot[i, j - 1], 1.0), q.wanted[i, j])
        lag += dot(problem.progress[j], reachable - q.foot[i, j])
    if lag > problem.max_lag:
        return False
    bounds = problem.capture
    offset *= problem.direction[k + 1].conjugate()
    lateral = -problem.side[k] * offset.imag
    return bounds.back <= offset.real <= bounds.front and bounds.inner <= lateral <= bounds.outer


@kernel
def phase_of(problem: Problem, q: Queue, i: int, k: int) -> PhaseMap:
    if k == 0:
        return problem.first
    return problem.leap.phase if k == q.leap[i] else problem.phase


@kernel
def cop_before(problem: Problem, q: Queue, i: int, k: int) -> complex:
    return q.cop[i, k - 1] if k > 0 else problem.cop_start


@kernel
def leg_of(problem: Problem, k: int) -> int:
    return 0 if problem.side[k] > 0.0 else 1


@kernel
def step_reach(problem: Problem, k: int, foot: complex, sign: float, leaping: bool = False) -> Area:
    """Where foot k can go from foot k - 1 at `foot`; with sign = -1, where foot k - 1 can have been for foot k.

    How far a leap leads ahead depends on its speed: see `flight`.
    """
    limits = problem.limits
    direction = problem.direction[k]
    backward, forward = (-limits.forward, _FAR) if leaping else (limits.backward, limits.forward)
    middle = 0.5 * (forward - backward) + 0.5j * problem.side[k] * (limits.inward + limits.outward)
    half_x, half_y = 0.5 * (forward + backward), 0.5 * (limits.outward - limits.inward)
    return rectangle(foot + sign * direction * middle, direction, half_x, half_y)


@kernel
def safe_area_of(problem: Problem, k: int, region: int) -> Area:
    limits, leg = problem.limits, leg_of(problem, k)
    sole = (problem.legs.sole[leg, 0], problem.legs.sole[leg, 1])
    return safe_area(problem.ground, region, sole, problem.yaw[k], limits.margin, limits.overhang)


@kernel
def foothold(problem: Problem, k: int, region: int, target: complex, reach: Area, stance_height: float) -> complex:
    """The place for foot k on a region that is nearest to `target`; NaN if there is none within reach."""
    nowhere = complex(math.nan, math.nan)
    if out_of_reach(problem.ground, region, reach, problem.limits.tolerance):
        return nowhere
    area = safe_area_of(problem, k, region)
    if area.half_x < 0.0 or area.half_y < 0.0:
        return nowhere
    p = clamp_to_both(target, area, reach)
    if abs(p - clamp(reach, p)) > problem.limits.tolerance:
        return nowhere
    z = height_at(problem.ground, region, p)
    if not -problem.limits.down <= z - stance_height <= problem.limits.up:
        return nowhere
    headroom, ahead = 2.0 * problem.com_height, cmath.exp(1j * problem.yaw[k])
    if ground_height(problem.ground, p, z + headroom) > z + _SAME_HEIGHT:
        return nowhere
    toes = p + problem.legs.sole[leg_of(problem, k), 0] * ahead
    wall = _SHIN if z - stance_height >= _SHIN else _KNEE
    back = too_near_a_wall(problem.ground, toes, ahead, z, wall, problem.limits.knee_room, headroom)
    return clamp_to_both(p - back * ahead, area, reach)


@njit(cache=True)
def flight(problem: Problem, q: Queue, i: int, k: int) -> Flight:
    """The flight at the beginning of phase k."""
    return flight_of(
        problem.leap,
        problem.legs,
        q.com[i, k],
        q.vel[i, k],
        q.cop[i, k - 1],
        (q.foot[i, k - 1], q.foot[i, k]),
        (q.height[i, k - 1], q.height[i, k]),
        (leg_of(problem, k - 1), leg_of(problem, k)),
        (problem.yaw[k - 1], problem.yaw[k]),
        problem.com_height,
    )


@kernel
def run_phase(problem: Problem, q: Queue, i: int, k: int) -> None:
    """State at the end of phase k, and the cost of its step."""
    p0, p1 = cop_before(problem, q, i, k), q.cop[i, k]
    q.com[i, k + 1], q.vel[i, k + 1] = propagate(phase_of(problem, q, i, k), q.com[i, k], q.vel[i, k], p0, p1)
    if k == 0:
        return
    weights, leg = problem.weights, leg_of(problem, k)
    stance, foot = q.foot[i, k - 1], q.foot[i, k]
    step = (foot - stance) * problem.direction[k].conjugate()
    leaping = k == q.leap[i]
    beyond = abs(foot - clamp(step_reach(problem, k, stance, 1.0, leaping), foot))
    root = problem.legs.root[leg]
    com, upwards = q.com[i, k], 0.0
    if leaping:
        fly = flight(problem, q, i, k)
        com, upwards = fly.touch_down, fly.upwards
    hip = com + complex(root[0], root[1]) * cmath.exp(1j * problem.yaw[k])
    # Over a foot that lands higher the hip is lower than usual; for one that lands lower the COM comes down with it.
    hip_height = problem.com_height + root[2] - 0.5 * max(q.height[i, k] - q.height[i, k - 1], 0.0)
    beyond += max(math.hypot(abs(foot - hip), hip_height) - problem.legs.reach[leg], 0.0)
    beyond += 0.0 if leaping else strain(problem.limits, step.real, q.height[i, k - 1] - q.height[i, k])
    before = q.height[i, k - 2] if k > 1 else problem.height_before
    uneven = 0.0 if math.isnan(before) else q.height[i, k] - 2.0 * q.height[i, k - 1] + before
    q.cost[i, k] = (
        weights.velocity * abs(q.vel[i, k + 1] - problem.v_end[k]) ** 2
        + weights.displacement * abs(foot - q.wanted[i, k]) ** 2
        + weights.width * (step.imag - problem.step_width[k]) ** 2
        + weights.reach * beyond**2
        + weights.climb * uneven**2
        + weights.leap * upwards**2
    )


@kernel
def foot_share(problem: Problem, q: Queue, i: int, j: int, move: complex) -> float:
    """The share of `move` by which foot j can be moved on its region, given the feet before and after it."""
    if j == 0:
        return 0.0
    foot, k = q.foot[i, j], j + 1
    share = allowed_share(safe_area_of(problem, j, q.region[i, j]), foot, move)
    share = min(share, allowed_share(step_reach(problem, j, q.foot[i, j - 1], 1.0, j == q.leap[i]), foot, move))
    return min(share, allowed_share(step_reach(problem, k, q.foot[i, k], -1.0, k == q.leap[i]), foot, move))


@kernel
def cop_share(problem: Problem, q: Queue, i: int, j: int, move: complex) -> float:
    """The share of `move` by which COP j can be moved within the sole and on the region."""
    leg, use = leg_of(problem, j), problem.limits.sole_use
    half_x, half_y = use * problem.legs.sole[leg, 0], use * problem.legs.sole[leg, 1]
    sole = rectangle(q.foot[i, j], cmath.exp(1j * problem.yaw[j]), half_x, half_y)
    surface = surface_area(problem.ground, q.region[i, j], problem.limits.margin)
    return min(allowed_share(sole, q.cop[i, j], move), allowed_share(surface, q.cop[i, j], move))


@kernel
def replan_previous_cop(problem: Problem, q: Queue, i: int, k: int) -> None:
    """Move COP k - 1 so that phase k ends as wanted (Fig. 3c): with its foot, and what is left within the sole."""
    j = k - 1
    error = capture_offset(problem, q, i, k) - problem.capture_offset[k]
    previous, current = phase_of(problem, q, i, j), phase_of(problem, q, i, k)
    shift = coupled_cop_shift(previous, current, problem.omega, error, problem.weights.damping)
    # One axis after the other: each only lowers the error, and a limit to one does not stop the other.
    for axis in (problem.direction[k], 1j * problem.direction[k]):
        move = axis * dot(axis, shift)
        with_foot = move * foot_share(problem, q, i, j, move)
        q.foot[i, j] += with_foot
        q.cop[i, j] += with_foot
        within_sole = move - with_foot
        q.cop[i, j] += within_sole * cop_share(problem, q, i, j, within_sole)
    if j > 0:
        q.height[i, j] = height_at(problem.ground, q.region[i, j], q.foot[i, j])
    run_phase(problem, q, i, j)
    run_phase(problem, q, i, k)


@allocating
def extend(problem: Problem, q: Queue, i: int, k: int, longer: Queue, viable_only: bool) -> None:
    """Add all ways to go on with plan i by phase k to the queue `longer`: by a step or, if that is not free, a leap."""
    free = extend_by(problem, q, i, k, longer, viable_only, False)
    if not free and problem.leap.flight > 0.0 and q.leap[i] == 0:
        extend_by(problem, q, i, k, longer, viable_only, True)


@allocating
def extend_by(problem: Problem, q: Queue, i: int, k: int, longer: Queue, viable_only: bool, leaping: bool) -> bool:
    """Add all steps, or all leaps; whether the place where the pendulum wants the foot is one of them."""
    n = longer.cop.shape[0] - 1
    stance = q.foot[i, k - 1]
    reach = step_reach(problem, k, stance, 1.0, leaping)
    p0, com, vel = cop_before(problem, q, i, k), q.com[i, k], q.vel[i, k]
    phase = problem.leap.phase if leaping else problem.phase
    wanted = cop_for_capture_offset(phase, problem.omega, com, vel, p0, problem.capture_offset[k])
    target = clamp(reach, wanted)
    regions = problem.ground.center.shape[0]
    places = np.empty(regions, np.complex128)
    wanted_is_safe = False
    for region in range(regions):
        places[region] = foothold(problem, k, region, target, reach, q.height[i, k - 1])
        wanted_is_safe = wanted_is_safe or abs(places[region] - target) <= _MOVED
    for region in range(regions):
        p = places[region]
        if cmath.isnan(p) or (wanted_is_safe and abs(p - target) > _MOVED):
            continue
        copy_plan(q, i, longer, n, k)
        if leaping:
            longer.leap[n] = k
        longer.foot[n, k], longer.cop[n, k] = p, p
        longer.height[n, k] = height_at(problem.ground, region, p)
        longer.region[n, k] = region
        longer.duration[n, k] = problem.leap.duration if leaping else problem.times[k]
        longer.wanted[n, k] = wanted
        longer.moved[n, k] = abs(p - target)
        run_phase(problem, longer, n, k)
        if abs(p - wanted) > _MOVED:
            replan_previous_cop(problem, longer, n, k)
        if leaping and not can_leap(problem, longer, n, k):
            continue
        if not viable_only or is_viable(problem, longer, n, k):
            insert(longer, k + 1)
    return wanted_is_safe


@kernel
def can_leap(problem: Problem, q: Queue, i: int, k: int) -> bool:
    return is_possible(problem.leap, flight(problem, q, i, k), (q.height[i, k - 1], q.height[i, k]), k)


@njit(cache=True)
def search(
    problem: Problem, n: int, com: complex, vel: complex, height: float, region: int, viable_only: bool
) -> tuple[Queue, int, bool]:
    """The queue, how many phases its plans have, and whether they are viable.

    They have fewer than K phases if nothing could be reached. With `viable_only`, plans that lead nowhere are dropped,
    unless the body is beyond capture already: then the best that can be done is wanted all the same.
    """
    phases = problem.side.shape[0]
    q, longer = empty_queue(n, phases), empty_queue(n, phases)
    q.size[0] = 1
    q.foot[0, 0], q.cop[0, 0], q.height[0, 0], q.region[0, 0] = problem.stance, problem.stance, height, region
    q.com[0, 0], q.vel[0, 0], q.duration[0, 0] = com, vel, problem.times[0]
    q.com[0, 1], q.vel[0, 1] = propagate(problem.first, com, vel, problem.cop_start, problem.stance)
    viable = viable_only and is_viable(problem, q, 0, 0)
    for k in range(1, phases):
        longer.size[0] = 0
        for i in range(q.size[0]):
            extend(problem, q, i, k, longer, viable)
        if longer.size[0] == 0:
            return q, k, viable
        q, longer = longer, q
    return q, phases, viable
