"""Exact torques: with them, the contact forces that were asked for move the feet as they should move."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from hmpc.params import WholeBodyParams
from hmpc.robot.humanoid import HUMANOID
from hmpc.robot.kernels import velocity_products
from hmpc.robot.model import RobotModel
from hmpc.sim.simulator import Simulator
from hmpc.types import ContactForces, ContactSet, LimbTarget, MotionTarget, RobotState, Status
from hmpc.wholebody.dynamics import ExactDynamics
from hmpc.wholebody.virtual_force import support_torques
from hmpc_envs.flat import Flat

UNDAMPED = replace(WholeBodyParams(), exact_damping=1e-6, ik_rate_damping=1e-6)


@pytest.fixture
def moving() -> tuple[RobotModel, RobotState]:
    """With bent knees, and every joint on its way."""
    simulator, rng = Simulator(Flat(), HUMANOID), np.random.default_rng(5)
    m, d = simulator.model, simulator.data
    for side in ("left", "right"):
        d.joint(f"{side}_knee").qpos = 0.7
        d.joint(f"{side}_hip_flexion").qpos = 0.4
    d.qvel[:] = rng.normal(size=m.nv)
    mujoco.mj_step1(m, d)
    return simulator.robot, simulator.observe()


def products(robot: RobotModel, state: RobotState, name: str) -> np.ndarray:
    limb, now = robot.limbs[name], state.limbs[name]
    rates = state.qvel[robot.dof[limb.chain.actuators]]
    start_W = robot.xpos[limb.chain.carrier]
    return velocity_products(robot.xaxis, robot.xanchor, limb.joints, start_W, now.p_W, np.array(now.omega_W), rates)


@pytest.mark.parametrize("name", ["left_foot", "right_hand"])
def test_velocity_products_are_mujocos(moving: tuple[RobotModel, RobotState], name: str) -> None:
    """Those of the pad less what the body that carries the limb does to it."""
    robot, state = moving
    m, d, limb = robot.model, robot.data, robot.limbs[name]
    J, carrier = np.zeros((6, m.nv)), np.zeros((6, m.nv))
    mujoco.mj_jacDot(m, d, J[:3], J[3:], d.site_xpos[limb.site], m.site_bodyid[limb.site])
    mujoco.mj_jacDot(m, d, carrier[:3], carrier[3:], d.xpos[limb.chain.carrier], limb.chain.carrier)
    linear, angular = (J - carrier)[:3] @ d.qvel, J[3:] @ d.qvel
    turning = carrier[3:] @ d.qvel  # the carrier's own, which `velocity_products` leaves to who knows its motion
    linear -= np.cross(turning, state.limbs[name].p_W - d.xpos[limb.chain.carrier])
    np.testing.assert_allclose(products(robot, state, name), [*linear, *(angular - turning)], atol=1e-9)


def test_asked_forces_move_the_feet_as_asked(moving: tuple[RobotModel, RobotState]) -> None:
    """Forward dynamics with these torques and forces: one foot stands still, the other one follows its path."""
    robot, state = moving
    stance, swinging, rng = "left_foot", "right_foot", np.random.default_rng(6)
    now = state.limbs[swinging]
    acc_W = np.array([3.0, 1.0, -2.0])
    path = LimbTarget(p_W=now.p_W, R_WL=now.R_WL, vel_W=now.vel_W, acc_W=acc_W, omega_W=np.zeros(3))
    target = MotionTarget(
        body=state.body,
        acc_W=np.zeros(3),
        support={stance: 1e3},
        swing={swinging: path},
        pose=robot.stand_pose,
        pose_velocity=np.zeros(robot.nu),
    )
    points_W = robot.corners_W(stance, state.limbs[stance])
    contacts = ContactSet(
        limb=(stance,) * 4,
        p_W=points_W,
        normal_W=np.tile([0.0, 0.0, 1.0], (4, 1)),
        mu=np.full(4, 0.8),
        bilateral=np.zeros(4, dtype=bool),
        max_force=np.full(4, np.inf),
    )
    forces = ContactForces(
        contacts=contacts,
        force_W=rng.normal((20.0, -10.0, 180.0), 20.0, size=(4, 3)),
        residual_W=np.zeros(6),
        status=Status.OK,
    )
    exact = ExactDynamics(robot, UNDAMPED).torques(state, target, forces, np.zeros(robot.nu))
    tau = exact + support_torques(robot, forces)

    m, d = robot.model, robot.data
    M, h = robot.dynamics()
    generalised = -h.copy()
    generalised[robot.dof] += tau
    foot = m.site_bodyid[robot.limbs[stance].site]
    for point_W, force_W in zip(points_W, forces.force_W, strict=True):
        mujoco.mj_applyFT(m, d, force_W, np.zeros(3), point_W, foot, generalised)
    acceleration = np.linalg.solve(M, generalised)
    for name, wanted in ((stance, np.zeros(3)), (swinging, path.acc_W)):
        J, J_dot = np.zeros((6, m.nv)), np.zeros((6, m.nv))
        site = robot.limbs[name].site
        mujoco.mj_jacSite(m, d, J[:3], J[3:], site)
        mujoco.mj_jacDot(m, d, J_dot[:3], J_dot[3:], d.site_xpos[site], m.site_bodyid[site])
        np.testing.assert_allclose(J @ acceleration + J_dot @ d.qvel, [*wanted, 0.0, 0.0, 0.0], atol=1e-6)
