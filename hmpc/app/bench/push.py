"""Largest push at the torso that a standing character takes without a step, in eight directions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import in_parallel
from hmpc.app.session import Session
from hmpc.sim.simulator import Push

_DIRECTIONS = {
    "forward": 0.0,
    "forward left": 45.0,
    "left": 90.0,
    "backward left": 135.0,
    "backward": 180.0,
    "backward right": 225.0,
    "right": 270.0,
    "forward right": 315.0,
}  # [deg]
_START = 1.0  # [s]
_RECOVERY = 4.0  # [s] after the push, by which the character has fallen or stands
_IN_PLACE = 0.02  # [m] a foot that ends further from where it stood has made a step
_TOO_MUCH = 48.0  # [N s] no sole holds this


class Search(NamedTuple):
    """For the largest impulse in one direction."""

    direction: float  # [rad]
    seed: int
    both_down: bool  # neither foot may leave the ground
    precision: float  # [N s]


def measure(quick: bool) -> Result:
    seeds, precision = (1, 2.0) if quick else (2, 0.5)
    searches = [
        Search(math.radians(angle), seed, both_down, precision)
        for angle, both_down, seed in product(_DIRECTIONS.values(), (False, True), range(seeds))
    ]
    largest = np.reshape(in_parallel(largest_impulse, searches), (len(_DIRECTIONS), 2, seeds)).min(axis=2)
    session = Session("stand")
    rows = [row(session, name, *largest[k].tolist()) for k, name in enumerate(_DIRECTIONS)]
    return {f"largest impulse [N s] over 0.1 s that all of {seeds} seeds take": rows}


def row(session: Session, name: str, taken: float, both_down: float) -> Mapping[str, Cell]:
    """Beside the impulses: what an inverted pendulum on the same soles could take."""
    limit = pendulum_limit(session, math.radians(_DIRECTIONS[name]))
    return {"push": name, "taken": taken, "share": taken / limit, "both_feet_down": both_down, "pendulum_limit": limit}


def largest_impulse(search: Search) -> float:
    """[N s] by bisection: who takes a hard push takes a soft one."""
    low, high = 0.0, _TOO_MUCH
    while high - low > search.precision:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stands(middle, search) else (low, middle)
    return low


def stands(impulse: float, search: Search) -> bool:
    """Whether the character is upright after the push, on feet that are where they were."""
    session = Session("stand", seed=search.seed)
    before = session.state.limbs
    session.push(Push(_START, impulse, search.direction))
    summary = session.run(_START + _RECOVERY)
    feet = [limb.spec.name for limb in session.simulator.robot.feet()]
    moved = max(np.linalg.norm(session.state.limbs[foot].p_W - before[foot].p_W) for foot in feet)
    return bool(summary.success and moved < _IN_PLACE) and not (search.both_down and summary.steps > 0)


def pendulum_limit(session: Session, direction: float) -> float:
    """[N s] m omega d, which moves the capture point c + v/omega by d, to the edge of the soles."""
    robot, state = session.simulator.robot, session.state
    feet = [limb.spec.name for limb in robot.feet()]
    corners = np.concatenate([robot.corners_W(foot, state.limbs[foot])[:, :2] for foot in feet])
    sides = ConvexHull(corners).equations  # (n, 3): outward normal and offset of each side
    outward = sides[:, :2] @ (math.cos(direction), math.sin(direction))
    to_sides = -(sides[:, :2] @ state.body.com_W[:2] + sides[:, 2])
    distance = (to_sides[outward > 0.0] / outward[outward > 0.0]).min()
    omega = math.sqrt(session.params.tracking.gravity / session.simulator.body_model.com_height)
    return float(robot.mass * omega * distance)
