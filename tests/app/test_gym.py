"""Gymnasium environments: registered by importing hmpc, and what gymnasium's own checker asks for."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

import hmpc
from hmpc.app.gym import HumanoidEnv, Timing
from hmpc.app.gym_hook import EPISODE
from hmpc.errors import UnknownNameError
from hmpc.registry import ENVIRONMENTS, names

ROOT = Path(__file__).parents[2]


def test_every_environment_is_registered() -> None:
    registered = {name for name in gymnasium.registry if name.startswith("hmpc/")}
    assert registered >= {"hmpc/Flat-v0", "hmpc/Stand-v0", "hmpc/Stairs-v0"}
    assert len(registered) == len(names(ENVIRONMENTS))


@pytest.mark.parametrize(
    "order", ["import hmpc, gymnasium", "import gymnasium, hmpc", "import hmpc.app.gym, gymnasium"]
)
def test_the_order_of_imports_does_not_matter(order: str) -> None:
    script = f"{order}\nprint('hmpc/Flat-v0' in gymnasium.registry)"
    path = f"{ROOT}:{ROOT / 'envs'}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONPATH": path}
    )
    assert done.stdout.split() == ["True"]


def test_importing_hmpc_alone_does_not_import_gymnasium() -> None:
    script = "import sys, hmpc\nprint([m for m in ('gymnasium', 'numpy', 'mujoco') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["[]"]


def test_gymnasium_finds_nothing_to_complain_about() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(minimum|maximum) value is -?infinity")  # of the observation
        warnings.filterwarnings("ignore", message=".*symmetric and normalized")  # actions are in m/s and rad/s
        check_env(gymnasium.make("hmpc/Stand-v0").unwrapped)


def test_actions_are_what_the_robot_can_do_and_observations_are_finite() -> None:
    env = gymnasium.make("hmpc/Stand-v0", arms="bent")
    limits = hmpc.find_robot("humanoid").limits
    assert isinstance(env.action_space, gymnasium.spaces.Box)
    np.testing.assert_allclose(env.action_space.high, [limits.forward[1], limits.sideways, limits.yaw_rate])
    env.reset(seed=0)
    observation, _, terminated, truncated, info = env.step(np.zeros(3, np.float32))
    assert np.isfinite(observation).all() and not (terminated or truncated)
    gravity_B, height = observation[6:9], observation[9]
    np.testing.assert_allclose(gravity_B, [0.0, 0.0, -1.0], atol=0.1)
    assert 0.8 < height < 1.1
    assert info["time"] == pytest.approx(0.1) and info["timing"].tick_us > 0.0


def test_how_long_a_step_took_is_no_part_of_its_outcome() -> None:
    assert Timing(1.0, 2.0, 3.0) == Timing(4.0, 5.0, 6.0)


def test_a_vector_of_two_gives_two_runs_that_its_seeds_repeat() -> None:
    envs = SyncVectorEnv([lambda: gymnasium.make("hmpc/Stand-v0")] * 2)
    seen = []
    for _ in range(2):
        envs.reset(seed=[1, 2])
        observation, reward, terminated, _, info = envs.step(np.zeros((2, 3), np.float32))
        assert observation.shape[0] == 2 and reward.shape == (2,) and not terminated.any()
        assert len(info["timing"]) == 2
        seen.append(observation)
    assert (seen[0] == seen[1]).all() and (seen[0][0] != seen[0][1]).any()
    envs.close()


def test_time_truncates() -> None:
    env = gymnasium.make("hmpc/Stand-v0", max_episode_steps=2)
    env.reset(seed=0)
    assert [env.step(np.zeros(3, np.float32))[2:4] for _ in range(2)] == [(False, False), (False, True)]
    spec = gymnasium.spec("hmpc/Stand-v0")
    assert spec.max_episode_steps == round(EPISODE / 0.1)


def test_a_fall_terminates_and_costs() -> None:
    env = gymnasium.make("hmpc/Stand-v0")
    env.reset(seed=0)
    inner = env.unwrapped
    assert isinstance(inner, HumanoidEnv)
    inner.sim.push(300.0)
    for _ in range(20):
        _, reward, terminated, _, info = env.step(np.zeros(3, np.float32))
        if terminated:
            break
    assert terminated and reward < -0.5 and not info["success"] and "fell" in info["reason"]


def test_the_character_can_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "MUJOCO_GL"):
        monkeypatch.delenv(name, raising=False)
    env = gymnasium.make("hmpc/Stand-v0", render_mode="rgb_array")
    env.reset(seed=0)
    first: Any = env.render()
    for _ in range(3):
        env.step(np.zeros(3, np.float32))
    later: Any = env.render()
    env.close()
    assert first.shape == (352, 480, 3) and first.dtype == np.uint8 and first.std() > 10.0
    assert (first != later).any()


def test_another_render_mode_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="rgb_array"):
        HumanoidEnv("stand", render_mode="hologram")
    assert HumanoidEnv("stand").render() is None


@pytest.mark.sim
def test_walking_forward_is_rewarded_by_the_way_that_is_covered() -> None:
    env = gymnasium.make("hmpc/Flat-v0", plan="lip")
    env.reset(seed=0)
    inner = env.unwrapped
    assert isinstance(inner, HumanoidEnv)
    start = inner.sim.state.body.com_W[0]
    rewards = [float(env.step(np.array([0.6, 0.0, 0.0], np.float32))[1]) for _ in range(30)]
    assert sum(rewards) == pytest.approx(inner.sim.state.body.com_W[0] - start) and sum(rewards) > 0.5
