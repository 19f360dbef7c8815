"""The walking problem: one stride of the long-term plan, to be refined (Secs. 3.2.2 and 5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.errors import InputError
from hmpc.frb.lean import lean_into_climb
from hmpc.frb.phases import shift_phases
from hmpc.frb.planner import FrbProblem
from hmpc.frb.rails import Hands, hand_phases, shared_loads
from hmpc.geometry import rotation_zyx, wrap_angle
from hmpc.types import ContactPhase, FrbState, TargetState, read_only

if TYPE_CHECKING:
    from hmpc.params import FrbParams
    from hmpc.types import Array, BodyModel, Command, ContactRegion, FootstepPlan, FrbPlan

MOST_SHIFTED = 0.95  # share of the load on the leading foot beyond which its double support counts as over


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class StandingFoot:
    """A foot that is on the ground now."""

    limb: str
    center_W: Array  # (3,) [m] middle of the sole
    yaw: float  # [rad]
    region: ContactRegion  # what it stands on

    def __post_init__(self) -> None:
        object.__setattr__(self, "center_W", read_only(self.center_W, 3))


def walking_problem(
    footsteps: FootstepPlan,
    feet: Sequence[StandingFoot],
    command: Command,
    body: BodyModel,
    params: FrbParams,
    previous: FrbPlan | None = None,
    hands: Hands | None = None,
) -> FrbProblem:
    """The problem for the current step and the next: COPs, timing and load of the pendulums as initial guess.

    `footsteps.t_start[0]` is now and its phase 0 the current stance. With a `previous` plan, what is left of it
    is the guess for the contacts that both have (Sec. 3.2.2) and the pendulums are the second guess. `hands` add their
    stays on rails, unloaded in the guess of the pendulums.
    """
    t0 = float(footsteps.t_start[0])
    steps = min(params.walking_steps, len(footsteps.limb))
    standing = {foot.limb: foot for foot in feet}
    if footsteps.limb[0] not in standing:
        raise InputError(f"The stance foot {footsteps.limb[0]!r} does not stand; standing: {', '.join(standing)}.")
    if _leaps(footsteps):
        body = _on_flat_soles(body, params)
    weight = body.mass * params.gravity
    pendulum = pendulum_phases(footsteps, steps, standing, weight, params.gravity)
    pitch = command.posture.trunk_pitch + lean_into_climb(footsteps, _risen(footsteps, feet), params)
    if hands is not None:
        pendulum += hand_phases(pendulum, footsteps, hands, body, pitch)
    warm = None if previous is None else _warm_start(pendulum, previous, t0)
    return FrbProblem(
        state=_start(footsteps, command, float(pitch[0])),
        t0=t0,
        horizon=float(footsteps.t_end[steps - 1]) - t0,
        body=body,
        phases=pendulum if warm is None else warm,
        other_guesses=(*(() if warm is None else (pendulum,)), *shared_loads(pendulum, body)),
        newton=hands is not None or not _leaps(footsteps),
        targets=(
            *(_target(footsteps, k, command, float(pitch[k + 1])) for k in range(steps)),
            *(_mid_step(footsteps, k, params.vault_weight) for k in range(steps) if _vaults(footsteps, k)),
        ),
        time_step=params.flight_time_step if _leaps(footsteps) else None,
        step_width=body.step_width if command.step_width is None else command.step_width,
    )


def _risen(footsteps: FootstepPlan, feet: Sequence[StandingFoot]) -> float:
    """How far up [m] the step behind has led, while both feet stand."""
    behind = [float(foot.center_W[2]) for foot in feet if foot.limb != footsteps.limb[0]]
    return float(footsteps.foot_W[0, 2]) - behind[0] if behind else 0.0


def _start(footsteps: FootstepPlan, command: Command, pitch: float) -> FrbState:
    """The COM of the pendulums at the intended orientation, leaning forward by `pitch` [rad].

    A plan that starts at the measured orientation would let its error live on from plan to plan; tier 3 tracks
    the intended one and takes it away.
    """
    yaw = float(footsteps.yaw[0]) - 0.5 * _turn(footsteps, 0)
    return FrbState(
        com_W=footsteps.com_W[0],
        vel_W=footsteps.com_vel_W[0],
        R_WB=rotation_zyx(yaw, pitch, 0.0),
        omega_W=np.array([0.0, 0.0, command.yaw_rate]),
    )


def _turn(footsteps: FootstepPlan, k: int) -> float:
    """Turn [rad] from foot k to the next."""
    if k + 1 >= len(footsteps.limb):
        return 0.0
    return wrap_angle(float(footsteps.yaw[k + 1] - footsteps.yaw[k]))


def pendulum_phases(
    footsteps: FootstepPlan, steps: int, standing: Mapping[str, StandingFoot], weight: float, gravity: float
) -> tuple[ContactPhase, ...]:
    """The contact phases with which the floating body moves exactly as the pendulums do.

    Each foot bears all that holds and lifts the COM along the line to it, and hands it to the next in the double
    support that begins the next phase.
    """
    phases = []
    for k in range(steps):
        lift = weight / gravity * vertical_acceleration(footsteps, k)
        landing = footsteps.leap if k == 1 and _leaps(footsteps) else None
        foot = standing.get(footsteps.limb[k]) if k == 0 else None
        following = footsteps.double_support[k + 1] if k + 1 < len(footsteps.limb) else footsteps.double_support[k]
        phases.append(
            _constant_phase(
                limb=footsteps.limb[k],
                t_start=float(footsteps.t_start[k]) if landing is None else landing.touch_down,
                t_end=float(footsteps.t_end[k] + following),
                cop_W=footsteps.cop_W[k],
                f_l=weight + lift,
                region=footsteps.region[k] if foot is None else foot.region,
                center_W=footsteps.foot_W[k] if foot is None else foot.center_W,
                yaw=float(footsteps.yaw[k]) if foot is None else foot.yaw,
                fixed=foot is not None,
            )
        )
    trailing = [foot for limb, foot in standing.items() if limb != footsteps.limb[0]]
    if trailing and footsteps.double_support[0] > 0.0:
        phases[0], leaving = _double_support(footsteps, trailing[0], phases[0])
        phases.insert(0, leaving)
    return tuple(phases)


def _leaps(footsteps: FootstepPlan) -> bool:
    """Does the foot that stands now push off for a leap?"""
    return footsteps.leap is not None and footsteps.leap.step == 1


def _on_flat_soles(body: BodyModel, params: FrbParams) -> BodyModel:
    """The body of a leap: it pushes off and lands with flat soles, so that no raised heel lengthens its legs."""
    limbs = (replace(limb, reach=limb.reach - params.heel_stretch) if limb.is_foot else limb for limb in body.limbs)
    return replace(body, limbs=tuple(limbs))


def vertical_acceleration(footsteps: FootstepPlan, k: int) -> Array:
    """z'' (3,) [m/s^2] of the COM at the start, in the middle and at the end of foot k's stay; linear in between.

    Without a vault z is a cubic.
    """
    z, vz = footsteps.com_W[k : k + 2, 2], footsteps.com_vel_W[k : k + 2, 2]
    start, end, leap = float(footsteps.t_start[k]), float(footsteps.t_end[k]), footsteps.leap
    if leap is not None and leap.step == k + 1:  # it ends with lift-off
        end, z, vz = leap.lift_off, np.array([z[0], leap.com_W[0, 2]]), np.array([vz[0], leap.com_vel_W[0, 2]])
    if leap is not None and leap.step == k:  # it begins with touch-down
        start, z, vz = leap.touch_down, np.array([leap.com_W[1, 2], z[1]]), np.array([leap.com_vel_W[1, 2], vz[1]])
    duration = end - start
    slope = (z[1] - z[0]) / duration
    start, end = 6.0 * slope - 4.0 * vz[0] - 2.0 * vz[1], 2.0 * vz[0] + 4.0 * vz[1] - 6.0 * slope
    vault = 24.0 * footsteps.vault[k] / duration**2 * np.array([1.0, -1.0, 1.0])
    return np.array([start, 0.5 * (start + end), end]) / duration + vault


def _double_support(
    footsteps: FootstepPlan, trailing: StandingFoot, stance: ContactPhase
) -> tuple[ContactPhase, ContactPhase]:
    """The stance phase and that of the foot about to leave, in the middle of handing over the load.

    The COP tells how far it is: the load moves linearly, so its start lies in the past.
    """
    t0, remaining = float(footsteps.t_start[0]), float(footsteps.double_support[0])
    across = footsteps.cop_W[0] - trailing.center_W
    shifted = float(
        np.clip(across @ (footsteps.cop_start_W - trailing.center_W) / (across @ across), 0.0, MOST_SHIFTED)
    )
    duration = remaining / (1.0 - shifted)
    leaving = _constant_phase(
        limb=trailing.limb,
        t_start=t0 + remaining - 2.0 * duration,
        t_end=t0 + remaining,
        cop_W=trailing.center_W,
        f_l=np.full(len(stance.f_l), stance.f_l[0]),
        region=trailing.region,
        center_W=trailing.center_W,
        yaw=trailing.yaw,
        fixed=True,
    )
    return replace(stance, t_start=t0 + remaining - duration), leaving


def _constant_phase(
    *,
    limb: str,
    t_start: float,
    t_end: float,
    cop_W: Array,
    f_l: Array,
    region: ContactRegion,
    center_W: Array,
    yaw: float,
    fixed: bool,
) -> ContactPhase:
    """Two control points for the COP, equal at first (Sec. 5.1), and three for the force, which sinks in the middle."""
    return ContactPhase(
        limb=limb,
        t_start=t_start,
        t_end=t_end,
        cop_W=np.tile(cop_W, (2, 1)),
        f_l=f_l,
        f_r_W=np.zeros((len(f_l), 3)),
        region=region,
        center_W=center_W,
        yaw=yaw,
        fixed=fixed,
    )


def _target(footsteps: FootstepPlan, k: int, command: Command, pitch: float) -> TargetState:
    """State of the pendulum when step k ends, leaning forward by `pitch` [rad], heading between the two feet.

    That is when the next foot lands, after the flight if there is one.
    """
    t, com_W, vel_W = float(footsteps.t_end[k]), footsteps.com_W[k + 1], footsteps.com_vel_W[k + 1]
    if k == 0 and footsteps.leap is not None and _leaps(footsteps):
        t, com_W, vel_W = footsteps.leap.touch_down, footsteps.leap.com_W[1], footsteps.leap.com_vel_W[1]
    return TargetState(
        t=t,
        com_W=com_W,
        vel_W=vel_W,
        R_WB=rotation_zyx(float(footsteps.yaw[k]) + 0.5 * _turn(footsteps, k), pitch, 0.0),
        omega_W=np.array([0.0, 0.0, command.yaw_rate]),
    )


def _vaults(footsteps: FootstepPlan, k: int) -> bool:
    """Whether the COM should rise over the leg that stands in step k: where nothing but the walk sets the pace."""
    return bool(footsteps.vault[k] > 0.0) and not footsteps.constrained and footsteps.leap is None


def _mid_step(footsteps: FootstepPlan, k: int, weight: float) -> TargetState:
    """Height of the COM in the middle of step k, where the leg that stands is straightest.

    Smoothness alone would have it level, over a bent knee.
    """
    start, end = float(footsteps.t_start[k]), float(footsteps.t_end[k])
    z, vz = footsteps.com_W[k : k + 2, 2], footsteps.com_vel_W[k : k + 2, 2]
    height = 0.5 * (z[0] + z[1]) + 0.125 * (end - start) * (vz[0] - vz[1]) + footsteps.vault[k]
    return TargetState(t=0.5 * (start + end), com_W=np.array([np.nan, np.nan, height]), weight=weight)


def _warm_start(pendulum: Sequence[ContactPhase], previous: FrbPlan, t0: float) -> tuple[ContactPhase, ...] | None:
    """The pendulum's phases with what is left of the previous plan in those that it shares; None if there are none.

    Contacts that exist keep the pendulum's times: it knows when the step really began, and who takes over the load.
    One that is to be made shares nothing with one that the previous plan has made already, however long that lasts.
    """
    left = shift_phases(previous.phases, t0)
    warm, used = [], 0
    for phase in pendulum:
        same = (p for p in left if p.limb == phase.limb and (phase.fixed or not p.fixed))
        old = [p for p in same if p.t_start < phase.t_end and phase.t_start < p.t_end]
        if not old:
            warm.append(phase)
            continue
        used += 1
        moved = phase.center_W - old[0].center_W if phase.fixed else np.zeros(3)
        warm.append(
            replace(
                phase,
                t_start=phase.t_start if phase.fixed else old[0].t_start,
                t_end=phase.t_end if phase.fixed else old[0].t_end,
                cop_W=old[0].cop_W + moved,
                f_l=old[0].f_l,
                f_r_W=old[0].f_r_W,
                center_W=phase.center_W if phase.fixed else old[0].center_W,
            )
        )
    return tuple(warm) if used else None
