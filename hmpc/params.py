"""Every tunable number of the stack: default, unit, and the section of the paper it comes from.

One frozen dataclass a tier, gathered in `Params`. A run's configuration is a `Params`
with some fields replaced, by the same dotted path in Python, YAML and on the command line.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class TrackingParams:
    """Eq. 2: the wrench that brings the body back to its plan."""

    kp_force: float = 4000.0  # [N/m] Sec. 3.3
    kd_force: float = 1000.0  # [N s/m] Sec. 3.3
    kp_torque: float = 500.0  # [N m/rad] Sec. 3.3
    kd_torque: float = 100.0  # [N m s/rad] Sec. 3.3
    reference_mass: float = 70.0  # [kg] the gains above are for this mass and scale with it


@dataclass(frozen=True, kw_only=True)
class Params:
    """The whole configuration, in data-flow order."""

    tracking: TrackingParams = field(default_factory=TrackingParams)
