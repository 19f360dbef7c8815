"""Standing, as a physical simulation: still, pushed, posed, on one foot, loaded, and with every solver."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hmpc.app.metrics import Summary
from hmpc.app.session import Session
from hmpc.geometry import heading, rotation_error
from hmpc.sim.simulator import Push

pytestmark = pytest.mark.sim

FORWARD, LEFT, BACKWARD, RIGHT = 0.0, 0.5 * math.pi, math.pi, -0.5 * math.pi


def stand(seconds: float, *pushes: Push, height: float = 1.0, **options: Any) -> tuple[Session, Summary]:
    parameters = {name: options.pop(name) for name in ("lift", "yaw", "pitch", "arms", "hand_load") if name in options}
    session = Session("stand", parameters=parameters, **options)
    session.command = replace(session.command, body_height=height)
    for push in pushes:
        session.push(push)
    return session, session.run(seconds)


def com_error(session: Session) -> float:
    """[m] of the COM from the middle of the feet that stand, at the commanded height."""
    feet = [limb for name, limb in session.state.limbs.items() if name.endswith("foot") and limb.touching]
    middle = np.mean([foot.p_W for foot in feet], axis=0)
    height = session.command.body_height * session.simulator.body_model.com_height
    return float(np.linalg.norm(session.state.body.com_W - middle - (0.0, 0.0, height)))


def test_it_stands_still_for_ten_seconds() -> None:
    session, summary = stand(10.0)
    assert summary.success and summary.seconds == pytest.approx(10.0)
    assert summary.com_drift < 0.02
    assert summary.foot_slip < 0.005
    assert summary.torque_saturation == 0.0
    weight = session.simulator.robot.mass * 9.81
    np.testing.assert_allclose(session.simulator.forces_W.sum(axis=0), [0.0, 0.0, weight], atol=0.005 * weight)
    assert summary.faults == summary.steps == summary.unplanned_contacts == 0
    assert com_error(session) < 0.02


@pytest.mark.parametrize(
    ("impulse", "direction"),
    [(25.0, FORWARD), (20.0, BACKWARD), (25.0, LEFT), (25.0, RIGHT)],
    ids=["forward", "backward", "left", "right"],
)
def test_it_takes_a_push_without_a_step(impulse: float, direction: float) -> None:
    session, summary = stand(5.0, Push(1.0, impulse, direction))
    assert summary.success
    for foot, y in (("left_foot", 0.09), ("right_foot", -0.09)):
        np.testing.assert_allclose(session.state.limbs[foot].p_W[:2], [0.0, y], atol=0.01)
    assert com_error(session) < 0.02
    assert session.state.body.R_WB[2, 2] > math.cos(math.radians(3.0))


@pytest.mark.parametrize("direction", [FORWARD, BACKWARD, LEFT, RIGHT], ids=["forward", "backward", "left", "right"])
def test_a_push_that_no_sole_can_hold_is_a_fall_and_never_a_success(direction: float) -> None:
    _, summary = stand(5.0, Push(1.0, 60.0, direction))
    assert summary.fell and not summary.success
    assert summary.fell_at is not None and 1.0 < summary.fell_at < 4.0
    assert summary.seconds < 4.1
    assert "fell" in summary.reason


@pytest.mark.parametrize("height", [0.75, 0.85, 1.0])
def test_it_squats(height: float) -> None:
    session, summary = stand(4.0, height=height)
    assert summary.success
    assert com_error(session) < 0.02
    assert session.state.body.R_WB[2, 2] > math.cos(math.radians(3.0))


@pytest.mark.parametrize("yaw", [-20.0, 20.0])
def test_it_turns_its_trunk(yaw: float) -> None:
    session, summary = stand(3.0, yaw=yaw)
    assert summary.success
    assert math.degrees(heading(session.state.body.R_WB)) == pytest.approx(yaw, abs=3.0)
    assert com_error(session) < 0.02


@pytest.mark.parametrize("pitch", [-15.0, 15.0])
def test_it_leans_its_trunk(pitch: float) -> None:
    session, summary = stand(4.0, pitch=pitch)
    assert summary.success
    R_WB = session.state.body.R_WB
    assert math.degrees(math.atan2(R_WB[0, 2], R_WB[2, 2])) == pytest.approx(pitch, abs=3.0)
    assert com_error(session) < 0.02


@pytest.mark.parametrize("arms", ["forward", "sideways", "bent"])
def test_it_poses_its_arms(arms: str) -> None:
    session, summary = stand(3.0, arms=arms)
    assert summary.success
    motors, angles = session.simulator.robot.arm_pose(arms)
    actual = session.state.qpos[session.simulator.robot.qadr[motors]]
    np.testing.assert_allclose(np.degrees(actual), np.degrees(angles), atol=3.0)
    assert com_error(session) < 0.02


@pytest.mark.parametrize("load", [0.0, 10.0], ids=["bare", "10 kg"])
@pytest.mark.parametrize("foot", ["left", "right"])
def test_it_stands_on_one_foot_for_five_seconds(foot: str, load: float) -> None:
    session, summary = stand(8.0, lift=foot, hand_load=load)
    assert summary.success
    lifted, standing = f"{foot}_foot", "right_foot" if foot == "left" else "left_foot"
    limbs = session.state.limbs
    assert limbs[lifted].p_W[2] == pytest.approx(0.15, abs=0.02)
    assert not limbs[lifted].touching and limbs[standing].touching
    assert com_error(session) < 0.02
    assert summary.foot_slip < 0.005
    assert summary.com_drift < 0.02  # from 3 s on, when it stands on one foot, to 8 s


def test_a_lifted_foot_comes_down_again() -> None:
    session, _ = stand(4.0, lift="left")
    session.command = replace(session.command, posture=replace(session.command.posture, lifted_foot=None))
    summary = session.run(3.0)
    assert summary.success
    assert session.state.limbs["left_foot"].touching
    assert com_error(session) < 0.02


@pytest.mark.parametrize("qp", ["osqp", "daqp", "quadprog"])
def test_it_stands_with_every_solver_of_the_contact_forces(qp: str) -> None:
    session, summary = stand(2.0, Push(0.5, 10.0, FORWARD), qp=qp)
    assert summary.success and summary.faults == 0
    assert com_error(session) < 0.02


def test_it_stands_with_explicit_pd_at_a_high_rate() -> None:
    session, summary = stand(2.0, pd="explicit", control_rate=2000.0)
    assert summary.success and summary.torque_saturation == 0.0
    assert com_error(session) < 0.02


def test_it_stands_with_implicit_pd_at_a_low_rate() -> None:
    session, summary = stand(4.0, control_rate=200.0)
    assert summary.success and summary.torque_saturation == 0.0
    assert com_error(session) < 0.02


def test_it_tracks_the_trunk_while_everything_moves() -> None:
    """A turn, a lean, a squat and an arm pose, one after the other."""
    session, _ = stand(0.5)
    for yaw, pitch, height, arms in ((20, 0, 0.9, "forward"), (-20, 15, 0.8, "sideways"), (0, -10, 1.0, "bent")):
        posture = replace(
            session.command.posture, trunk_yaw=math.radians(yaw), trunk_pitch=math.radians(pitch), arms=arms
        )
        session.command = replace(session.command, body_height=height, posture=posture)
        assert session.run(3.0).success
        error = rotation_error(session.stack.target.body.R_WB, session.state.body.R_WB)
        assert np.degrees(np.linalg.norm(error)) < 3.0
        assert com_error(session) < 0.02
