"""How far the trunk leans forward before high steps.

A leg that lifts the body onto a high step is deeply bent while the COM passes over its foot, and its knee comes
forward to the edge of the step after it. A trunk that leans forward keeps the COM where it is with the hips, and so the
knee, further back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hmpc.params import FrbParams
    from hmpc.types import Array, FootstepPlan


def lean_into_climb(footsteps: FootstepPlan, risen: float, params: FrbParams) -> Array:
    """(K + 1,) [rad] forward, at the beginning and the end of each of K steps.

    The mean of what suits the next two steps up, and no less than suits the one behind, which led up by `risen` [m]
    before the first boundary: until its end there is an edge before the knee. It depends on nothing else, so that the
    next plan begins with what this one intends.
    """
    rise = np.diff(footsteps.foot_W[:, 2], prepend=footsteps.foot_W[0, 2] - risen)
    suits = np.clip(params.climb_lean * (rise - params.upright_rise), 0.0, params.most_lean)
    ahead = np.concatenate([suits[1:], np.zeros(3)])  # of the step that begins at each boundary, and of two more
    return np.maximum(np.append(suits, 0.0), 0.5 * (ahead[:-1] + ahead[1:]))
