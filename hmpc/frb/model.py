"""The floating rigid body and its rollouts (Sec. 3.2.1, Eq. 1).

    m dv/dt = m g + Σ_i f_i                f_i = f_l (c - p)/(c_z - p_z) + f_r
      dL/dt = Σ_i (p_i - c) x f_i          (f_l points through the COM, only f_r turns the body)

with the corrections of docs/equations.md: f_l is in newtons, and for a hand, which may be
level with the COM, c - p is normalised by its length. COP and force are piecewise linear
over a phase; a force comes on and goes off over a short ramp, and where two feet overlap
the load is handed from one to the other over the whole double support.

Where the problem says how the upper body sits on its hips, the hips are solved for at every step (legs.py); reach is
then measured from them, and a seat below them holds them like a spring and a damper: it is passive, so it has no force
parameters.

A step is drift-kick-drift: the forces act at its middle, for free fall it is exact. The
rotation is carried by the angular momentum and the exponential map and cannot overflow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hmpc.frb.filtering import project_cop, project_force, project_interval, reach_fraction
from hmpc.frb.legs import Legs, hip, knee_lever, middle_of_hips
from hmpc.frb.profiles import contact_force_at, load_share
from hmpc.frb.seat import pad_point, seat_force
from hmpc.frb.swing import ankle_at, fill_ankles
from hmpc.frb.table import COP_SIZE, NONE, TIMES
from hmpc.frb.vec3 import add, apply, apply_transposed, axpy, cross, dot, get, norm, put, rotate, scale, sub

if TYPE_CHECKING:
    from hmpc.frb.table import PhaseTable
    from hmpc.params import FrbParams
    from hmpc.types import Array, BodyModel, FrbState


class Rollouts(NamedTuple):
    """P candidates over S steps; states at the S + 1 nodes, forces and accelerations over the steps."""

    t: Array  # (S+1,) [s]
    com_W: Array  # (P, S+1, 3) [m]
    vel_W: Array  # (P, S+1, 3) [m/s]
    R_WB: Array  # (P, S+1, 3, 3)
    omega_W: Array  # (P, S+1, 3) [rad/s]
    acc_W: Array  # (P, S, 3) [m/s^2]
    cop_W: Array  # (P, S, N, 3) [m] of the N phases, NaN out of contact
    force_W: Array  # (P, S, N, 3) [N] filtered, as it acts
    rows: Array  # (P, D) filtered parameters
    filtering: Array  # (P,) squared distances to the feasible set, in units of the search
    smoothness: Array  # (P, 2) [s] integrals of (m dv/dt)^2 and (dL/dt)^2, in body weights (and COM heights)
    effort: Array  # (P,) [s] integral of the squared loads of knees and hands, as shares of what is bearable
    hips_W: Array  # (P, S, 3) [m] middle of the hips


class Settings(NamedTuple):
    """The numbers of a rollout that come from the body and from FrbParams."""

    mass: float
    gravity: float
    inertia_B: Array  # (3, 3)
    inverse_inertia_B: Array  # (3, 3)
    com_height: float
    ramp: float
    minimum_stance: float
    minimum_swing: float
    reach_fade: float
    time_unit: float
    cop_unit: float
    force_unit: float  # [N]
    strain: bool  # whether the effort of knees and hands is summed up
    knee_torque: float  # [N m]
    seat_stiffness: float  # [N/m]
    seat_damping: float  # [N s/m]
    legs: Legs

    @staticmethod
    def of(body: BodyModel, params: FrbParams, upper_com_B: Array | None = None, *, by_hand: bool = False) -> Settings:
        """`upper_com_B`: for plans in which the hips matter, where the upper body's COM is relative to them.

        `by_hand`: hands can take over a part of what the knees bear.
        """
        return Settings(
            mass=float(body.mass),
            gravity=params.gravity,
            inertia_B=np.array(body.inertia_B),
            inverse_inertia_B=np.ascontiguousarray(np.linalg.inv(body.inertia_B)),
            com_height=float(body.com_height),
            ramp=params.ramp,
            minimum_stance=params.minimum_stance,
            minimum_swing=params.minimum_swing,
            reach_fade=params.reach_fade,
            time_unit=params.time_unit,
            cop_unit=params.cop_unit,
            force_unit=params.line_force_unit * body.mass * params.gravity,
            strain=body.leg is not None and (by_hand or upper_com_B is not None),
            knee_torque=params.knee_torque,
            seat_stiffness=params.seat_stiffness,
            seat_damping=params.seat_damping,
            legs=Legs.of(body, upper_com_B),
        )


def roll_out(rows: Array, table: PhaseTable, state: FrbState, t: Array, settings: Settings) -> Rollouts:
    """Simulate the candidates `rows` (P, D) from `state` over the equally spaced times t (S+1,)."""
    n, steps, phases = len(rows), len(t) - 1, len(table.offset)
    rollouts = Rollouts(
        t=np.array(t),
        com_W=np.empty((n, steps + 1, 3)),
        vel_W=np.empty((n, steps + 1, 3)),
        R_WB=np.empty((n, steps + 1, 3, 3)),
        omega_W=np.empty((n, steps + 1, 3)),
        acc_W=np.empty((n, steps, 3)),
        cop_W=np.empty((n, steps, phases, 3)),
        force_W=np.empty((n, steps, phases, 3)),
        rows=np.array(rows),
        filtering=np.zeros(n),
        smoothness=np.zeros((n, 2)),
        effort=np.zeros(n),
        hips_W=np.empty((n, steps, 3)),
    )
    rollouts.com_W[:, 0] = state.com_W
    rollouts.vel_W[:, 0] = state.vel_W
    rollouts.R_WB[:, 0] = state.R_WB
    rollouts.omega_W[:, 0] = state.omega_W
    _roll_out(rollouts, table, settings)
    return rollouts


@njit(cache=True)
def _roll_out(rollouts: Rollouts, table: PhaseTable, settings: Settings) -> None:
    ramps, ankles = np.empty((table.offset.shape[0], 2)), np.empty((table.offset.shape[0], 3))
    for k in range(rollouts.rows.shape[0]):
        rollouts.filtering[k] = filter_phases(rollouts.rows[k], rollouts.t[0], table, settings)
        _ramps(rollouts.rows[k], table, settings, ramps)
        fill_ankles(rollouts.rows[k], table, settings.legs, ankles)
        _simulate(k, ramps, ankles, rollouts, table, settings)


@njit(cache=True)
def filter_phases(row: Array, t0: float, table: PhaseTable, settings: Settings) -> float:
    """Project times and COPs of a row in place; the squared distance in units of the search."""
    penalty = 0.0
    for i in range(table.offset.shape[0]):
        first = table.offset[i]
        earliest = t0
        if table.before[i] != NONE and not table.fixed[i]:
            earliest = max(earliest, row[table.offset[table.before[i]] + 1] + settings.minimum_swing)
        t_s, t_f = project_interval(row[first], row[first + 1], earliest, table.fixed[i], settings.minimum_stance)
        penalty += ((t_s - row[first]) ** 2 + (t_f - row[first + 1]) ** 2) / settings.time_unit**2
        row[first], row[first + 1] = t_s, t_f
        cop = row[first + TIMES : first + TIMES + COP_SIZE * table.n_cop[i]].reshape(-1, COP_SIZE)
        moved = project_cop(
            cop,
            table.fixed[i],
            get(table.center_W, i),
            table.R_WL[i],
            table.half_extent[i],
            get(table.region_W, i),
            table.R_WR[i],
            table.room[i],
        )
        penalty += moved / settings.cop_unit**2
    return penalty


@njit(cache=True)
def _ramps(row: Array, table: PhaseTable, settings: Settings, ramps: Array) -> None:
    """How long [s] the force of each phase takes to come on and to go off, (N, 2).

    Two feet that overlap take the whole double support, however long it is: the load they
    share stays whole when the search moves their times.
    """
    for i in range(table.offset.shape[0]):
        t_s, t_f = row[table.offset[i]], row[table.offset[i] + 1]
        giver, taker = table.giver[i], table.taker[i]
        rise = 0.0 if table.fixed[i] else settings.ramp  # what is in contact already bears its load
        if giver != NONE:
            rise = max(settings.ramp, row[table.offset[giver] + 1] - t_s)
        fall = settings.ramp if table.ends[i] else 0.0
        if taker != NONE:
            fall = max(settings.ramp, t_f - row[table.offset[taker]])
        ramps[i, 0], ramps[i, 1] = min(rise, t_f - t_s), min(fall, t_f - t_s)


@njit(cache=True)
def _simulate(k: int, ramps: Array, ankles: Array, x: Rollouts, table: PhaseTable, settings: Settings) -> None:
    """Roll out candidate k: drift half a step, kick with the forces, drift half a step.

    The inner loop passes numbers, not tables: handing a tuple of arrays to a function costs
    numba more than the arithmetic.
    """
    t, row, com, vel, R, omega, acc = x.t, x.rows[k], x.com_W[k], x.vel_W[k], x.R_WB[k], x.omega_W[k], x.acc_W[k]
    cop, contact_force = x.cop_W[k].reshape(-1, 3), x.force_W[k].reshape(-1, 3)
    offset, n_cop, n_force, foot, bilateral = table.offset, table.n_cop, table.n_force, table.foot, table.bilateral
    mu, limit, reach, root_B, normal_W = table.mu, table.force_limit, table.reach, table.root_B, table.normal_W
    inertia_B, inverse_B, weight = settings.inertia_B, settings.inverse_inertia_B, settings.mass * settings.gravity
    c, v = get(com, 0), get(vel, 0)
    L = apply(R[0], apply(inertia_B, apply_transposed(R[0], get(omega, 0))))
    excess, force_effort, torque_effort, limb_effort = 0.0, 0.0, 0.0, 0.0
    side, seat, legs = table.side, table.seat, settings.legs
    h = add(c, apply(R[0], get(legs.hips_B.reshape(1, 3), 0)))
    pad_before, hips_before = h, h
    if legs.used:
        left, right = ankle_at(row, t[0], 1.0, ankles, table), ankle_at(row, t[0], -1.0, ankles, table)
        h = middle_of_hips(c, R[0], left, right, h, legs)
        hips_before = axpy(-(t[1] - t[0]) / 2.0, add(v, cross(get(omega, 0), sub(h, c))), h)
        pad_before = pad_point(h, R[0], legs)
    pad_start = pad_before
    for j in range(t.shape[0] - 1):
        a, b, R_j, R_next = t[j], t[j + 1], R[j], R[j + 1]
        dt = b - a
        c = axpy(0.5 * dt, v, c)
        force, torque = (0.0, 0.0, -weight), (0.0, 0.0, 0.0)
        h = add(c, apply(R_j, get(legs.hips_B.reshape(1, 3), 0)))
        hips_vel, pad, pad_vel = v, h, v
        if legs.used:
            moment = 0.5 * (a + b)
            left, right = ankle_at(row, moment, 1.0, ankles, table), ankle_at(row, moment, -1.0, ankles, table)
            h = middle_of_hips(c, R_j, left, right, hips_before, legs)
            pad = pad_point(h, R_j, legs)
            since = dt if j > 0 else 0.5 * dt
            hips_vel, pad_vel = scale(1.0 / since, sub(h, hips_before)), scale(1.0 / since, sub(pad, pad_before))
        hips_before, pad_before = h, pad
        for i in range(offset.shape[0]):
            p, f = (np.nan, np.nan, np.nan), (0.0, 0.0, 0.0)
            t_s, t_f = row[offset[i]], row[offset[i] + 1]
            share = load_share(a, b, t_s, t_f, ramps[i, 0], ramps[i, 1])
            if share > 0.0:
                u = (0.5 * (max(a, t_s) + min(b, t_f)) - t_s) / (t_f - t_s)
                p, wanted = contact_force_at(row, offset[i] + TIMES, n_cop[i], n_force[i], u, c, foot[i])
                root = add(h, apply(R_j, sub(get(root_B, i), get(legs.hips_B.reshape(1, 3), 0))))
                distance, longest, fade = norm(sub(p, root)), reach[i], settings.reach_fade
                if seat[i]:
                    held_at = pad_start if table.fixed[i] else get(table.region_W, i)
                    load = row[offset[i] + TIMES + COP_SIZE]
                    p, distance = pad, 0.0
                    wanted = seat_force(
                        sub(pad, held_at),
                        pad_vel,
                        hips_vel,
                        get(normal_W, i),
                        load,
                        settings.seat_stiffness,
                        settings.seat_damping,
                    )
                elif legs.used and foot[i]:
                    distance = norm(sub(get(ankles, i), hip(h, R_j, side[i], legs)))
                    longest, fade = legs.longest, legs.fade
                f = project_force(wanted, get(normal_W, i), mu[i], bilateral[i], limit[i])
                f = scale(reach_fraction(distance, longest, fade), f)
                lost = (0.0, 0.0, 0.0) if seat[i] else sub(wanted, f)
                excess += dt * share * dot(lost, lost)
                f = scale(share, f)
                if settings.strain and not seat[i]:
                    bearable = limit[i]
                    if foot[i]:
                        length = distance if legs.used else distance - legs.ankle_L[2]
                        bearable = settings.knee_torque / max(knee_lever(length, legs)[1], 0.05)
                    limb_effort += dt * dot(f, f) / bearable**2
                force = add(force, f)
                torque = add(torque, cross(sub(p, c), f))
            put(cop, j * offset.shape[0] + i, p)
            put(contact_force, j * offset.shape[0] + i, f)

        acceleration = scale(1.0 / settings.mass, force)
        v = axpy(dt, acceleration, v)
        c = axpy(0.5 * dt, v, c)
        L_middle = axpy(0.5 * dt, torque, L)
        L = axpy(dt, torque, L)
        rotate(scale(dt, apply(R_j, apply(inverse_B, apply_transposed(R_j, L_middle)))), R_j, R_next)
        put(x.hips_W[k], j, h)
        put(acc, j, acceleration)
        put(vel, j + 1, v)
        put(com, j + 1, c)
        put(omega, j + 1, apply(R_next, apply(inverse_B, apply_transposed(R_next, L))))
        force_effort += dt * dot(force, force)
        torque_effort += dt * dot(torque, torque)
    x.filtering[k] += excess / settings.force_unit**2
    x.effort[k] = limb_effort
    x.smoothness[k, 0] = force_effort / weight**2
    x.smoothness[k, 1] = torque_effort / (weight * settings.com_height) ** 2
