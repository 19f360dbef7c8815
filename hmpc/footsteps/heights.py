"""How high the COM is over uneven ground."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hmpc.footsteps.areas import ComplexArray
    from hmpc.footsteps.limits import Legs
    from hmpc.footsteps.planner import FootstepStart
    from hmpc.params import FootstepParams
    from hmpc.types import Array


def com_height_over(
    com: complex,
    yaw: float,
    foot: Sequence[complex],
    height: Sequence[float],
    landing: int,
    legs: Legs,
    com_height: float,
    toes_first: float,
) -> float:
    """Height [m] of the COM at `com` as one foot lands: `com_height` over the mean of both, if both legs reach.

    `foot` and `height` [m] are those of the left (0) and the right (1) foot. The one behind can raise its heel, the one
    that lands `toes_first` [m] lower or more comes down on its toes.
    """
    z = com_height + 0.5 * (height[0] + height[1])
    for leg in range(2):
        x, y, up = legs.root[leg]
        away = abs(com + complex(x, y) * cmath.exp(1j * yaw) - foot[leg])
        stretch = min(max((height[1 - leg] - height[leg]) / toes_first, 0.0), 1.0) if leg == landing else 1.0
        longest = legs.reach[leg] + stretch * (legs.longest[leg] - legs.reach[leg])
        z = min(z, height[leg] + math.sqrt(max(longest**2 - away**2, 0.0)) - up)
    return z


def com_heights(
    foot: ComplexArray,
    height: Array,
    com: ComplexArray,
    yaw: Array,
    first_is_left: bool,
    legs: Legs,
    com_height: float,
    start: FootstepStart,
    duration: Array,
    share: float,
    toes_first: float,
    rise: float,
) -> tuple[Array, Array]:
    """Height [m] and vertical velocity [m/s] of the COM at the boundaries of phases that last `duration` (K,) [s].

    Between two boundaries the COM rises as the feet do, which on even stairs is at a constant rate. From the measured
    height it returns there within a step: where only a `share` r of the first phase is left, it goes r² of the way by
    the end of it, so that the acceleration does not depend on r. A body that falls is caught with a force that sinks
    linearly to its weight while it comes to `rise` v_1 [m/s], which takes it to z_0 + T (v_0 + 2 v_1)/3 at most.
    """
    z, vz = np.empty(len(height) + 1), np.zeros(len(height) + 1)
    for k in range(len(height) - 1):
        left, right = (k, k + 1) if first_is_left == (k % 2 == 0) else (k + 1, k)
        feet, heights, landing = (foot[left], foot[right]), (height[left], height[right]), int(left == k)
        over = (feet, heights, landing, legs, com_height, toes_first)
        z[k + 1] = com_height_over(com[k + 1], float(yaw[k + 1]), *over)
    vz[1:-1] = (height[1:] - height[:-1]) / duration[1:]
    z[-1] = com_height + height[-1]
    z[0], vz[0] = start.com_W[2], start.com_vel_W[2]
    if start.fall > 0.0:
        caught = z[0] + duration[0] * (vz[0] + 2.0 * rise) / 3.0
        if caught < z[1]:
            z[1], vz[1] = caught, rise
        return z, vz
    blend = share**2
    z[1] = blend * z[1] + (1.0 - blend) * (z[0] + vz[0] * duration[0])
    vz[1] = blend * vz[1] + (1.0 - blend) * vz[0]
    return z, vz


def vaults(
    foot: ComplexArray,
    yaw: Array,
    height: Array,
    z: Array,
    legs: Legs,
    duration: Array,
    share: float,
    params: FootstepParams,
) -> Array:
    """(K,) [m] by which the COM rises in each phase over the leg that stands, as a person's does.

    As a stiff leg would lift it from half a step behind the foot to above it, unless the leg is straight before that,
    and as far as the force allows: over the duration T a rise of b takes accelerations of up to 24 b/T². Backwards and
    sideways it does not. `z` (K + 1,) [m] are the heights at the landings; of the first phase only a `share` is left.
    """
    reach = float(legs.reach.min())
    forward = (np.diff(foot) * np.exp(-1j * yaw[1 : len(foot)])).real
    half_step = 0.5 * np.clip(np.append(forward, forward[-1:]), 0.0, reach)
    arc = reach - np.sqrt(reach**2 - half_step**2)
    straight = height + reach - float(legs.root[:, 2].max()) - 0.5 * (z[:-1] + z[1:])
    highest = params.vault_acceleration * params.gravity * duration**2 / 24.0
    rise = np.clip(np.minimum(arc, straight), 0.0, highest)
    rise[0] *= share**2
    return rise


def cubic(s: Array | float, duration: Array | float, start: tuple, end: tuple) -> tuple[Array, Array, Array]:
    """Value, rate and acceleration of the cubic with the given values and rates at 0 and at `duration`."""
    (x0, v0), (x1, v1) = start, end
    slope = (x1 - x0) / duration
    a2 = (3.0 * slope - 2.0 * v0 - v1) / duration
    a3 = (v0 + v1 - 2.0 * slope) / duration**2
    return x0 + s * (v0 + s * (a2 + s * a3)), v0 + s * (2.0 * a2 + 3.0 * a3 * s), 2.0 * a2 + 6.0 * a3 * s
