"""Hierarchical model-predictive control for physically simulated humanoids.

    sim = hmpc.make("flat", seed=0)
    sim.command(vx=0.6)
    sim.step(seconds=5)
    print(sim.summary().reason)

A command goes in at the top, torques come out at the bottom: Command -> footsteps -> frb ->
executor -> forces -> wholebody -> Torques -> MuJoCo.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hmpc.app.gym_hook import register_with_gymnasium
from hmpc.errors import HmpcError, InputError, SimulationError
from hmpc.params import Params

if TYPE_CHECKING:
    from hmpc.app.metrics import Summary
    from hmpc.app.session import Session
    from hmpc.app.simulation import Simulation, make
    from hmpc.registry import find_robot, list_environments, list_robots, make_environment
    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import BaseEnvironment, Environment
    from hmpc.sim.simulator import Push, Simulator
    from hmpc.stack import Stack
    from hmpc.types import Command, Posture

# What needs numpy, MuJoCo or compiled kernels is imported when it is first asked for: `hmpc --help` answers at once,
# and the command can still choose the number of BLAS threads.
_HOMES = {
    "Command": "hmpc.types",
    "Posture": "hmpc.types",
    "Environment": "hmpc.sim.environment",
    "BaseEnvironment": "hmpc.sim.environment",
    "RobotSpec": "hmpc.robot.spec",
    "list_environments": "hmpc.registry",
    "make_environment": "hmpc.registry",
    "list_robots": "hmpc.registry",
    "find_robot": "hmpc.registry",
    "Stack": "hmpc.stack",
    "Simulator": "hmpc.sim.simulator",
    "Push": "hmpc.sim.simulator",
    "Session": "hmpc.app.session",
    "Simulation": "hmpc.app.simulation",
    "make": "hmpc.app.simulation",
    "Summary": "hmpc.app.metrics",
}

__all__ = [  # in the order of the data's way through the house  # noqa: RUF022
    "Command",
    "Posture",
    "Params",
    "Environment",
    "BaseEnvironment",
    "RobotSpec",
    "list_environments",
    "make_environment",
    "list_robots",
    "find_robot",
    "Stack",
    "Simulator",
    "Push",
    "Session",
    "Simulation",
    "Summary",
    "make",
    "HmpcError",
    "InputError",
    "SimulationError",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hmpc' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


register_with_gymnasium()
