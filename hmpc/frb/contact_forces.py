"""The contact forces that a plan of the floating rigid body means at a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.frb.model import Settings, roll_out
from hmpc.frb.phases import PhaseCodec, shift_phases
from hmpc.frb.reference import sample_plan
from hmpc.types import ContactForces, ContactSet, Status

if TYPE_CHECKING:
    from collections.abc import Container

    from hmpc.params import FrbParams
    from hmpc.types import Array, BodyModel, FrbPlan

_INSTANT = 1e-3  # [s] over which the force is taken


def planned_forces(plan: FrbPlan, t: float, limbs: Container[str], body: BodyModel, params: FrbParams) -> ContactForces:
    """The forces of the plan at time `t`, each at its COP, of those among `limbs` that are in contact then."""
    phases = shift_phases(plan.phases, t)
    codec = PhaseCodec(phases, float(plan.t[-1]), body, params)
    state, _ = sample_plan(plan, t)
    moment = roll_out(codec.row0[None], codec.table, state, np.array([t, t + _INSTANT]), Settings.of(body, params))
    cop_W, force_W = moment.cop_W[0, 0], moment.force_W[0, 0]
    used = [i for i, phase in enumerate(phases) if phase.limb in limbs and np.isfinite(cop_W[i]).all()]
    contacts = ContactSet(
        limb=tuple(phases[i].limb for i in used),
        p_W=cop_W[used],
        normal_W=np.array([phases[i].region.R_WR[:, 2] for i in used]).reshape(-1, 3),
        mu=np.array([phases[i].region.mu for i in used]),
        bilateral=np.array([phases[i].region.bilateral for i in used], dtype=bool),
        max_force=np.full(len(used), np.inf),
    )
    status = Status.OK if used else Status.NO_CONTACT
    return ContactForces(contacts=contacts, force_W=force_W[used], residual_W=np.zeros(6), status=status)


def limb_loads(
    plan: FrbPlan, limbs: Container[str], body: BodyModel, params: FrbParams, upper_com_B: Array | None = None
) -> dict[str, Array]:
    """Force (T - 1, 3) [N] on each of the limbs that the plan uses, between any two of its times."""
    loads: dict[str, Array] = {}
    if not any(phase.limb in limbs for phase in plan.phases):
        return loads
    for limb, force_W in force_history(plan, body, params, upper_com_B):
        if limb in limbs:
            loads[limb] = loads.get(limb, 0.0) + force_W
    return loads


def force_history(
    plan: FrbPlan, body: BodyModel, params: FrbParams, upper_com_B: Array | None = None
) -> list[tuple[str, Array]]:
    """Limb and force (T - 1, 3) [N] of every phase of a plan, between any two of its times."""
    start = float(plan.t[0])
    phases = shift_phases(plan.phases, start)
    codec = PhaseCodec(phases, float(plan.t[-1]), body, params)
    state, _ = sample_plan(plan, start)
    rollout = roll_out(codec.row0[None], codec.table, state, plan.t, Settings.of(body, params, upper_com_B))
    return [(phase.limb, rollout.force_W[0, :, i]) for i, phase in enumerate(phases)]
