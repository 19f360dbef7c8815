"""The physics behind the controller: impulses, loads, limits, and continuing from a snapshot."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hmpc.errors import InputError, UnknownNameError
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.environment import Start
from hmpc.sim.simulator import Push, Simulator
from hmpc_envs.flat import Flat
from hmpc_envs.stand import Stand


class Void(Flat):
    """The ground far below: nothing touches anything."""

    def start(self) -> Start:
        return Start(position_W=np.array([0.0, 0.0, 50.0]), yaw=math.pi / 2)


def drift(simulator: Simulator, ticks: int) -> np.ndarray:
    """Momentum [N s] after so many ticks with the motors off."""
    for _ in range(ticks):
        state = simulator.observe()
        simulator.apply(np.zeros(simulator.robot.nu))
    state = simulator.observe()
    return simulator.robot.mass * state.body.vel_W + [0.0, 0.0, simulator.robot.mass * 9.81 * simulator.time]


@pytest.mark.parametrize("control_rate", [500.0, 130.0])
@pytest.mark.parametrize("duration", [0.1, 0.0131, 1e-4])
def test_a_push_gives_exactly_its_impulse_in_the_heading_frame(control_rate: float, duration: float) -> None:
    """The character faces +y, so a push to the left goes to -x; however short, the whole impulse arrives."""
    simulator = Simulator(Void(), HUMANOID, control_rate)
    simulator.push(Push(start=0.02, impulse=12.0, direction=math.pi / 2, duration=duration))
    np.testing.assert_allclose(drift(simulator, 80)[:2], [-12.0, 0.0], atol=2e-3)


def test_two_pushes_at_once_add_up() -> None:
    simulator = Simulator(Void(), HUMANOID)
    for direction in (0.0, 0.0, math.pi):
        simulator.push(Push(start=0.0, impulse=5.0, direction=direction))
    np.testing.assert_allclose(drift(simulator, 60)[:2], [0.0, 5.0], atol=2e-3)


@pytest.mark.parametrize("bad", [{"start": -1.0}, {"impulse": math.nan}, {"duration": 0.0}, {"direction": math.inf}])
def test_a_push_that_makes_no_sense_is_refused(bad: dict[str, float]) -> None:
    with pytest.raises(InputError, match="A push needs"):
        Push(**{"start": 0.0, "impulse": 1.0, "direction": 0.0, **bad})


def test_a_load_is_part_of_the_character() -> None:
    bare, loaded = Simulator(Stand(), HUMANOID), Simulator(Stand(hand_load=8.0), HUMANOID)
    assert loaded.robot.mass == pytest.approx(bare.robot.mass + 8.0)
    assert loaded.body_model.mass == pytest.approx(loaded.robot.mass)
    assert loaded.observe().body.com_W[1] < bare.observe().body.com_W[1] - 0.01  # to the right


def test_a_load_on_a_limb_that_does_not_exist_lists_the_limbs() -> None:
    class Third(Flat):
        def start(self) -> Start:
            return Start(loads={"third_hand": 1.0})

    with pytest.raises(UnknownNameError, match="left_hand"):
        Simulator(Third(), HUMANOID)


def test_motors_cannot_exceed_their_limits() -> None:
    simulator = Simulator(Void(), HUMANOID)
    simulator.observe()
    simulator.apply(np.full(simulator.robot.nu, 1e6))
    np.testing.assert_array_equal(simulator.data.ctrl, simulator.robot.torque_limit)


def test_physics_is_never_slower_than_500_hz() -> None:
    for rate, substeps in ((100.0, 5), (200.0, 3), (500.0, 1), (2000.0, 1)):
        simulator = Simulator(Flat(), HUMANOID, rate)
        assert simulator.substeps == substeps
        assert simulator.model.opt.timestep * substeps == pytest.approx(1.0 / rate)


@pytest.mark.parametrize("rate", [0.0, -500.0, math.nan, math.inf, 1e6])
def test_a_control_rate_that_makes_no_sense_is_refused(rate: float) -> None:
    with pytest.raises(InputError, match="control rate"):
        Simulator(Flat(), HUMANOID, rate)


def test_a_snapshot_continues_bit_by_bit_in_the_middle_of_a_push() -> None:
    simulator = Simulator(Stand(), HUMANOID)
    simulator.push(Push(start=0.05, impulse=10.0, direction=1.0))
    simulator.push(Push(start=0.12, impulse=10.0, direction=2.0))
    drift(simulator, 40)
    snapshot = simulator.save()
    drift(simulator, 60)
    expected = simulator.data.qpos.copy(), simulator.data.qvel.copy()
    simulator.restore(snapshot)
    drift(simulator, 60)
    np.testing.assert_array_equal(simulator.data.qpos, expected[0])
    np.testing.assert_array_equal(simulator.data.qvel, expected[1])


def test_reset_takes_everything_back() -> None:
    simulator = Simulator(Stand(), HUMANOID)
    first = simulator.observe()
    simulator.push(Push(start=0.0, impulse=50.0, direction=0.0))
    drift(simulator, 30)
    simulator.reset()
    np.testing.assert_array_equal(simulator.observe().qpos, first.qpos)
    assert not simulator.data.xfrc_applied.any()
