"""A character in poses of all kinds, at rest or moving, floating above the ground."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.robot.model import RobotModel
from hmpc.sim.simulator import Simulator
from hmpc_envs.flat import Flat


@pytest.fixture(scope="session")
def simulator() -> Simulator:
    return Simulator(Flat(), HUMANOID)


@pytest.fixture
def posed(simulator: Simulator) -> Callable[[int], RobotModel]:
    """The robot in a random pose with random velocities, up to date after MuJoCo's kinematics."""

    def pose(seed: int) -> RobotModel:
        m, d = simulator.model, simulator.data
        rng = np.random.default_rng(seed)
        d.qpos[:3] = rng.uniform((-1.0, -1.0, 2.0), (1.0, 1.0, 4.0))
        d.qpos[3:7] = rng.normal(size=4)
        d.qpos[3:7] /= np.linalg.norm(d.qpos[3:7])
        low, high = m.jnt_range[1:].T
        d.qpos[7:] = rng.uniform(low, high)
        d.qvel[:] = rng.normal(size=m.nv)
        mujoco.mj_step1(m, d)
        return simulator.robot

    return pose
