"""A 70 kg, 1.75 m body, a floor, and the periodic pendulum gait that walking plans start from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hmpc.footsteps.lipm import phase_map
from hmpc.frb.planner import FrbProblem
from hmpc.frb.walking import StandingFoot, pendulum_phases, walking_problem
from hmpc.params import FrbParams
from hmpc.types import BodyModel, Command, ContactPhase, ContactRegion, FootstepPlan, FrbState, LimbModel

MASS, GRAVITY, COM_HEIGHT, STEP_WIDTH = 70.0, 9.81, 0.93, 0.18
WEIGHT = MASS * GRAVITY


@pytest.fixture(scope="session")
def params() -> FrbParams:
    return FrbParams()


@pytest.fixture(scope="session")
def body() -> BodyModel:
    def limb(name: str, root_B: list[float], half_extent: list[float], reach: float, is_foot: bool) -> LimbModel:
        return LimbModel(name=name, half_extent=half_extent, root_B=root_B, reach=reach, is_foot=is_foot)

    return BodyModel(
        mass=MASS,
        inertia_B=np.diag([10.0, 9.0, 1.5]),
        com_height=COM_HEIGHT,
        step_width=STEP_WIDTH,
        limbs=(
            limb("left_foot", [0.0, 0.09, -0.035], [0.12, 0.045], 0.95, True),
            limb("right_foot", [0.0, -0.09, -0.035], [0.12, 0.045], 0.95, True),
            limb("left_hand", [0.0, 0.2, 0.4], [0.04, 0.03], 0.65, False),
        ),
    )


@pytest.fixture(scope="session")
def floor() -> ContactRegion:
    return ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.full(2, 20.0))


@pytest.fixture(scope="session")
def phase(floor: ContactRegion) -> Callable[..., ContactPhase]:
    """A phase of the left foot under the COM that bears the weight for a second; change what you like."""

    def make(**changes: Any) -> ContactPhase:
        fields: dict[str, Any] = {
            "limb": "left_foot",
            "t_start": 0.0,
            "t_end": 1.0,
            "cop_W": np.zeros((2, 3)),
            "f_l": np.full(2, WEIGHT),
            "f_r_W": np.zeros((2, 3)),
            "region": floor,
            "center_W": np.zeros(3),
            "fixed": True,
        }
        return ContactPhase(**{**fields, **changes})

    return make


@pytest.fixture(scope="session")
def standing() -> Callable[..., FrbState]:
    """The body upright and at rest over the origin; change what you like."""

    def make(**changes: Any) -> FrbState:
        fields: dict[str, Any] = {
            "com_W": [0.0, 0.0, COM_HEIGHT],
            "vel_W": np.zeros(3),
            "R_WB": np.eye(3),
            "omega_W": np.zeros(3),
        }
        return FrbState(**{**fields, **changes})

    return make


def _periodic_gait(speed: float, floor: ContactRegion, steps: int = 4) -> FootstepPlan:
    """Straight walking that could go on for ever; now is the touch-down of the left foot."""
    double = 0.08
    duration = double + float(np.clip(0.5 - 0.2 * (abs(speed) - 0.7), 0.34, 0.5))
    omega = math.sqrt(GRAVITY / COM_HEIGHT)
    m = phase_map(omega, duration, double)
    A, b0, b1 = np.array([[m.cc, m.cv], [m.vc, m.vv]]), np.array([m.c0, m.v0]), np.array([m.c1, m.v1])
    length, half = speed * duration, 0.5 * STEP_WIDTH
    x, vx = np.linalg.solve(A - np.eye(2), np.array([length, 0.0]) + b0 * length)
    y, vy = np.linalg.solve(A + np.eye(2), (b0 - b1) * half)
    side = (-1.0) ** np.arange(steps + 1)
    n = np.arange(steps + 1)
    feet = np.column_stack([n * length, half * side, 0.0 * n])[:-1]
    return FootstepPlan(
        limb=tuple(("left_foot", "right_foot")[k % 2] for k in range(steps)),
        t_start=duration * n[:-1],
        t_end=duration * n[1:],
        region=(floor,) * steps,
        double_support=np.full(steps, double),
        foot_W=feet,
        cop_W=feet,
        cop_start_W=[-length, -half, 0.0],
        yaw=np.zeros(steps),
        com_W=np.column_stack([x + n * length, y * side, np.full(steps + 1, COM_HEIGHT)]),
        com_vel_W=np.column_stack([np.full(steps + 1, vx), vy * side, 0.0 * n]),
        omega=omega,
        vault=np.zeros(steps),
        cost=0.0,
    )


@pytest.fixture(scope="session")
def gait(floor: ContactRegion) -> Callable[..., FootstepPlan]:
    return lambda speed: _periodic_gait(speed, floor)


@pytest.fixture(scope="session")
def walking(gait: Callable[..., FootstepPlan], body: BodyModel, floor: ContactRegion) -> Callable[..., FrbProblem]:
    """The walking problem at a speed, from the state that the pendulum has at touch-down."""

    def make(speed: float, **changes: Any) -> FrbProblem:
        footsteps = gait(speed)
        feet = [
            StandingFoot(limb="left_foot", center_W=footsteps.foot_W[0], yaw=0.0, region=floor),
            StandingFoot(limb="right_foot", center_W=footsteps.cop_start_W, yaw=0.0, region=floor),
        ]
        arguments: dict[str, Any] = {"command": Command(velocity_H=[speed, 0.0]), "body": body, "params": FrbParams()}
        return walking_problem(footsteps, feet, **{**arguments, **changes})

    return make


@pytest.fixture(scope="session")
def pendulum(
    walking: Callable[..., FrbProblem], gait: Callable[..., FootstepPlan], floor: ContactRegion
) -> Callable[[float], FrbProblem]:
    """The walking problem whose guess is the pendulum, and nothing else."""

    def make(speed: float) -> FrbProblem:
        footsteps = gait(speed)
        centers = {"left_foot": footsteps.foot_W[0], "right_foot": footsteps.cop_start_W}
        standing = {
            limb: StandingFoot(limb=limb, center_W=center, yaw=0.0, region=floor) for limb, center in centers.items()
        }
        return replace(walking(speed), newton=False, phases=pendulum_phases(footsteps, 2, standing, WEIGHT, GRAVITY))

    return make
