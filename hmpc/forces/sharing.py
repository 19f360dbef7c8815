"""Simpler ways to share a wrench among the feet, to compare Eq. 4 with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from hmpc.types import ContactForces, ContactSet, Status

if TYPE_CHECKING:
    from hmpc.forces.distribution import ForceDistributor
    from hmpc.types import Array

Sharing = Literal["qp", "equal", "planned"]  # Eq. 4 over all points; the same wrench for every limb; the plan's forces


def equal_shares(distributor: ForceDistributor, contacts: ContactSet, com_W: Array, wrench_W: Array) -> ContactForces:
    """Every limb in contact gives the same share of the wrench, as far as its own points can (Eq. 4 for each alone)."""
    limbs = dict.fromkeys(contacts.limb)
    if len(limbs) < 2:
        return distributor.distribute(contacts, com_W, wrench_W)
    force_W, residual_W, status = np.empty((len(contacts), 3)), np.zeros(6), Status.OK
    for limb in limbs:
        own = np.array([name == limb for name in contacts.limb])
        answer = distributor.distribute(_chosen(contacts, own), com_W, wrench_W / len(limbs))
        force_W[own] = answer.force_W
        residual_W += answer.residual_W
        status = answer.status if answer.status is not Status.OK else status
    return ContactForces(contacts=contacts, force_W=force_W, residual_W=residual_W, status=status)


def _chosen(contacts: ContactSet, chosen: np.ndarray) -> ContactSet:
    return ContactSet(
        limb=tuple(name for name, use in zip(contacts.limb, chosen, strict=True) if use),
        p_W=contacts.p_W[chosen],
        normal_W=contacts.normal_W[chosen],
        mu=contacts.mu[chosen],
        bilateral=contacts.bilateral[chosen],
        max_force=contacts.max_force[chosen],
    )
