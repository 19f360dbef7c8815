"""A character that stands on the ground, seen by the controller, and what can be changed about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.robot.model import RobotModel
from hmpc.sim.simulator import Simulator
from hmpc.types import BodyModel, Limbs, RobotState
from hmpc_envs.flat import Flat


@pytest.fixture(scope="session")
def simulator() -> Simulator:
    return Simulator(Flat(), HUMANOID)


@pytest.fixture(scope="session")
def robot(simulator: Simulator) -> RobotModel:
    return simulator.robot


@pytest.fixture(scope="session")
def body(simulator: Simulator) -> BodyModel:
    return simulator.body_model


@pytest.fixture(scope="session")
def standing(simulator: Simulator) -> RobotState:
    """At rest on both feet, facing +x."""
    simulator.reset()
    return simulator.observe()


@pytest.fixture(scope="session")
def seen(standing: RobotState) -> Callable[..., RobotState]:
    """The standing character with another time, body or limbs: `seen(t=1.0, vel_W=..., left_foot={"p_W": ...})`."""

    def change(**changes: Any) -> RobotState:
        limbs = {name: replace(limb, **changes.pop(name, {})) for name, limb in standing.limbs.items()}
        t = changes.pop("t", standing.t)
        return replace(standing, t=t, body=replace(standing.body, **changes), limbs=Limbs.of(limbs))

    return change
