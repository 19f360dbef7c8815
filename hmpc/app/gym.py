"""Gymnasium environments: the character as something that learns or plans velocity commands can drive.

Importing hmpc registers one for every environment that is installed, as `hmpc/Flat-v0`, `hmpc/Stairs-v0`, ...
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from hmpc.app.gym_hook import ACTION_PERIOD
from hmpc.app.records.frames import Frame
from hmpc.app.records.video import LEVELS, Painter
from hmpc.app.simulation import make
from hmpc.errors import InputError, UnknownNameError
from hmpc.geometry import heading, rotation_z

if TYPE_CHECKING:
    import mujoco

    from hmpc.app.session import Session

_FALL_REWARD = -1.0  # [m] what a fall costs: a metre of progress
_SEEDS = 2**31

Observation = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class Timing:
    """How long things took on this machine. It is no part of what happened: two of them are always equal."""

    tick_us: float = field(compare=False)  # [us] mean tick of the controller with planning and physics
    slowest_tick_us: float = field(compare=False)  # [us] usually one in which a plan was made
    real_time_factor: float = field(compare=False)  # simulated seconds per second


class Stopwatch:
    """Watches the ticks of one step."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._ticks: list[float] = []

    def __call__(self, session: Session) -> None:
        if session.latest:
            self._ticks.append(session.latest.seconds)

    def timing(self) -> Timing:
        """What was measured."""
        ticks = 1e6 * np.array(self._ticks or [0.0])
        return Timing(float(ticks.mean()), float(ticks.max()), ACTION_PERIOD / (time.perf_counter() - self._began))


class HumanoidEnv(gymnasium.Env[Observation, Observation]):
    """Velocity commands in, the state of the body out.

    Action: `Box(vx, vy, yaw_rate)` [m/s, rad/s] in the heading frame, within the robot's limits; it holds for 0.1 s.
    Observation, in the heading frame: COM velocity (3) [m/s], angular velocity of the body (3) [rad/s], direction of
    gravity in the body (3), height of the COM above the lowest foot (1) [m], joint angles [rad] and velocities
    [rad/s], which limbs touch something, the command in force (3).
    Reward: progress of the COM along x [m]; a fall costs one.
    A fall terminates, time truncates. `info` has the time, the verdict of the environment and a `Timing`.
    `render_mode="rgb_array"` draws the character, with a camera that follows it.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (gymnasium's own way to declare it)
        "render_modes": ["rgb_array"],
        "render_fps": round(1.0 / ACTION_PERIOD),
    }

    def __init__(self, environment: str, render_mode: str | None = None, **options: Any):
        """`options` are those of `hmpc.make`, the environment's parameters among them."""
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UnknownNameError("render mode", str(render_mode), self.metadata["render_modes"])
        self.sim = make(environment, **options)
        self.render_mode = render_mode
        self._painter: Painter | None = None
        limits = self.sim.session.robot.limits
        low = (limits.forward[0], -limits.sideways, -limits.yaw_rate)
        high = (limits.forward[1], limits.sideways, limits.yaw_rate)
        self.action_space = spaces.Box(np.array(low, np.float32), np.array(high, np.float32))
        self.observation_space = spaces.Box(-np.inf, np.inf, self._observation().shape, np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Back to the start; the seed chooses the small disturbance at the start and the planners' random numbers."""
        super().reset(seed=seed)
        self.sim.reset(int(self.np_random.integers(_SEEDS)))
        return self._observation(), {"time": 0.0}

    def step(self, action: Observation) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Follow the velocity command for `ACTION_PERIOD`."""
        sim, ticks = self.sim, Stopwatch()
        vx, vy, yaw_rate = (float(value) for value in action)
        sim.command(vx=vx, vy=vy, yaw_rate=yaw_rate)
        start = sim.state.body.com_W[0]
        upright = sim.step(ACTION_PERIOD, ticks)
        reward = float(sim.state.body.com_W[0] - start) + (0.0 if upright else _FALL_REWARD)
        summary = sim.summary()
        info = {"time": sim.time, "success": summary.success, "reason": summary.reason, "timing": ticks.timing()}
        return self._observation(), reward, not upright, False, info

    def render(self) -> Any:
        """The character now as (height, width, 3) colours, if `render_mode` is "rgb_array"."""
        if self.render_mode is None:
            return None
        if self._painter is None:
            self._painter = _painter(self.sim.session.simulator.model)
        state = self.sim.state
        return self._painter.paint(Frame({"qpos": state.qpos, "com_W": state.body.com_W}, None))

    def close(self) -> None:
        if self._painter is not None:
            self._painter.close()
        self._painter = None
        self.sim.close()

    def _observation(self) -> Observation:
        state, command = self.sim.state, self.sim.asked.command
        body = state.body
        into_H = rotation_z(heading(body.R_WB)).T
        ground = min(limb.p_W[2] for limb in state.limbs.values())
        robot = self.sim.session.simulator.robot
        parts = (
            into_H @ body.vel_W,
            into_H @ body.omega_W,
            -body.R_WB[2],
            [body.com_W[2] - ground],
            state.qpos[robot.qadr],
            state.qvel[robot.dof],
            [float(limb.touching) for limb in state.limbs.values()],
            command.velocity_H,
            [command.yaw_rate],
        )
        return np.concatenate(parts).astype(np.float32)


def _painter(model: mujoco.MjModel) -> Painter:
    try:
        return Painter(model, LEVELS["low"]._replace(rate=1.0 / ACTION_PERIOD))
    except Exception as error:  # whatever the graphics driver has to say
        raise InputError(f"Nothing can be drawn here: {error} `hmpc doctor` says more.") from error
