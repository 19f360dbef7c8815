"""The objectives of the medium-term planner (Sec. 3.2.2), each a cost for every candidate.

E = target state + step width + parameter filtering + smoothness + what the user adds:
any callable that takes `Rollouts` and returns a cost (P,).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hmpc.errors import InputError
from hmpc.frb.model import Rollouts
from hmpc.frb.table import COP_SIZE, TIMES
from hmpc.frb.vec3 import Vec3, column, dot, get, norm, put, rotation_between, scale, sub

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.frb.table import PhaseTable
    from hmpc.params import FrbParams
    from hmpc.types import Array, TargetState

_RESIDUALS = 5  # vectors of a target: position, velocity, angular velocity, rotation at the node before and after
Objective = Callable[[Rollouts], "Array"]


class TargetTable(NamedTuple):
    """K target states as arrays; what is free has weight 0."""

    node: NDArray[np.int64]  # (K,) the target lies between this node and the next
    fraction: Array  # (K,) of the way to the next node
    com_W: Array  # (K, 3)
    vel_W: Array  # (K, 3)
    omega_W: Array  # (K, 3)
    R_WB: Array  # (K, 3, 3)
    com_weight: Array  # (K, 3)
    vel_weight: Array  # (K, 3)
    omega_weight: Array  # (K, 3)
    R_weight: Array  # (K,)


def tabulate_targets(targets: Sequence[TargetState], t: Array, params: FrbParams) -> TargetTable:
    """The table of `targets` for rollouts with nodes at the times t (S+1,)."""
    for target in targets:
        if not t[0] <= target.t <= t[-1] + 1e-9:
            raise InputError(f"A target at {target.t:.3f} s lies outside the plan, {t[0]:.3f} to {t[-1]:.3f} s.")
    moments = np.array([target.t for target in targets], dtype=np.float64)
    weight = np.array([target.weight for target in targets], dtype=np.float64)
    node = np.clip(np.searchsorted(t, moments, side="right") - 1, 0, len(t) - 2).astype(np.int64)
    com, com_weight = _vectors([target.com_W for target in targets], params.position_weight * weight)
    vel, vel_weight = _vectors([target.vel_W for target in targets], params.velocity_weight * weight)
    omega, omega_weight = _vectors([target.omega_W for target in targets], params.angular_velocity_weight * weight)
    turned = np.array([target.R_WB is not None for target in targets], dtype=np.bool_)
    rotations = [np.eye(3) if target.R_WB is None else np.asarray(target.R_WB) for target in targets]
    return TargetTable(
        node=node,
        fraction=(moments - t[node]) / (t[node + 1] - t[node]),
        com_W=com,
        vel_W=vel,
        omega_W=omega,
        R_WB=np.array(rotations, dtype=np.float64).reshape(-1, 3, 3),
        com_weight=com_weight,
        vel_weight=vel_weight,
        omega_weight=omega_weight,
        R_weight=np.where(turned, params.rotation_weight * weight, 0.0),
    )


def _vectors(values: Sequence[Array | None], weight: Array) -> tuple[Array, Array]:
    """Targets (K, 3) and weights (K, 3): NaN and None are free."""
    wanted = np.array([np.full(3, np.nan) if v is None else v for v in values], dtype=np.float64).reshape(-1, 3)
    free = np.isnan(wanted)
    return np.where(free, 0.0, wanted), np.where(free, 0.0, weight[:, None])


def target_state(rollouts: Rollouts, targets: TargetTable) -> Array:
    """E_targetState = Σ ‖x(t) - x̃(t)‖²: the weighted distance to full or partial states at given times."""
    cost = np.zeros(len(rollouts.com_W))
    _target_state(rollouts, targets, cost)
    return cost


def target_residuals(rollouts: Rollouts, targets: TargetTable) -> Array:
    """r (P, R) with E_targetState = Σ r²: what a method for least squares needs."""
    residuals = np.empty((len(rollouts.com_W), len(targets.node), _RESIDUALS, 3))
    _target_residuals(rollouts, targets, residuals)
    return residuals.reshape(len(residuals), -1)


@njit(cache=True)
def _target_residuals(x: Rollouts, targets: TargetTable, residuals: Array) -> None:
    for k in range(residuals.shape[0]):
        for i in range(targets.node.shape[0]):
            n, s, r = targets.node[i], targets.fraction[i], residuals[k, i]
            for axis in range(3):
                c = (1.0 - s) * x.com_W[k, n, axis] + s * x.com_W[k, n + 1, axis]
                v = (1.0 - s) * x.vel_W[k, n, axis] + s * x.vel_W[k, n + 1, axis]
                w = (1.0 - s) * x.omega_W[k, n, axis] + s * x.omega_W[k, n + 1, axis]
                r[0, axis] = math.sqrt(targets.com_weight[i, axis]) * (c - targets.com_W[i, axis])
                r[1, axis] = math.sqrt(targets.vel_weight[i, axis]) * (v - targets.vel_W[i, axis])
                r[2, axis] = math.sqrt(targets.omega_weight[i, axis]) * (w - targets.omega_W[i, axis])
            before = rotation_between(x.R_WB[k, n], targets.R_WB[i])
            after = rotation_between(x.R_WB[k, n + 1], targets.R_WB[i])
            put(r, 3, scale(math.sqrt(targets.R_weight[i] * (1.0 - s)), before))
            put(r, 4, scale(math.sqrt(targets.R_weight[i] * s), after))


@njit(cache=True)
def _target_state(x: Rollouts, targets: TargetTable, cost: Array) -> None:
    for k in range(cost.shape[0]):
        for i in range(targets.node.shape[0]):
            n, s = targets.node[i], targets.fraction[i]
            for axis in range(3):
                c = (1.0 - s) * x.com_W[k, n, axis] + s * x.com_W[k, n + 1, axis]
                v = (1.0 - s) * x.vel_W[k, n, axis] + s * x.vel_W[k, n + 1, axis]
                w = (1.0 - s) * x.omega_W[k, n, axis] + s * x.omega_W[k, n + 1, axis]
                cost[k] += targets.com_weight[i, axis] * (c - targets.com_W[i, axis]) ** 2
                cost[k] += targets.vel_weight[i, axis] * (v - targets.vel_W[i, axis]) ** 2
                cost[k] += targets.omega_weight[i, axis] * (w - targets.omega_W[i, axis]) ** 2
            before = norm(rotation_between(x.R_WB[k, n], targets.R_WB[i]))
            after = norm(rotation_between(x.R_WB[k, n + 1], targets.R_WB[i]))
            cost[k] += targets.R_weight[i] * ((1.0 - s) * before**2 + s * after**2)


def step_width(rollouts: Rollouts, table: PhaseTable, width: float) -> Array:
    """E_stepWidth = Σ ‖cor(c(t_f) - p(t_f)) - w̃‖² [m²] over the feet, at the end of their stance (or of the plan).

    cor() is the component along the body's lateral axis in the ground plane and w̃ half of
    `width`, towards the other foot.
    """
    cost = np.zeros(len(rollouts.com_W))
    _step_width(rollouts, table, width, cost)
    return cost


@njit(cache=True)
def _step_width(x: Rollouts, table: PhaseTable, width: float, cost: Array) -> None:
    steps = x.t.shape[0] - 1
    dt = (x.t[steps] - x.t[0]) / steps
    for k in range(cost.shape[0]):
        for i in range(table.offset.shape[0]):
            if not table.foot[i]:
                continue
            first = table.offset[i]
            s = min((x.rows[k, first + 1] - x.t[0]) / dt, float(steps))
            n = min(int(s), steps - 1)
            last = first + TIMES + COP_SIZE * (table.n_cop[i] - 1)
            lateral = _lateral(x, k, n, last)
            lateral += (s - n) * (_lateral(x, k, n + 1, last) - lateral)
            side = math.copysign(1.0, table.root_B[i, 1])
            cost[k] += (lateral - 0.5 * side * width) ** 2


@njit(cache=True)
def _lateral(x: Rollouts, k: int, n: int, p: int) -> float:
    """Coronal distance from the COM at node n to the COP at index p of the row, left positive."""
    forward = column(x.R_WB[k, n], 0)
    length = max(math.hypot(forward[0], forward[1]), 1e-6)
    left: Vec3 = (-forward[1] / length, forward[0] / length, 0.0)
    cop: Vec3 = (x.rows[k, p], x.rows[k, p + 1], x.rows[k, p + 2])
    return dot(left, sub(cop, get(x.com_W[k], n)))


def parameter_filtering(rollouts: Rollouts) -> Array:
    """E_parameterFiltering = ‖f - proj(f)‖² + ‖p - proj(p)‖², and the same of the times, in units of the search."""
    return rollouts.filtering


def smoothness(rollouts: Rollouts, params: FrbParams) -> Array:
    """E_smoothness = ‖m dv/dt‖² + ‖dL/dt‖², integrated over the plan."""
    return rollouts.smoothness @ np.array([params.smooth_force_weight, params.smooth_torque_weight])
