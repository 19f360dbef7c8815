"""What the search over stepping regions is given: phases to plan, limits, and what the plans cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hmpc.footsteps.areas import Surfaces
from hmpc.footsteps.leaps import LeapPhase
from hmpc.footsteps.limits import CaptureBounds, Legs, Limits
from hmpc.footsteps.lipm import PhaseMap

if TYPE_CHECKING:
    from hmpc.footsteps.areas import ComplexArray
    from hmpc.types import Array


class Weights(NamedTuple):
    """Of the terms of the cost, see `FootstepParams`."""

    velocity: float
    displacement: float
    width: float
    reach: float
    climb: float
    leap: float
    damping: float


class Problem(NamedTuple):
    """K phases to plan; phase 0 is the one going on now."""

    omega: float  # [1/s]
    com_height: float  # [m] above the feet
    first: PhaseMap  # over the rest of phase 0
    phase: PhaseMap  # over each of the others
    leap: LeapPhase  # how one of them may begin instead of with a double support
    times: Array  # (K,) [s] that the phases last, those without a leap
    side: Array  # (K,) +1 left, -1 right
    yaw: Array  # (K,) [rad] of each foot
    direction: ComplexArray  # (K + 1,) heading of the step onto each foot, midway between two feet, as a unit vector
    capture_offset: ComplexArray  # (K,) [m] of the capture point from the foot, wanted at the end of each phase
    v_end: ComplexArray  # (K,) [m/s] velocity of the COM, wanted at the end of each phase
    step: ComplexArray  # (K,) [m] wanted onto each foot, of the gait
    step_width: Array  # (K,) [m] wanted lateral part of the step onto each foot, left positive
    stance: complex  # [m] the foot that stands now
    height_before: float  # [m] of where the other foot stood; NaN: not known
    cop_start: complex  # [m] where the COP is now
    legs: Legs
    limits: Limits
    weights: Weights
    capture: CaptureBounds
    progress: ComplexArray  # (K,) direction of the commanded path at each step, as a unit vector; 0: no path
    max_lag: float  # [m] that a plan may be held back from this path by the regions
    end_tolerance: float  # [m] by which the last phase may miss its capture offset (inf: any that can be captured)
    ground: Surfaces
