"""The Python interface: what a script can ask for, and what it can see."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hmpc
from hmpc.errors import InputError, UnknownNameError


@pytest.fixture(scope="module")
def shared() -> hmpc.Simulation:
    return hmpc.make("stand", arms="bent", seed=1)


@pytest.fixture
def sim(shared: hmpc.Simulation) -> hmpc.Simulation:
    shared.reset(seed=1)
    return shared


def test_parameters_of_the_environment_are_keywords(sim: hmpc.Simulation) -> None:
    assert sim.session.environment.posture().arms == "bent"
    with pytest.raises(UnknownNameError, match="hand_load"):
        hmpc.make("stand", hand_lode=3.0)
    with pytest.raises(InputError, match="from 0 to 10 kg"):
        hmpc.make("stand", hand_load=30.0)


def test_a_command_says_the_whole_velocity_and_the_style_that_it_names(sim: hmpc.Simulation) -> None:
    sim.command(vx=0.3, body_height=0.9)
    asked = sim.command(vy=5.0)
    assert asked is sim.asked and asked.source == "Python"
    assert asked.command.velocity_H.tolist() == [0.0, 0.4] and asked.command.body_height == 0.9
    assert "sideways velocity 5 to 0.4" in asked.clipped


@pytest.mark.parametrize("wrong", [{"vx": math.nan}, {"speed": 1.0}, {"arms": "crossed"}, {"body_height": "low"}])
def test_a_command_that_makes_no_sense_is_refused(sim: hmpc.Simulation, wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        sim.command(**wrong)  # type: ignore[arg-type]
    assert sim.asked.source == "nobody"


def test_before_the_first_tick_there_is_nothing_but_a_state(sim: hmpc.Simulation) -> None:
    assert sim.time == 0.0 and sim.state.t == 0.0
    assert sim.plan is sim.footsteps is sim.forces is sim.torques is sim.fall is None


def test_a_standing_character_carries_its_weight(sim: hmpc.Simulation) -> None:
    assert sim.step(seconds=0.5)
    assert sim.time == pytest.approx(0.5)
    assert sim.forces is not None and sim.torques is not None
    weight = sim.session.simulator.robot.mass * 9.81
    assert sim.forces.force_W.sum(axis=0)[2] == pytest.approx(weight, rel=0.05)
    assert sim.summary().success and "stand at 0.50 s, seed 1" in repr(sim)


def test_the_same_seed_again_is_the_same_run_and_another_is_not(sim: hmpc.Simulation) -> None:
    hashes = []
    for seed in (3, 4, 3):
        sim.reset(seed=seed)
        sim.push(5.0, direction=math.pi / 2.0, after=0.02)
        sim.step(seconds=0.1)
        hashes.append(sim.summary().state_hash)
    assert hashes[0] == hashes[2] != hashes[1]
    assert sim.summary().seed == 3
    with pytest.raises(InputError, match="seed"):
        sim.reset(seed=-1)
    assert sim.session.seed == 3


def test_a_push_pushes_where_it_says(sim: hmpc.Simulation) -> None:
    sim.push(20.0, direction=math.pi / 2.0)
    sim.step(seconds=0.1)
    assert sim.state.body.vel_W[1] > 0.1 > abs(sim.state.body.vel_W[0])


def test_time_can_be_turned_back(sim: hmpc.Simulation) -> None:
    sim.step(seconds=0.05)
    snapshot = sim.save()
    sim.command(body_height=0.8)
    sim.step(seconds=0.05)
    sim.restore(snapshot)
    assert sim.time == pytest.approx(0.05) and sim.asked.command.body_height == 1.0


def test_tasks_are_those_that_make_sense_here(sim: hmpc.Simulation) -> None:
    assert "stand_up" in hmpc.make("chair").tasks and "stand_up" not in sim.tasks
    with pytest.raises(UnknownNameError, match="stand_up"):
        sim.task("fly")


@pytest.mark.sim
def test_a_commanded_character_walks_and_shows_its_plans() -> None:
    with hmpc.make("flat", seed=0, plan="lip") as sim:
        sim.command(vx=0.6)
        assert sim.step(seconds=4)
        assert sim.state.body.com_W[0] > 1.0 and sim.summary().steps >= 4
        assert sim.plan is not None and sim.footsteps is not None
        assert np.isfinite(sim.plan.com_W).all() and sim.plan.t[-1] > sim.time


@pytest.mark.sim
def test_a_fall_ends_the_steps_and_is_told() -> None:
    sim = hmpc.make("stand")
    sim.push(80.0)
    assert not sim.step(seconds=3)
    assert sim.fall is not None and sim.time < 3.0 and not sim.summary().success
