"""The periodic gait of a command, in closed form: what each step should end with so that it can go on for ever.

Horizontal vectors are complex numbers x + iy, so that turning the heading by θ is multiplying by exp(iθ).
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hmpc.errors import InputError
from hmpc.footsteps.lipm import PhaseMap, capture_point, phase_map

if TYPE_CHECKING:
    from hmpc.params import FootstepParams
    from hmpc.types import Array, Command

LEFT, RIGHT = 1.0, -1.0  # the side of a foot: the sign of its lateral offset from the path


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTiming:
    """Durations [s] of the two parts of a phase."""

    double_support: float
    single_support: float

    @property
    def duration(self) -> float:
        return self.double_support + self.single_support


def step_timing(command: Command, params: FootstepParams, *velocities_H: Array) -> StepTiming:
    """The step duration of the command, or one that suits the fastest of its velocity and `velocities_H`."""
    share, lower, upper = params.double_support_share, params.double_support_min, params.double_support_max
    if command.step_duration is not None:
        double = min(max(command.step_duration * share / (1.0 + share), lower), upper)
        if command.step_duration <= 2.0 * double:
            raise InputError(f"A step must last longer than {2.0 * double:g} s, got {command.step_duration:g} s.")
        return StepTiming(double_support=double, single_support=command.step_duration - double)
    effort = max(math.hypot(vx, params.sideways_effort * vy) for vx, vy in (command.velocity_H, *velocities_H))
    excess = effort - params.single_support_speed
    single = params.single_support_max - params.single_support_slope * max(excess, 0.0)
    single = max(single, params.single_support_min)
    return StepTiming(double_support=min(max(share * single, lower), upper), single_support=single)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gait:
    """The periodic orbit of a command. `side` is that of the stance foot, vectors are in its heading frame.

    The heading of a foot is that of the path in the middle of its single support; it turns by `turn` a step.
    """

    timing: StepTiming
    omega: float  # [1/s]
    turn: float  # [rad] a step
    width: float  # [m] between the feet
    path_step: complex  # [m] from one step to the next along the path, in the heading midway
    com_mean: complex  # [m] COM from the path at the end of a phase: the part that both sides share ...
    com_sway: complex  # [m] ... and the part that alternates (for the left foot)
    vel_mean: complex  # [m/s]
    vel_sway: complex  # [m/s]

    def end_velocity(self, side: float) -> complex:
        """COM velocity [m/s] at the end of a phase on `side`."""
        return self.vel_mean + side * self.vel_sway

    def end_offset(self, side: float) -> complex:
        """COM relative to the stance foot [m] at the end of a phase on `side`."""
        return self.com_mean + side * self.com_sway

    def capture_offset(self, side: float) -> complex:
        """Capture point relative to the stance foot [m] at the end of a phase on `side`."""
        return complex(capture_point(self.end_offset(side), self.end_velocity(side), self.omega))

    def step(self, side: float) -> complex:
        """From the other foot to the one on `side` [m], in the heading midway between the two."""
        return self.path_step + 1j * side * self.width * math.cos(0.5 * self.turn)


def periodic_gait(
    velocity: complex, yaw_rate: float, width: float, timing: StepTiming, omega: float, min_width: float = 0.0
) -> Gait:
    """The orbit with the mean COM `velocity` [m/s] in the heading frame, turning at `yaw_rate` [rad/s].

    The feet stand at ±width/2 beside a path: a line, or a circle if the heading turns. Let d and u be position
    relative to the stance foot and velocity of the COM at the end of a phase, in the heading frame of that foot,
    and s the step to the next foot. The pendulum gives

        exp(iθ) (d, u)_next = A (d, u) + (b1 - (1, 0)) s.

    s has a part S that is the same for each step and one that changes sign from left to right, and so have d and
    u: two 2x2 systems, (±exp(iθ) - A) x = B s. In a turn the COM leans inwards, to a smaller circle than that of
    the feet (the centripetal effect); the path is as much wider as makes the *COM* move as commanded.

    Where sideways steps would bring the feet closer together than `min_width`, the gait is wider than `width`.
    """
    turn = yaw_rate * timing.duration
    if abs(turn) >= 0.5 * math.pi:
        raise InputError(f"A step can turn by less than 90 degrees, got {math.degrees(turn):.0f}.")
    phase = phase_map(omega, timing.duration, timing.double_support)
    half_turn = cmath.exp(0.5j * turn)
    chord = timing.duration * np.sinc(0.5 * turn / math.pi)  # ∫ exp(i yaw_rate t) dt over a step, at half turn

    # In the middle of the single support, where the headings of foot and body agree, the COM is off the path by
    # mid_gain for each m/s: on a circle, its velocity is (1 + i yaw_rate mid_gain) times that of the path.
    com_gain, vel_gain = _orbit(phase, half_turn**2, chord * half_turn)
    half_stance = 0.5 * omega * timing.single_support
    mid_gain = math.cosh(half_stance) * com_gain - math.sinh(half_stance) / omega * vel_gain
    path_velocity = velocity / (1.0 + 1j * yaw_rate * mid_gain)

    path_step = path_velocity * chord
    width = max(width, (min_width + abs(path_step.imag)) / half_turn.real)
    com_sway, vel_sway = _orbit(phase, -(half_turn**2), -1j * width * half_turn.real * half_turn)
    return Gait(
        timing=timing,
        omega=omega,
        turn=turn,
        width=width,
        path_step=path_step,
        com_mean=com_gain * path_velocity,
        com_sway=com_sway,
        vel_mean=vel_gain * path_velocity,
        vel_sway=vel_sway,
    )


def _orbit(phase: PhaseMap, turn: complex, step: complex) -> tuple[complex, complex]:
    """(d, u) with turn (d, u) = A (d, u) + (b1 - (1, 0)) step, by Cramer's rule.

    A has the eigenvalues exp(±ωT), never on the unit circle: the solution exists and is the only one.
    """
    a, d = turn - phase.cc, turn - phase.vv
    r, s = (phase.c1 - 1.0) * step, phase.v1 * step
    det = a * d - phase.cv * phase.vc
    return (r * d + phase.cv * s) / det, (a * s + phase.vc * r) / det
