"""Leaps: steps with a flight in them, for what is too far for a step."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING, NamedTuple

from hmpc.footsteps.areas import dot
from hmpc.footsteps.compiled import kernel
from hmpc.footsteps.gait import LEFT
from hmpc.footsteps.lipm import PhaseMap, catch_gain, leap_map, propagate

if TYPE_CHECKING:
    from hmpc.footsteps.gait import Gait
    from hmpc.footsteps.limits import Legs
    from hmpc.params import FootstepParams
    from hmpc.types import Array

_NEAR = 2  # [steps] ahead: the run-up to a leap is under way
_SLOWEST = 0.1  # [m/s] of a gait, below which there is no run-up


class LeapPhase(NamedTuple):
    """A phase that begins with a leap: the foot behind pushes for a while longer, the body flies, the foot lands."""

    flight: float  # [s]; 0: no leaps
    push: float  # [s]
    duration: float  # [s] of the whole phase
    phase: PhaseMap  # over the whole phase
    take_off: PhaseMap  # over the push
    lowest: float  # [m] of the COM above the foot that leaves or lands
    behind: float  # [m] from the hip to the foot that leaves, horizontally: as far as a thigh goes back
    resolve: float  # [m] further than that in a leap that is near
    fastest: float  # [m/s] upwards at lift-off
    loss: float  # share of the speed at lift-off that is lost in the push
    margin: float  # [m] of the capture point beyond the foot that lands, once it has caught the body
    omega: float  # [1/s]
    gravity: float  # [m/s^2]


class Flight(NamedTuple):
    """The COM when the last foot leaves the ground and when the next one lands; heights are above the world's."""

    lift_off: complex  # [m]
    velocity: complex  # [m/s]
    touch_down: complex  # [m]
    lift_off_height: float  # [m]
    touch_down_height: float  # [m]
    upwards: float  # [m/s] at lift-off
    behind: float  # [m] from the hip to the foot at lift-off, horizontally
    beyond: float  # [m] of the capture point, in the direction of flight, from the foot that has caught the body


def leap_phase(flight: float, gait: Gait, standing: float, params: FootstepParams) -> LeapPhase:
    """A leap of `flight` seconds out of a gait, for a body with its COM at `standing` [m] when it stands.

    The foot goes on pushing, beyond the time when in the gait the next one would land, until it is as far behind as it
    may be, less what is needed to line the run-up up with an edge.
    """
    omega = gait.omega
    offset, speed = gait.end_offset(LEFT).real, max(gait.end_velocity(LEFT).real, _SLOWEST)
    push = min(max((params.leap_reserve * params.leap_behind - offset) / speed, 0.0), params.leap_push)
    duration = push + flight + gait.timing.single_support
    return LeapPhase(
        flight=flight,
        push=push,
        duration=duration,
        phase=leap_map(omega, duration, push, flight),
        take_off=leap_map(omega, push, push, flight),
        lowest=params.leap_height * standing,
        behind=params.leap_behind,
        resolve=params.leap_resolve,
        fastest=params.leap_speed,
        loss=params.leap_loss,
        margin=params.leap_margin,
        omega=omega,
        gravity=params.gravity,
    )


@kernel
def flight_of(
    leap: LeapPhase,
    legs: Legs,
    com: complex,
    vel: complex,
    cop: complex,
    foot: tuple[complex, complex],
    height: tuple[float, float],
    leg: tuple[int, int],
    yaw: tuple[float, float],
    com_height: float,
) -> Flight:
    """The flight of a leap, of the foot that pushes off (0) to the one that lands (1).

    The COM is as high over either as usual, if the leg reaches that far with a flat sole.
    """
    lift_off, velocity = propagate(leap.take_off, com, vel, cop, cop)
    touch_down = lift_off + leap.flight * velocity
    behind = _hip_to_foot(lift_off, foot[0], yaw[0], legs.root[leg[0]])
    ahead = _hip_to_foot(touch_down, foot[1], yaw[1], legs.root[leg[1]])
    z0 = height[0] + min(com_height, _hip_height(behind, legs.reach[leg[0]]) - legs.root[leg[0], 2])
    z1 = height[1] + min(com_height, _hip_height(ahead, legs.reach[leg[1]]) - legs.root[leg[1], 2])
    upwards = (z1 - z0) / leap.flight + 0.5 * leap.gravity * leap.flight
    real = (1.0 - leap.loss) * velocity
    offset = lift_off + leap.flight * real - foot[1]
    caught = real + catch_gain(leap.omega, 0.5 * leap.flight) * offset
    beyond = dot(offset + caught / leap.omega, velocity) / max(abs(velocity), _SLOWEST)
    return Flight(lift_off, velocity, touch_down, z0, z1, upwards, behind, beyond)


@kernel
def _hip_to_foot(com: complex, foot: complex, yaw: float, root: Array) -> float:
    """Horizontal distance [m]."""
    return abs(com + complex(root[0], root[1]) * cmath.exp(1j * yaw) - foot)


@kernel
def _hip_height(away: float, longest: float) -> float:
    """Of the hip over a foot `away` from it, with the leg at its longest [m]."""
    return math.sqrt(max(longest**2 - away**2, 0.0))


@kernel
def is_possible(leap: LeapPhase, flight: Flight, heights: tuple[float, float], steps: int) -> bool:
    """Whether legs and forces allow a flight between two feet at these heights [m], and it leads on from the second.

    A leap that is `steps` ahead must be well within reach. Near the edge one that asks a little more of the legs is
    better than to break off the run-up.
    """
    low = min(flight.lift_off_height - heights[0], flight.touch_down_height - heights[1])
    behind = leap.behind + (leap.resolve if steps <= _NEAR else 0.0)
    reachable = low >= leap.lowest and flight.behind <= behind
    return reachable and 0.0 < flight.upwards <= leap.fastest and flight.beyond >= leap.margin
