"""The linear inverted pendulum in closed form (Sec. 3.1): no numeric integration, no policy.

The COM c stays at the height h over the ground and is pushed away from the centre of pressure p:

    c'' = ω² (c - p),    ω = sqrt(g / h).

A *phase* starts with a double support of T_d seconds, in which the COP moves linearly from the previous COP p0
to the new one, p1 (T_d may be 0); then it stays at p1. The state is affine in everything that can be chosen:

    (c, v)(t) = A(t) (c, v)(0) + b0(t) p0 + b1(t) p1.

All coefficients are real and the same for both horizontal axes, so a horizontal vector may be given as a complex
number x + iy (as the planner does), as an array, or one axis at a time as a float. The functions run as plain
Python and are compiled into the kernels that call them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

_CATCH_LEVER = 0.6  # of c - p at touch-down, mean over the time in which a fall is caught
_PUSH_LEVER = 0.3  # the same before lift-off, less what a leg loses while it stretches
_INSTANT = 1e-6  # [s] a shorter double support is none: rounding would be divided by it
Vector = Any  # float, complex or array: one axis, or the horizontal plane


class PhaseMap(NamedTuple):
    """(c, v)(t) = A (c, v)(0) + b0 p0 + b1 p1, coefficient by coefficient; the letters say: of <row> by <column>."""

    cc: float
    cv: float
    vc: float
    vv: float
    c0: float
    v0: float
    c1: float
    v1: float


@register_jitable
def phase_map(omega: float, t: Any, double_support: float) -> PhaseMap:
    """The map over the first `t` seconds of a phase (or of each of an array of times).

    By superposition: the COP is p0 plus (p1 - p0)/T_d times a unit ramp that starts at 0, minus one that starts
    at T_d; the answer to a unit ramp is ρ(t) = t - sinh(ωt)/ω for t > 0.
    """
    cosh, sinh = np.cosh(omega * t), np.sinh(omega * t)
    if double_support > _INSTANT:
        s = np.maximum(t - double_support, 0.0)
        c1 = (t - s - (sinh - np.sinh(omega * s)) / omega) / double_support
        v1 = (np.cosh(omega * s) - cosh) / double_support
    else:
        c1 = 1.0 - cosh
        v1 = -omega * sinh
    return PhaseMap(cosh, sinh / omega, omega * sinh, cosh, 1.0 - cosh - c1, -omega * sinh - v1, c1, v1)


@register_jitable
def catch_gain(omega: float, duration: float) -> float:
    """Change of velocity for each metre of c - p, by a foot that bears the weight for `duration` beyond its own time.

    Were it all at once, that would be ω² T. It takes a good part of a stance, in which c moves over p.
    """
    return _CATCH_LEVER * omega * omega * duration


@register_jitable
def leap_map(omega: float, t: Any, push: float, flight: float) -> PhaseMap:
    """The map over the first `t` seconds of a phase that starts with a leap instead of a double support.

    The COP stays at p0 for `push` seconds, then nothing touches the ground for `flight` seconds, then the COP is at p1.
    What gravity does to the body in flight the two feet make up for, before and after: half of m g T_f each, along the
    line to the COM. That changes its velocity by ω² T_f/2 (c - p), were it all at lift-off and at touch-down; see
    `catch_gain`.
    """
    a, s = np.minimum(t, push), np.maximum(t - push - flight, 0.0)
    b = t - a - s
    pushed = 0.5 * flight * _PUSH_LEVER * omega * omega * (t >= push)
    caught = catch_gain(omega, 0.5 * flight) * (t >= push + flight)
    # Of (c, v, p0) at the end of the push.
    cosh, sinh = np.cosh(omega * a), np.sinh(omega * a)
    cc, cv = cosh, sinh / omega
    vc, vv = omega * sinh + pushed * cc, cosh + pushed * cv
    # At the end of the flight.
    cc, cv = cc + b * vc, cv + b * vv
    c0, v0 = 1.0 - cc, -vc
    vc, vv, v0 = vc + caught * cc, vv + caught * cv, v0 + caught * c0
    C, S = np.cosh(omega * s), np.sinh(omega * s)
    return PhaseMap(
        C * cc + S / omega * vc,
        C * cv + S / omega * vv,
        omega * S * cc + C * vc,
        omega * S * cv + C * vv,
        C * c0 + S / omega * v0,
        omega * S * c0 + C * v0,
        1.0 - C - S / omega * caught,
        -omega * S - C * caught,
    )


@register_jitable
def propagate(phase: PhaseMap, c: Vector, v: Vector, p0: Vector, p1: Vector) -> tuple[Vector, Vector]:
    """COM position and velocity at the end of the map."""
    return (
        phase.cc * c + phase.cv * v + phase.c0 * p0 + phase.c1 * p1,
        phase.vc * c + phase.vv * v + phase.v0 * p0 + phase.v1 * p1,
    )


@register_jitable
def cop_at(t: Any, double_support: float, p0: Vector, p1: Vector) -> Vector:
    """The COP `t` seconds into a phase."""
    if double_support > _INSTANT:
        return p0 + np.minimum(t / double_support, 1.0) * (p1 - p0)
    return p1 + 0.0 * t


@register_jitable
def capture_point(c: Vector, v: Vector, omega: float) -> Vector:
    """ξ = c + v/ω, the divergent part of the motion (DCM): with the COP there, the COM comes to rest over it."""
    return c + v / omega


@register_jitable
def cop_for_end_velocity(phase: PhaseMap, c: Vector, v: Vector, p0: Vector, v_end: Vector) -> Vector:
    """The COP p1 of a phase that ends with the velocity `v_end`."""
    return (v_end - phase.vc * c - phase.vv * v - phase.v0 * p0) / phase.v1


@register_jitable
def cop_for_capture_offset(phase: PhaseMap, omega: float, c: Vector, v: Vector, p0: Vector, offset: Vector) -> Vector:
    """The COP p1 of a phase that ends with the capture point at p1 + `offset`."""
    free_c, free_v = propagate(phase, c, v, p0, 0.0 * p0)
    return (capture_point(free_c, free_v, omega) - offset) / (1.0 - phase.c1 - phase.v1 / omega)


@register_jitable
def coupled_cop_shift(previous: PhaseMap, current: PhaseMap, omega: float, error: Vector, damping: float) -> Vector:
    """By how much to move the COP of the previous phase when that of the current one is fixed (Fig. 3c).

    Through both phases, the shift δ moves the capture point at the end of the current one by gδ. Where it would miss
    its target by `error` e without a shift, the least disturbance is

        argmin |e + gδ|² + damping² |δ|²  =  -g e / (g² + damping²).

    The same factor holds for both axes: within a convex set, the best shift is the nearest one to δ.
    """
    c, v = propagate(current, previous.c1, previous.v1, 1.0, 0.0)
    gain = capture_point(c, v, omega)
    return -gain / (gain * gain + damping * damping) * error
