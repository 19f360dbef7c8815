"""When to step where the places are given: the least change of times, COPs and footholds that the body needs.

A pendulum's capture point runs away from the COP, so it is planned backwards. At the start of a phase of T seconds,
over a COP that goes from p0 to p1 in its first T_d seconds, it must be at

    ξ_start = ε ξ_end + b p0 + (1 - b - ε) p1,    ε = exp(-ωT),    b = 1 - (1 - exp(-ωT_d)) / (ωT_d).

Through all phases of a route that gives where it must be now, ξ(u), for the times, COPs and footholds u. Where it is
measured to be, ξ_0, is something else. The least change of u is

    argmin Σ w (u - u*)²/2   so that   ξ(u) = ξ_0,   each u within its limits:   u = clip(u* - λ·∂ξ/∂u / w),

with the two numbers λ that meet the condition, found by Newton's method. u* has the COPs in the middle of the feet and
times in which the body passes over every foot equally fast: then pendulums change places when the COM is midway.

Compiled; horizontal vectors are complex numbers x + iy.
"""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.footsteps.areas import clamp_to_both, dot, height_at, rectangle, surface_area
from hmpc.footsteps.compiled import allocating, kernel
from hmpc.footsteps.lipm import phase_map, propagate
from hmpc.footsteps.search import leg_of, safe_area_of, step_reach

if TYPE_CHECKING:
    from hmpc.footsteps.areas import ComplexArray
    from hmpc.footsteps.gait import Gait
    from hmpc.footsteps.problem import Problem
    from hmpc.footsteps.queue import Queue
    from hmpc.params import FootstepParams
    from hmpc.types import Array

_ROUNDS = 20  # of Newton's method, at most
_EXACT = 1e-10  # [m] of the capture point now
_PROBE = 0.1  # of λ [1/m], for finite differences
_DAMPING = 1e-7  # [m^2] of Newton's matrix, so that limits in all directions do not stop it
_INSTANT = 1e-6  # [s] a shorter double support is none


class Rhythm(NamedTuple):
    """What times are possible and wanted, and what a change costs."""

    shortest: float  # [s] of a step
    longest: float  # [s]
    passing: float  # [m/s] over the feet
    double_support: Array  # (K,) [s]
    elapsed: float  # [s] of the first step
    time_unit: float  # [s] these changes cost the same
    cop_unit: float  # [m]
    foot_unit: float  # [m]


class Course(NamedTuple):
    """A row of the queue while it is being changed."""

    foot: ComplexArray  # (K,) [m] u*: footholds of the route ...
    time: Array  # (K,) [s] ... and natural times
    capture: ComplexArray  # (K + 1,) [m] where the capture point must be at the boundaries of the phases
    by_cop: Array  # (K,) ∂ξ/∂u of the first of them by COPs and footholds ...
    by_time: ComplexArray  # (K,) [m/s] ... and by times


def rhythm_of(gait: Gait, remaining: float, double_support: float, params: FootstepParams) -> Rhythm:
    """Of a walk over small regions that is about as fast as `gait`; so much [s] of the first step is left."""
    timing, phases = gait.timing, params.steps + 1
    passing = 0.5 * gait.omega * gait.path_step.real / math.sinh(0.5 * gait.omega * timing.duration)
    return Rhythm(
        shortest=params.shortest_step,
        longest=params.longest_step,
        passing=max(passing, params.slowest_passing),
        double_support=np.append(double_support, np.full(phases - 1, timing.double_support)),
        elapsed=max(timing.duration - remaining, 0.0),
        time_unit=params.time_unit,
        cop_unit=params.cop_unit,
        foot_unit=params.foot_unit,
    )


@allocating
def retime(problem: Problem, q: Queue, i: int, com: complex, vel: complex, rhythm: Rhythm) -> float:
    """Change the route in row i into a plan for a body at `com`, `vel`; by how much [m] its capture point still is off.

    The cost of the changes is added to that of the steps.
    """
    phases = problem.side.shape[0]
    course = Course(
        q.foot[i, :phases].copy(),
        natural_times(problem, q, i, com, rhythm),
        np.zeros(phases + 1, np.complex128),
        np.zeros(phases),
        np.zeros(phases, np.complex128),
    )
    return change(problem, q, i, course, com, vel, rhythm)


@kernel
def change(problem: Problem, q: Queue, i: int, course: Course, com: complex, vel: complex, rhythm: Rhythm) -> float:
    """The least change: Newton's method for λ."""
    now, price, miss = com + vel / problem.omega, 0j, 0j
    for _ in range(_ROUNDS):
        miss = apply(problem, q, i, course, rhythm, price) - now
        if abs(miss) < _EXACT:
            break
        differentiate(problem, q, i, course, rhythm)
        miss = apply(problem, q, i, course, rhythm, price) - now
        x = (apply(problem, q, i, course, rhythm, price + _PROBE) - now - miss) / _PROBE
        y = (apply(problem, q, i, course, rhythm, price + 1j * _PROBE) - now - miss) / _PROBE
        a, b, c, d = x.real - _DAMPING, y.real, x.imag, y.imag - _DAMPING
        det = a * d - b * c
        price -= complex(d * miss.real - b * miss.imag, a * miss.imag - c * miss.real) / det
    move(problem, q, i, course, rhythm, com)
    return abs(miss)


@allocating
def natural_times(problem: Problem, q: Queue, i: int, com: complex, rhythm: Rhythm) -> Array:
    """(K,) [s] of steps that pass over each foot at the same speed v: x = v/ω sinh ωt from there to midway."""
    phases, omega = problem.side.shape[0], problem.omega
    times = np.empty(phases)
    for k in range(phases):
        foot, ahead = q.foot[i, k], problem.direction[k]
        before = foot - com if k == 0 else 0.5 * (foot - q.foot[i, k - 1])
        after = 0.5 * (q.foot[i, k + 1] - foot if k + 1 < phases else problem.step[k])
        scale = omega / rhythm.passing
        times[k] = (math.asinh(scale * dot(ahead, before)) + math.asinh(scale * dot(ahead, after))) / omega
    times[0] -= 0.5 * rhythm.double_support[0]
    return times


@kernel
def apply(problem: Problem, q: Queue, i: int, course: Course, rhythm: Rhythm, price: complex) -> complex:
    """Make the changes that λ = `price` is worth; where the capture point must then be now."""
    for k in range(problem.side.shape[0]):
        push = -course.by_cop[k] * price
        if k > 0:
            area, reach = safe_area_of(problem, k, q.region[i, k]), step_reach(problem, k, q.foot[i, k - 1], 1.0)
            q.foot[i, k] = clamp_to_both(course.foot[k] + rhythm.foot_unit**2 * push, area, reach)
        leg, use = leg_of(problem, k), problem.limits.sole_use
        half_x, half_y = use * problem.legs.sole[leg, 0], use * problem.legs.sole[leg, 1]
        sole = rectangle(q.foot[i, k], cmath.exp(1j * problem.yaw[k]), half_x, half_y)
        surface = surface_area(problem.ground, q.region[i, k], problem.limits.margin)
        q.cop[i, k] = clamp_to_both(q.foot[i, k] + rhythm.cop_unit**2 * push, sole, surface)
        elapsed = rhythm.elapsed if k == 0 else 0.0
        time = course.time[k] - rhythm.time_unit**2 * dot(course.by_time[k], price)
        q.duration[i, k] = min(max(time, rhythm.shortest - elapsed, 0.0), rhythm.longest - elapsed)
    return plan_backwards(problem, q, i, course, rhythm)


@kernel
def plan_backwards(problem: Problem, q: Queue, i: int, course: Course, rhythm: Rhythm) -> complex:
    """Where the capture point must be now, and at the end of each phase."""
    phases = problem.side.shape[0]
    course.capture[phases] = q.foot[i, phases - 1] + problem.capture_offset[phases - 1]
    for k in range(phases - 1, -1, -1):
        decay, b = math.exp(-problem.omega * q.duration[i, k]), before_share(problem.omega, rhythm.double_support[k])
        before = q.cop[i, k - 1] if k > 0 else problem.cop_start
        course.capture[k] = decay * course.capture[k + 1] + b * before + (1.0 - b - decay) * q.cop[i, k]
    return course.capture[0]


@kernel
def before_share(omega: float, double_support: float) -> float:
    """b: the share of the COP before a double support in the capture point at its start."""
    x = omega * double_support
    return 1.0 - (1.0 - math.exp(-x)) / x if double_support > _INSTANT else 0.0


@kernel
def differentiate(problem: Problem, q: Queue, i: int, course: Course, rhythm: Rhythm) -> None:
    """∂ξ/∂u, by the chain of phases."""
    phases, omega, chain = problem.side.shape[0], problem.omega, 1.0
    for k in range(phases):
        decay, b = math.exp(-omega * q.duration[i, k]), before_share(omega, rhythm.double_support[k])
        course.by_cop[k] = chain * (1.0 - b - decay)
        if k > 0:
            course.by_cop[k - 1] += chain * b
        chain *= decay
        course.by_time[k] = -omega * chain * (course.capture[k + 1] - q.cop[i, k])


@kernel
def move(problem: Problem, q: Queue, i: int, course: Course, rhythm: Rhythm, com: complex) -> None:
    """The COM's motion along the capture point's, which it follows; heights, and the cost of the changes."""
    omega = problem.omega
    q.com[i, 0] = com
    for k in range(problem.side.shape[0]):
        q.vel[i, k] = omega * (course.capture[k] - q.com[i, k])
        phase = phase_map(omega, q.duration[i, k], rhythm.double_support[k])
        before = q.cop[i, k - 1] if k > 0 else problem.cop_start
        q.com[i, k + 1], q.vel[i, k + 1] = propagate(phase, q.com[i, k], q.vel[i, k], before, q.cop[i, k])
        q.height[i, k] = height_at(problem.ground, q.region[i, k], q.foot[i, k]) if k > 0 else q.height[i, k]
        q.wanted[i, k] = q.foot[i, k - 1] + problem.step[k] if k > 0 else q.foot[i, k]
        q.moved[i, k] = abs(q.foot[i, k] - q.wanted[i, k])
        q.cost[i, k] += (
            ((q.duration[i, k] - course.time[k]) / rhythm.time_unit) ** 2
            + (abs(q.cop[i, k] - q.foot[i, k]) / rhythm.cop_unit) ** 2
            + (abs(q.foot[i, k] - course.foot[k]) / rhythm.foot_unit) ** 2
        )
