"""Jacobian-transpose control: torques that make a limb push as planned."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.types import ContactForces, ContactSet, Status
from hmpc.wholebody.virtual_force import support_torques, swing_torques
from hmpc_envs.flat import Flat


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    return Simulator(Flat(), HUMANOID)


def forces_at(points: np.ndarray, forces: np.ndarray, limb: str) -> ContactForces:
    n = len(points)
    contacts = ContactSet(
        limb=(limb,) * n,
        p_W=points,
        normal_W=np.tile([0.0, 0.0, 1.0], (n, 1)),
        mu=np.full(n, 0.8),
        bilateral=np.zeros(n, dtype=bool),
        max_force=np.full(n, np.inf),
    )
    return ContactForces(contacts=contacts, force_W=forces, residual_W=np.zeros(6), status=Status.OK)


def test_a_force_through_the_ankle_needs_no_ankle_torque(simulator: Simulator) -> None:
    simulator.reset()
    robot = simulator.robot
    knee = robot.joint_names.index("left_knee")
    ankle = robot.joint_names.index("left_ankle_dorsiflexion")
    p = robot.data.xanchor[robot.joint[ankle]] - (0.0, 0.0, 0.07)
    tau = support_torques(robot, forces_at(p[None], np.array([[0.0, 0.0, 300.0]]), "left_foot"))
    assert tau[ankle] == pytest.approx(0.0, abs=1e-9)
    assert abs(tau[knee]) > 1.0


def test_pushing_up_on_a_foot_extends_the_knee(simulator: Simulator) -> None:
    """The ground pushes up, so the knee (flexion positive) has to extend: a negative torque."""
    simulator.reset()
    robot = simulator.robot
    state = simulator.observe()
    tau = support_torques(robot, forces_at(state.limbs["left_foot"].p_W[None], np.array([[0, 0, 300.0]]), "left_foot"))
    assert tau[robot.joint_names.index("left_knee")] < -1.0
    assert not tau[[robot.joint_names.index(name) for name in ("right_knee", "left_elbow", "neck_yaw")]].any()


def test_no_contact_no_torque(simulator: Simulator) -> None:
    empty = forces_at(np.empty((0, 3)), np.empty((0, 3)), "left_foot")
    assert not support_torques(simulator.robot, empty).any()


def test_the_swing_spring_pulls_along_the_error(simulator: Simulator) -> None:
    """Torques do positive work on a motion towards the target and vanish at it."""
    simulator.reset()
    simulator.observe()
    error, at_rest = np.array([0.05, 0.02, 0.03]), np.zeros(3)
    J = simulator.robot.limb_jacobian("left_foot")
    tau = swing_torques(J, error, at_rest, 800.0, 80.0)
    qd = np.linalg.pinv(J[:3]) @ error
    assert tau @ qd == pytest.approx(800.0 * error @ error, rel=1e-6)
    assert not swing_torques(J, np.zeros(3), at_rest, 800.0, 80.0).any()
