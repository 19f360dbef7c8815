"""A plan at any moment: what the character should do now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.frb.vec3 import rotate, rotation_between, scale
from hmpc.types import FrbState

if TYPE_CHECKING:
    from hmpc.types import Array, FrbPlan


def sample_plan(plan: FrbPlan, t: float) -> tuple[FrbState, Array]:
    """State and COM acceleration at time t; before and after the plan, those at its ends.

    Between two nodes the acceleration is constant, as in the rollout, so position, velocity
    and acceleration are consistent: c(t) = c_k + s v_k + s²/2 a_k. The rotation runs along the
    geodesic and the angular velocity linearly.
    """
    x = np.empty((7, 3))
    _sample(t, plan.t, plan.com_W, plan.vel_W, plan.R_WB, plan.omega_W, plan.acc_W, x)
    x.setflags(write=False)  # FrbState then keeps it as it is
    return FrbState.of(x[:6]), x[6]


@njit(cache=True)
def _interval(t: float, nodes: Array) -> tuple[int, float, float]:
    """Number and length of the interval between two nodes that t lies in, and the time since its beginning."""
    k = min(max(np.searchsorted(nodes, t, side="right") - 1, 0), nodes.shape[0] - 2)
    dt = nodes[k + 1] - nodes[k]
    return k, dt, min(max(t - nodes[k], 0.0), dt)


@njit(cache=True)
def capture_points(times: Array, nodes: Array, com: Array, vel: Array, acc: Array, omega: float) -> Array:
    """(C, 2) [m] c + v/omega of a plan at `times` (C,): where a pendulum would have to be stopped."""
    points = np.empty((times.shape[0], 2))
    for i in range(times.shape[0]):
        k, _, s = _interval(times[i], nodes)
        for axis in range(2):
            v, a = vel[k, axis], acc[k, axis]
            points[i, axis] = com[k, axis] + s * (v + 0.5 * s * a) + (v + s * a) / omega
    return points


@njit(cache=True)
def _sample(t: float, nodes: Array, com: Array, vel: Array, R: Array, omega: Array, acc: Array, out: Array) -> None:
    k, dt, s = _interval(t, nodes)
    for axis in range(3):
        out[0, axis] = com[k, axis] + s * (vel[k, axis] + 0.5 * s * acc[k, axis])
        out[1, axis] = vel[k, axis] + s * acc[k, axis]
        out[5, axis] = omega[k, axis] + s / dt * (omega[k + 1, axis] - omega[k, axis])
        out[6, axis] = acc[k, axis]
    rotate(scale(s / dt, rotation_between(R[k], R[k + 1])), R[k], out[2:5])
