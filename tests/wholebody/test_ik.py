"""Joint targets of a limb in the air: the compiled formula against the plain one."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.geometry import rotation_exp
from hmpc.params import WholeBodyParams
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.types import LimbTarget, MotionTarget
from hmpc.wholebody.ik import joint_motion
from hmpc_envs.flat import Flat


@pytest.mark.parametrize("name", ["left_foot", "right_hand"])
def test_rates_and_angles_of_a_limb_are_those_of_damped_least_squares(name: str) -> None:
    simulator, params, rng = Simulator(Flat(), HUMANOID), WholeBodyParams(), np.random.default_rng(3)
    simulator.data.qvel[:] = rng.normal(size=simulator.model.nv)
    robot, state = simulator.robot, simulator.observe()
    chain, now = robot.limbs[name].chain, state.limbs[name]
    target = LimbTarget(
        p_W=now.p_W + 0.02 * rng.normal(size=3),
        R_WL=rotation_exp(0.1 * rng.normal(size=3)) @ now.R_WL,
        vel_W=rng.normal(size=3),
        acc_W=rng.normal(size=3),
        omega_W=rng.normal(size=3),
    )
    acc_W, pose, velocity = rng.normal(size=3), robot.stand_pose, rng.normal(size=robot.nu)
    stance = "right_foot"
    wanted = MotionTarget(
        body=state.body, acc_W=acc_W, support={stance: 1e3}, swing={name: target}, pose=pose, pose_velocity=velocity
    )
    motion = joint_motion(robot, state, wanted, params)
    q, qd, qdd, tau = motion[:, chain.actuators]

    J = robot.limb_jacobian(name)
    inverse = np.linalg.solve(J.T @ J + params.ik_rate_damping**2 * np.eye(J.shape[1]), J.T)
    own = J @ state.qvel[robot.dof[chain.actuators]]
    twist = np.concatenate([target.vel_W - now.vel_W, target.omega_W - now.omega_W]) + own
    np.testing.assert_allclose(qd, inverse @ twist, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(qdd, inverse[:, :3] @ (target.acc_W - acc_W), rtol=1e-9, atol=1e-9)
    p_WC, R_WC = robot.carrier_pose(name)
    expected = chain.inverse(
        R_WC.T @ (target.p_W - p_WC),
        R_WC.T @ target.R_WL,
        state.qpos[robot.qadr[chain.actuators]],
        pose[chain.actuators],
        rotation_weight=params.ik_rotation_weight,
        damping=params.ik_damping,
        iterations=params.ik_iterations,
    )
    np.testing.assert_allclose(q, expected, atol=1e-9)
    pull_W = params.swing_kp * (target.p_W - now.p_W) + params.swing_kd * (target.vel_W - now.vel_W)
    np.testing.assert_allclose(tau, J[:3].T @ pull_W, rtol=1e-9, atol=1e-9)

    J, motors = robot.limb_jacobian(stance), robot.limbs[stance].chain.actuators
    inverse = np.linalg.solve(J.T @ J + params.ik_rate_damping**2 * np.eye(J.shape[1]), J.T)
    np.testing.assert_allclose(motion[2, motors], inverse[:, :3] @ -acc_W, rtol=1e-9, atol=1e-9)
    others = np.delete(np.arange(robot.nu), chain.actuators)
    np.testing.assert_array_equal(motion[:2, others], np.array([pose, velocity])[:, others])
