"""Forward and inverse kinematics of the limbs, against MuJoCo's own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hmpc.geometry import rotation_error
from hmpc.robot.model import RobotModel
from hmpc.sim.simulator import Simulator

LIMBS = ["left_foot", "right_foot", "left_hand", "right_hand"]


@pytest.mark.parametrize("name", LIMBS)
@pytest.mark.parametrize("seed", range(3))
def test_forward_kinematics_agrees_with_mujoco(posed: Callable[[int], RobotModel], name: str, seed: int) -> None:
    robot = posed(seed)
    limb = robot.limbs[name]
    p_WC, R_WC = robot.carrier_pose(name)
    p, R, _ = limb.chain.forward(robot.data.qpos[robot.qadr[limb.chain.actuators]])
    np.testing.assert_allclose(p_WC + R_WC @ p, robot.data.site_xpos[limb.site], atol=1e-12)
    np.testing.assert_allclose(R_WC @ R, robot.data.site_xmat[limb.site].reshape(3, 3), atol=1e-12)


@pytest.mark.parametrize("name", LIMBS)
def test_jacobian_is_the_derivative_of_forward_kinematics(simulator: Simulator, name: str) -> None:
    chain = simulator.robot.limbs[name].chain
    q = 0.5 * (chain.low + chain.high) + 0.2
    p, R, J = chain.forward(q)
    step = 1e-6
    for k in range(len(q)):
        moved = q.copy()
        moved[k] += step
        p_moved, R_moved, _ = chain.forward(moved)
        np.testing.assert_allclose(J[:3, k], (p_moved - p) / step, atol=1e-5)
        np.testing.assert_allclose(J[3:, k], rotation_error(R_moved, R) / step, atol=1e-5)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(LIMBS), seed=st.integers(0, 10_000))
def test_inverse_kinematics_finds_reachable_poses(simulator: Simulator, name: str, seed: int) -> None:
    """Whatever forward kinematics made within comfortable angles is found again from nearby."""
    chain = simulator.robot.limbs[name].chain
    rng = np.random.default_rng(seed)
    middle, half = 0.5 * (chain.low + chain.high), 0.5 * (chain.high - chain.low)
    q = middle + 0.5 * half * rng.uniform(-1.0, 1.0, len(middle))
    p, R, _ = chain.forward(q)
    start = np.clip(q + rng.uniform(-0.2, 0.2, len(q)), chain.low, chain.high)
    found = chain.inverse(p, R, start, start, iterations=40)
    p_found, R_found, _ = chain.forward(found)
    np.testing.assert_allclose(p_found, p, atol=2e-3)
    assert np.linalg.norm(rotation_error(R, R_found)) < 0.02


@pytest.mark.parametrize(("forward", "down"), [(0.0, 0.1), (0.0, 0.5), (0.5, 0.0), (0.4, 0.1)])
def test_a_leg_points_straight_at_a_target_out_of_reach(simulator: Simulator, forward: float, down: float) -> None:
    """The knee stops at its limit without dragging the hip along: nearly as close as the leg's length allows."""
    robot = simulator.robot
    chain = robot.limbs["left_foot"].chain
    q = robot.stand_pose[chain.actuators]
    p, R, _ = chain.forward(q)
    far = p + np.array([forward, 0.0, -down])
    found = chain.inverse(far, R, q, q)
    assert (found >= chain.low).all() and (found <= chain.high).all()
    ankle = far - np.array([0.0625, 0.0, -0.075])  # the sole's middle from the ankle, flat foot
    missing = np.linalg.norm(ankle - chain.geometry[0][0]) - 0.860  # thigh and shank
    assert np.linalg.norm(far - chain.forward(found)[0]) < missing + 0.03


def test_an_open_elbow_is_decided_by_the_rest_pose(simulator: Simulator) -> None:
    """Seven joints, six constraints: the same hand pose with two elbow heights."""
    chain = simulator.robot.limbs["left_hand"].chain
    q = 0.5 * (chain.low + chain.high)
    p, R, _ = chain.forward(q)
    other = q.copy()
    other[1] += 1.0
    low = chain.inverse(p, R, q, q, iterations=200, damping=0.2)
    high = chain.inverse(p, R, q, other, iterations=200, damping=0.2)
    for found in (low, high):
        np.testing.assert_allclose(chain.forward(found)[0], p, atol=0.01)
    assert high[1] > low[1] + 0.02
