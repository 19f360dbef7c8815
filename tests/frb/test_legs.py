"""Hips from COM and ankles, and the seat below them."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.frb.legs import Legs, knee_lever, middle_of_hips, upper_com
from hmpc.frb.seat import pad_point, seat_force
from hmpc.geometry import rotation_zyx
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.types import BodyModel, RobotState
from hmpc_envs.chair import Chair

UP = (0.0, 0.0, 1.0)


@pytest.fixture(scope="module")
def seated() -> tuple[Simulator, RobotState]:
    simulator = Simulator(Chair(layout="none"), HUMANOID)
    return simulator, simulator.observe()


def hips_and_ankles(simulator: Simulator) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    robot = simulator.robot
    hips = np.mean([robot.limb_root(foot.spec.name) for foot in robot.feet()], axis=0)
    left, right = (robot.joint_anchor(foot.chain.actuators[-1]) for foot in robot.feet())
    return hips, (left, right)


def found_hips(body: BodyModel, state: RobotState, upper_com_B: np.ndarray, ankles: tuple) -> np.ndarray:
    left, right = (tuple(ankle.tolist()) for ankle in ankles)
    com = tuple(state.body.com_W.tolist())
    R = np.ascontiguousarray(state.body.R_WB)
    return np.array(middle_of_hips(com, R, left, right, com, Legs.of(body, upper_com_B)))


def test_hips_of_the_measured_posture_are_found_again(seated: tuple[Simulator, RobotState]) -> None:
    simulator, state = seated
    hips, ankles = hips_and_ankles(simulator)
    upper_com_B = upper_com(simulator.body_model, state.body, hips, ankles)
    assert found_hips(simulator.body_model, state, upper_com_B, ankles) == pytest.approx(hips, abs=1e-3)


def test_the_standing_model_finds_seated_hips_within_centimetres(seated: tuple[Simulator, RobotState]) -> None:
    simulator, state = seated
    hips, ankles = hips_and_ankles(simulator)
    leg = simulator.body_model.leg
    assert leg is not None
    found = found_hips(simulator.body_model, state, leg.upper_com_B, ankles)
    assert np.linalg.norm(found - hips) < 0.05  # the arms lie in the lap


def test_a_straight_leg_has_no_lever_at_the_knee(seated: tuple[Simulator, RobotState]) -> None:
    legs = Legs.of(seated[0].body_model, np.zeros(3))
    straight, folded = knee_lever(legs.thigh + legs.shank, legs)[1], knee_lever(0.5, legs)[1]
    assert straight < 0.03 < 0.3 < folded


def test_a_seat_pushes_but_never_pulls() -> None:
    resting = seat_force((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), UP, 500.0, 2e4, 1.5e3)
    risen = seat_force((0.0, 0.0, 0.1), (0.0, 0.0, 0.5), (0.0, 0.0, 0.5), UP, 500.0, 2e4, 1.5e3)
    assert resting == pytest.approx((0.0, 0.0, 500.0))
    assert risen == (0.0, 0.0, 0.0)


def test_who_leans_forward_rolls_over_the_front_edge(seated: tuple[Simulator, RobotState]) -> None:
    legs = Legs.of(seated[0].body_model, np.zeros(3))
    hips = (0.0, 0.0, 0.5)
    upright, leaning = (pad_point(hips, rotation_zyx(0.0, pitch, 0.0), legs) for pitch in (0.0, 0.5))
    assert upright[0] == pytest.approx(legs.seat_B[0])
    assert np.linalg.norm(leaning) > 0.0 and leaning[2] < upright[2] + 0.05
