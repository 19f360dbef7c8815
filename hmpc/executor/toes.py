"""Feet that leave the ground, and come down heel first or, on the way downstairs, toes first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.clearance import Path, swing_shape
from hmpc.executor.swing import Swing, pitch_and_roll, surface_angles

if TYPE_CHECKING:
    from hmpc.executor.schedule import StepSchedule
    from hmpc.footsteps.ground import Ground
    from hmpc.params import SwingParams
    from hmpc.types import Array, ContactRegion, LimbState, RobotState

_SHORT = 0.1  # [m] a way that leads nowhere else


def start_swing(
    state: RobotState,
    stance: str,
    swing_limb: str,
    stood_W: Array,
    schedule: StepSchedule,
    sole: Array,
    forward: float,
    ground: Ground,
    params: SwingParams,
    *,
    in_the_open: bool,
) -> tuple[Swing, bool]:
    """A foot leaves the ground, over whatever lies between here and its foothold; and whether it lands toes first.

    `stood_W` (3,) [m] is where the middle of its sole was before it rolled over its toes and was perhaps dragged along;
    `sole` (2,) [m] are its half extents, `forward` is 1 when walking forwards and -1 backwards. `in_the_open`, where no
    edge is near, the foot brakes until it lands, and its heel, which is lower than the middle, does so in time.
    """
    foot, normal_W, half_length = state.limbs[swing_limb], schedule.region.R_WR[:, 2], float(sole[0])
    toes = pointed_toes(state.limbs[stance].p_W, schedule.foothold_W, schedule.region, params)
    left = schedule.touch_down - state.t
    pitch = (1.0 - toes) * params.landing_pitch * forward + toes * params.toes_down
    path = Path(
        start_W=np.array([*stood_W[:2], foot.p_W[2]]),
        pitch=pitch_and_roll(foot.R_WL)[0],
        goal_W=schedule.foothold_W + np.array([0.0, 0.0, toes * half_length * math.sin(params.toes_down)]),
        landing_pitch=surface_angles(normal_W, schedule.yaw)[0] + pitch,
        sole=sole,
        yaw=schedule.yaw,
        ahead=_share_of_the_way(foot.p_W - stood_W, stood_W, schedule.foothold_W),
        run=_share_of_the_way(left * foot.vel_W, stood_W, schedule.foothold_W),
    )
    shape = swing_shape(ground, path, params)
    back_W = stood_W - params.path_error * _direction(stood_W, schedule.foothold_W)
    height = toes * params.toe_stretch + (1.0 - toes) * in_the_open * abs(forward) * params.heel_height
    swing = Swing(foot, back_W, state.t, shape, normal_W, pitch, height, params, brakes=in_the_open)
    return swing, toes > 0.0


def _direction(start_W: Array, goal_W: Array) -> Array:
    """(3,) level, of length 1, or shorter where goal and start are close."""
    way = (goal_W - start_W) * (1.0, 1.0, 0.0)
    return way / max(float(np.linalg.norm(way)), _SHORT)


def _share_of_the_way(moved_W: Array, start_W: Array, goal_W: Array) -> float:
    """How far on from start to goal (3,) [m] it leads: 1 is all of it; less than nothing is nothing."""
    way = (goal_W - start_W)[:2]
    return max(float(moved_W[:2] @ way), 0.0) / max(float(way @ way), _SHORT**2)


def pointed_toes(stance_W: Array, foothold_W: Array, region: ContactRegion, params: SwingParams) -> float:
    """How far a foot that lands lower than the other one points its toes, which lengthens the leg: 0 to 1.

    The further down, the further the knee of the leg that stands would have to bend, and its ankle with it, which
    comes to its limit. A slope that both feet are on is no step down.
    """
    normal = region.R_WR[:, 2]
    drop = float((stance_W - foothold_W) @ normal) / float(normal[2])
    return min(max(drop / params.toes_first_drop, 0.0), 1.0)


def laid_flat(foot: LimbState, half_length: float) -> Array:
    """(3,) [m] where the middle of a sole that touches will be when it lies flat, on the edge that touches now."""
    along = foot.R_WL[:, 0]
    rise = float(along @ foot.normal_W)
    flat = along - rise * foot.normal_W
    edge = math.copysign(half_length, -rise)
    return foot.p_W + edge * (along - flat / np.linalg.norm(flat))
