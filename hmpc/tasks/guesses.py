"""More first guesses for a stage: the same contacts with the pressure a little further ahead, behind or aside.

A body on its feet is unstable: where it ends up after a second depends strongly on where the soles press. One of these
guesses comes close to balance, and the search starts there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.geometry import rotation_z

if TYPE_CHECKING:
    from hmpc.types import BodyModel, ContactPhase

_AHEAD = np.linspace(-0.06, 0.06, 17)  # [m]
_ASIDE = np.linspace(-0.04, 0.04, 9)  # [m]


def shifted_pressure(
    phases: tuple[ContactPhase, ...], body: BodyModel, heading: float
) -> tuple[tuple[ContactPhase, ...], ...]:
    """The phases with the COP of all standing feet moved by the same distance, for every distance of a grid."""
    axes = rotation_z(heading)
    return tuple(
        tuple(
            replace(phase, cop_W=phase.cop_W + axes[:, :2] @ (ahead, aside))
            if phase.fixed and body.limb(phase.limb).is_foot
            else phase
            for phase in phases
        )
        for ahead in _AHEAD
        for aside in _ASIDE
    )
