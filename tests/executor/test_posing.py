"""From pose to pose on the ground."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hmpc.executor.posing import Posing
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc_envs.ground import Ground


def test_reaches_each_pose_at_rest_at_its_time_and_keeps_the_last_one() -> None:
    simulator = Simulator(Ground(pose="back"), HUMANOID)
    robot, state = simulator.robot, simulator.observe()
    motion = Posing(robot, state, (("leg raised", 0.5), ("prone", 1.0)))
    assert motion.end == pytest.approx(state.t + 1.5)
    for t, pose in ((0.5, "leg raised"), (1.5, "prone"), (9.0, "prone")):
        target = motion.update(replace(state, t=state.t + t))
        assert target.pose == pytest.approx(robot.named_pose(pose))
        assert target.pose_velocity == pytest.approx(0.0, abs=1e-9)
    assert motion.update(state).pose == pytest.approx(state.qpos[robot.qadr])


def test_moves_as_fast_as_its_angles_change_and_asks_no_limb_for_a_force() -> None:
    simulator = Simulator(Ground(pose="back"), HUMANOID)
    state = simulator.observe()
    motion, dt = Posing(simulator.robot, state, (("leg raised", 0.5), ("prone", 1.0))), 1e-5
    before, then = (motion.update(replace(state, t=state.t + 0.9 + step)) for step in (0.0, dt))
    assert (then.pose - before.pose) / dt == pytest.approx(before.pose_velocity, abs=1e-3)
    assert not then.support and not then.swing
