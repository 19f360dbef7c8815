"""Where the body is going: the capture point and the feet under it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.geometry import rotation_z

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hmpc.params import ExecutorParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, BodyModel, Command, FootstepPlan, FrbState, RobotState

_UNLOADED = 1.0  # [N] on all feet
_LEVEL = 0.01  # [m] less than this is no step up or down


def capture_point(state: RobotState, height: float, gravity: float) -> Array:
    """(2,) [m] where the COM would come to rest over a constant COP: c + v / omega."""
    omega = math.sqrt(gravity / height)
    return state.body.com_W[:2] + state.body.vel_W[:2] / omega


def capture_error(now: FrbState, plan: FrbState, omega: float) -> tuple[float, float]:
    """(x, y) [m] by which the capture point is off its plan."""
    (x, y, _), (vx, vy, _) = now.com_W.tolist(), now.vel_W.tolist()
    (plan_x, plan_y, _), (plan_vx, plan_vy, _) = plan.com_W.tolist(), plan.vel_W.tolist()
    return x - plan_x + (vx - plan_vx) / omega, y - plan_y + (vy - plan_vy) / omega


def within_support(robot: RobotModel, state: RobotState, feet: Iterable[str], point: Array, margin: float) -> bool:
    """Whether a ground point (2,) lies between the soles, at least about `margin` from their edges.

    A point is inside a convex hull when the hull's corners surround it without a gap of half a turn.
    """
    corners = np.concatenate([robot.corners_W(foot, state.limbs[foot], margin)[:, :2] for foot in feet])
    angles = np.sort(np.arctan2(corners[:, 1] - point[1], corners[:, 0] - point[0]))
    gaps = np.diff(angles, append=angles[0] + 2.0 * math.pi)
    return bool(gaps.max() < math.pi)


def in_stride(body: BodyModel, hip_drop: float) -> BodyModel:
    """The body as it is in the middle of a step, `hip_drop` [m] lower under its COM: bent legs are nearer to it."""
    drop = np.array([0.0, 0.0, hip_drop])
    limbs = tuple(replace(limb, root_B=limb.root_B - drop) if limb.is_foot else limb for limb in body.limbs)
    return replace(body, limbs=limbs)


def pressure(state: RobotState, feet: Sequence[str], stance: str) -> Array:
    """(3,) [m] measured centre of pressure of the feet, each foot's being its middle; unloaded, that of `stance`."""
    load = {foot: max(float(state.limbs[foot].force_W[2]), 0.0) for foot in feet}
    total = sum(load.values())
    if total < _UNLOADED:
        return state.limbs[stance].p_W
    return np.sum([load[foot] * state.limbs[foot].p_W for foot in feet], axis=0) / total


def vertical_start(body: FrbState, height: float, climb: float, params: ExecutorParams) -> tuple[float, float]:
    """Height [m] and vertical speed [m/s] that plans start with: the intended ones, unless they are far off.

    The legs hold the height firmly, and the jolt of a landing should not become part of the next plan. The COM
    should be at `height` [m] and `climb` [m/s] as the feet do.
    """
    z, vz = float(body.com_W[2]), float(body.vel_W[2])
    off, speed = params.max_height_error, params.max_climb_error
    return z + min(max(height - z, -off), off), vz + min(max(climb - vz, -speed), speed)


def walking_height(
    command: Command, speed: float, state: RobotState, body: BodyModel, slack: float, gravity: float
) -> float:
    """COM height of a gait, as a fraction of standing: low enough to put a foot down half a step away.

    The hip is then half a step from either foot; `slack` [m] is by how much a leg reaches further than its length. A
    step is as long as the walk is fast: its `speed` [m/s], or how fast it is now, as a step begins. (The planned
    foothold may be further away still: see `landing_excess`.)
    """
    foot = next(limb for limb in body.limbs if limb.is_foot)
    assert command.step_duration is not None
    now = math.hypot(*state.body.vel_W[:2]) * passing_share(command.step_duration, body.com_height, gravity)
    half_step = 0.5 * command.step_duration * max(speed, now)
    hip = math.sqrt(max((foot.reach + slack) ** 2 - half_step**2, 0.0))
    return min(command.body_height, (hip - foot.root_B[2]) / body.com_height)


def passing_share(duration: float, height: float, gravity: float) -> float:
    """Mean speed of a pendulum that passes over its foot in `duration` [s], of the speed with which it comes and goes.

    From c'' = ω² c with v(±T/2) = v: the mean is v tanh(x) / x with x = ωT/2.
    """
    x = 0.5 * duration * math.sqrt(gravity / height)
    return math.tanh(x) / x


def landing_excess(footsteps: FootstepPlan, body: BodyModel, slack: float) -> float:
    """By how much the body is too high, in standing heights, for the next foot to reach its foothold in time.

    A step that catches the body goes further, or further to the side, than the gait's. (On stairs and the like the
    long-term planner itself brings the body to where the legs need it.)
    """
    if footsteps.leap is not None and footsteps.leap.step == 1:
        return 0.0
    if len(footsteps.limb) < 2 or abs(footsteps.foot_W[1, 2] - footsteps.foot_W[0, 2]) > _LEVEL:
        return 0.0
    foot = body.limb(footsteps.limb[1])
    hip_W = footsteps.com_W[1] + rotation_z(float(footsteps.yaw[1])) @ foot.root_B
    away = math.hypot(*(hip_W - footsteps.foot_W[1])[:2])
    reachable = footsteps.foot_W[1, 2] + math.sqrt(max((foot.reach + slack) ** 2 - away**2, 0.0))
    return max(float(hip_W[2] - reachable), 0.0) / body.com_height


def within_ankle_control(
    plan: FrbState, now: FrbState, facing: float, omega: float, params: ExecutorParams
) -> FrbState:
    """The plan, or as near to it as the sole of a foot that faces `facing` [rad] can bring the body back to.

    A COP moves the capture point only within the sole. What is asked beyond that the trunk would have to pay for by
    tilting; bringing the body back is then the next step's work.
    """
    ahead, aside = math.cos(facing), math.sin(facing)
    dx, dy = capture_error(now, plan, omega)
    forward, sideways = abs(ahead * dx + aside * dy), abs(ahead * dy - aside * dx)
    if forward <= params.ankle_control and sideways <= params.ankle_control_sideways:
        return plan
    R_WS = rotation_z(facing)
    scale = np.array(
        [
            params.ankle_control / max(forward, params.ankle_control),
            params.ankle_control_sideways / max(sideways, params.ankle_control_sideways),
            1.0,
        ]
    )
    position, velocity = R_WS.T @ (plan.com_W - now.com_W), R_WS.T @ (plan.vel_W - now.vel_W)
    return replace(plan, com_W=now.com_W + R_WS @ (scale * position), vel_W=now.vel_W + R_WS @ (scale * velocity))
