"""A first guess in balance: the forces with which tier 3 would take the body straight to where a stage wants it.

Contacts that come are trusted with more and more load, contacts that go with less and less. Where several limbs carry
the body such a guess is close to a plan, while equal shares or zero force would let it fall.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.frb.table import limb_axes
from hmpc.geometry import rotation_error, rotation_exp
from hmpc.types import ContactSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hmpc.forces.distribution import ForceDistributor
    from hmpc.params import FrbParams
    from hmpc.tasks.situation import Situation
    from hmpc.types import Array, BodyModel, ContactPhase, FrbState, TargetState

_CORNERS = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
_INSIDE = 0.8  # of a pad, to whose corners the guess gives force
_LEAST_LOAD = 1.0  # [N] below which a centre of pressure means nothing


class _Motion(NamedTuple):
    """From rest to rest."""

    t_start: float  # [s]
    t_end: float  # [s]
    start: FrbState
    com_W: Array  # (3,) [m] in the end
    turn_W: Array  # (3,) [rad] on the way

    def wrench(self, t: float, body: BodyModel, gravity: float) -> tuple[Array, Array]:
        """The COM (3,) [m], and the wrench (6,) about it that the motion needs."""
        # A cubic: its acceleration is linear in time, as the forces of a phase are between their control points.
        duration = self.t_end - self.t_start
        u = min((t - self.t_start) / duration, 1.0)
        s, dds = u * u * (3.0 - 2.0 * u), 6.0 - 12.0 * u
        way_W = self.com_W - self.start.com_W
        R_WB = rotation_exp(s * self.turn_W) @ self.start.R_WB
        force = body.mass * (dds / duration**2 * way_W + np.array([0.0, 0.0, gravity]))
        torque = R_WB @ body.inertia_B @ R_WB.T @ (dds / duration**2 * self.turn_W)
        return self.start.com_W + s * way_W, np.concatenate([force, torque])


def balanced(
    phases: Sequence[ContactPhase],
    now: Situation,
    goal: TargetState,
    distributor: ForceDistributor,
    params: FrbParams,
) -> tuple[ContactPhase, ...]:
    """The phases with the forces that take the body from rest to its goal, as far as they can."""
    state = now.start()
    wanted_W = np.full(3, np.nan) if goal.com_W is None else goal.com_W
    motion = _Motion(
        t_start=now.t,
        t_end=goal.t,
        start=state,
        com_W=np.where(np.isnan(wanted_W), state.com_W, wanted_W),
        turn_W=np.zeros(3) if goal.R_WB is None else rotation_error(goal.R_WB, state.R_WB),
    )
    return tuple(_with_forces(i, phases, motion, now.body, distributor, params) for i in range(len(phases)))


def _with_forces(
    i: int,
    phases: Sequence[ContactPhase],
    motion: _Motion,
    body: BodyModel,
    distributor: ForceDistributor,
    params: FrbParams,
) -> ContactPhase:
    phase, is_foot = phases[i], body.limb(phases[i].limb).is_foot
    ends = (phase.t_start, phase.t_end)
    cop_W = []
    for t in np.linspace(*ends, len(phase.cop_W)) if len(phase.cop_W) > 1 else [np.mean(ends)]:
        force_W, p_W, _ = _share(i, float(t), phases, motion, body, distributor, params)
        load = force_W[:, 2].sum()
        cop_W.append(force_W[:, 2] @ p_W / load if load > _LEAST_LOAD else phase.center_W)
    f_l, f_r_W = np.zeros(len(phase.f_l)), np.zeros((len(phase.f_l), 3))
    for k, t in enumerate(np.linspace(*ends, len(f_l))):
        force_W, _, com_W = _share(i, float(t), phases, motion, body, distributor, params)
        f_r_W[k] = force_W.sum(axis=0)
        if is_foot:
            f_l[k] = f_r_W[k, 2]
            u = (t - phase.t_start) / (phase.t_end - phase.t_start)
            lever = com_W - ((1.0 - u) * cop_W[0] + u * cop_W[-1])
            f_r_W[k] -= f_l[k] / lever[2] * lever
    return replace(phase, cop_W=np.array(cop_W), f_l=f_l, f_r_W=f_r_W)


def _share(
    i: int,
    t: float,
    phases: Sequence[ContactPhase],
    motion: _Motion,
    body: BodyModel,
    distributor: ForceDistributor,
    params: FrbParams,
) -> tuple[Array, Array, Array]:
    """Forces (4, 3) [N] at the corners (4, 3) [m] of phase i at time t, and the COM (3,) [m]."""
    active = [k for k, phase in enumerate(phases) if phase.t_start <= t <= phase.t_end]
    points = [_corners(phases[k], body) for k in active]
    caps = [_cap(phases[k], t, motion, body, params) / len(_CORNERS) for k in active]
    n = len(_CORNERS)
    contacts = ContactSet(
        limb=tuple(phases[k].limb for k in active for _ in range(n)),
        p_W=np.concatenate(points),
        normal_W=np.repeat([phases[k].region.R_WR[:, 2] for k in active], n, axis=0),
        mu=np.repeat([phases[k].region.mu for k in active], n),
        bilateral=np.repeat([phases[k].region.bilateral for k in active], n),
        max_force=np.repeat(caps, n),
    )
    com_W, wrench_W = motion.wrench(t, body, params.gravity)
    forces = distributor.distribute(contacts, com_W, wrench_W)
    own = active.index(i) * n
    return forces.force_W[own : own + n], points[active.index(i)], com_W


def _corners(phase: ContactPhase, body: BodyModel) -> Array:
    """(4, 3) [m]"""
    R_WL = limb_axes(phase.region, phase.yaw)
    return phase.center_W + _INSIDE * (_CORNERS * body.limb(phase.limb).half_extent) @ R_WL[:, :2].T


def _cap(phase: ContactPhase, t: float, motion: _Motion, body: BodyModel, params: FrbParams) -> float:
    """[N] that a contact is trusted with.

    One that comes or goes bears so little that the others, whose force has a control point every half of the motion,
    can take over in time.
    """
    limit = params.hand_force_limit if body.limb(phase.limb).is_hand else params.foot_force_limit
    half = 0.5 * (motion.t_end - motion.t_start)
    coming = 1.0 if phase.fixed else min((t - phase.t_start) / half, 1.0) ** 2
    going = 1.0 if phase.t_end > motion.t_end else min((phase.t_end - t) / half, 1.0) ** 2
    return body.mass * params.gravity * min(limit, 1.0) * coming * going
