"""RobotModel turns MuJoCo's conventions into the house's; MuJoCo itself is the reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from hmpc.errors import SpecError, UnknownNameError
from hmpc.robot.humanoid import HUMANOID
from hmpc.robot.inertia import scale_gains_to_loads
from hmpc.robot.model import RobotModel
from hmpc.robot.spec import RobotSpec
from hmpc.sim.simulator import Simulator
from hmpc.types import RobotState
from hmpc_envs.flat import Flat

Posed = Callable[[int], RobotModel]


def site_jacobian(robot: RobotModel, limb: str) -> np.ndarray:
    J = np.zeros((6, robot.model.nv))
    mujoco.mj_jacSite(robot.model, robot.data, J[:3], J[3:], robot.limbs[limb].site)
    return J


def observed(robot: RobotModel) -> RobotState:
    n = len(robot.limbs)
    return robot.observe([False] * n, np.zeros((n, 3)), np.zeros((n, 3)))


@pytest.mark.parametrize("limb", ["left_foot", "right_hand"])
def test_limb_jacobian_agrees_with_mujoco(posed: Posed, limb: str) -> None:
    robot = posed(1)
    motors = robot.limbs[limb].chain.actuators
    np.testing.assert_allclose(robot.limb_jacobian(limb), site_jacobian(robot, limb)[:, robot.dof[motors]], atol=1e-12)


@pytest.mark.parametrize("limb", ["left_foot", "right_foot", "left_hand", "right_hand"])
def test_pad_velocity_is_the_jacobian_times_joint_velocity(posed: Posed, limb: str) -> None:
    robot = posed(2)
    state = observed(robot).limbs[limb]
    twist = site_jacobian(robot, limb) @ robot.data.qvel
    np.testing.assert_allclose(np.concatenate([state.vel_W, state.omega_W]), twist, atol=1e-10)


def test_com_velocity_is_the_derivative_of_the_com(posed: Posed) -> None:
    robot = posed(3)
    m, d = robot.model, robot.data
    state = observed(robot)
    ahead, step = d.qpos.copy(), 1e-6
    mujoco.mj_integratePos(m, ahead, d.qvel, step)
    later = mujoco.MjData(m)
    later.qpos[:] = ahead
    mujoco.mj_kinematics(m, later)
    mujoco.mj_comPos(m, later)
    velocity = (later.subtree_com[robot.root] - state.body.com_W) / step
    np.testing.assert_allclose(state.body.vel_W, velocity, atol=1e-4)


def test_the_body_turns_with_the_trunk_when_the_spine_is_straight(posed: Posed) -> None:
    robot = posed(4)
    d = robot.data
    d.qpos[robot.qadr] = 0.0
    d.qvel[robot.dof] = 0.0
    mujoco.mj_step1(robot.model, d)
    body = observed(robot).body
    R_root = d.xmat[robot.root].reshape(3, 3)
    np.testing.assert_allclose(body.R_WB, R_root, atol=1e-12)
    np.testing.assert_allclose(body.omega_W, R_root @ d.qvel[3:6], atol=1e-12)


def test_force_torques_are_the_transposed_jacobian(posed: Posed) -> None:
    robot = posed(5)
    rng = np.random.default_rng(5)
    limbs = ("left_foot", "left_foot", "right_hand")
    offsets, forces = 0.1 * rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    pads = np.array([robot.data.site_xpos[robot.limbs[name].site] for name in limbs])
    expected = np.zeros(robot.model.nv)
    for name, r, f in zip(limbs, offsets, forces, strict=True):
        expected += site_jacobian(robot, name).T @ np.concatenate([f, np.cross(r, f)])
    np.testing.assert_allclose(robot.force_torques(limbs, pads + offsets, forces), expected[robot.dof], atol=1e-10)


def test_gravity_torques_hold_the_weight(posed: Posed) -> None:
    """At rest, inverse dynamics needs nothing in the joints but what carries the segments."""
    robot = posed(6)
    m, d = robot.model, robot.data
    d.qvel[:] = 0.0
    mujoco.mj_forward(m, d)
    force = np.zeros(m.nv)
    d.qacc[:] = 0.0
    mujoco.mj_rne(m, d, 0, force)
    gravity, inertia, moment_W = robot.inverse_dynamics(np.zeros(3), np.zeros(robot.nu))
    np.testing.assert_allclose(gravity, force[robot.dof], atol=1e-9)
    np.testing.assert_allclose(inertia, 0.0, atol=1e-9)
    np.testing.assert_allclose(moment_W, 0.0, atol=1e-9)  # the weight acts at the COM


def test_joint_mobility_is_symmetric_and_positive(posed: Posed) -> None:
    robot = posed(7)
    for mobility, group in zip(robot.joint_mobility(), robot.joint_groups, strict=True):
        n = group[3]
        np.testing.assert_allclose(mobility, mobility.T, rtol=1e-9)
        assert np.linalg.eigvalsh(mobility[:n, :n]).min() > 0.0


def test_a_lighter_forearm_is_more_mobile_than_a_thigh(simulator: Simulator) -> None:
    robot = simulator.robot
    simulator.reset()
    mobility = {
        robot.joint_names[group[4]]: m[0, 0]
        for m, group in zip(robot.joint_mobility(), robot.joint_groups, strict=True)
    }
    assert mobility["left_elbow"] > 3.0 * mobility["left_hip_flexion"]


def test_the_body_model_weighs_what_the_character_weighs(simulator: Simulator) -> None:
    body = simulator.body_model
    assert body.mass == pytest.approx(70.0, abs=0.01)
    assert 0.9 < body.com_height < 1.05
    assert np.linalg.eigvalsh(body.inertia_B).min() > 0.5
    np.testing.assert_allclose(body.inertia_B, body.inertia_B.T, atol=1e-12)


def test_a_load_scales_the_gains_of_the_arm_that_carries_it() -> None:
    robot = Simulator(Flat(), HUMANOID).robot
    kp = dict(zip(robot.joint_names, robot.kp.copy(), strict=True))
    scale_gains_to_loads(robot, [robot.model.body("right_hand").id])  # as if the hand itself had been put there
    ratio = {name: after / kp[name] for name, after in zip(robot.joint_names, robot.kp, strict=True)}
    assert ratio["right_shoulder_flexion"] > 1.1
    assert ratio["left_shoulder_flexion"] == ratio["left_knee"] == 1.0


BROKEN = {
    "limb site": (lambda s: replace(s, limbs=(replace(s.limbs[0], site="left_fot"),)), "Did you mean 'left_foot'"),
    "limb geom": (lambda s: replace(s, limbs=(replace(s.limbs[0], geoms=("sole",)),)), "left_sole"),
    "body frame": (lambda s: replace(s, body_frame=("hips",)), "pelvis"),
    "limb order": (
        lambda s: replace(s, limbs=(replace(s.limbs[0], root_body="right_thigh"),)),
        "'left_foot' is not beyond 'right_thigh'",
    ),
    "pose": (lambda s: replace(s, stand={"left_kne": 0.1}), "Did you mean 'left_knee'"),
    "gains": (lambda s: replace(s, gains={"knee": s.gains["knee"]}), "no gains for joint 'left_hip_flexion'"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_description_that_does_not_fit_says_what_exists(simulator: Simulator, name: str) -> None:
    breaking: Callable[[RobotSpec], RobotSpec]
    breaking, message = BROKEN[name]
    with pytest.raises(SpecError, match=message):
        RobotModel(breaking(HUMANOID), simulator.model, simulator.data)


def test_an_unknown_pose_lists_the_known_ones(simulator: Simulator) -> None:
    with pytest.raises(UnknownNameError, match=r"Available: .*crouch, .*kneel, .*prone, .*sit, stand, supine"):
        simulator.robot.named_pose("handstand")
    with pytest.raises(UnknownNameError, match="Available: bent, forward, lap, rest, sideways"):
        simulator.robot.arm_pose("crossed")
