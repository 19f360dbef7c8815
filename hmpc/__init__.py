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

from hmpc.errors import HmpcError, InputError, SimulationError
from hmpc.params import Params

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hmpc.app.metrics import Summary
    from hmpc.app.session import Session
    from hmpc.app.simulation import Simulation
    from hmpc.planning import Clock, PlanKind
    from hmpc.registry import find_robot, list_environments, list_robots, make_environment
    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import BaseEnvironment, Environment
    from hmpc.sim.simulator import Push, Simulator
    from hmpc.stack import Stack
    from hmpc.types import Command, Posture
    from hmpc.wholebody.controller import PdKind

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


def make(
    environment: str | type[Environment] | Environment,
    robot: str | RobotSpec = "humanoid",
    *,
    seed: int = 0,
    parameters: Mapping[str, Any] | None = None,
    params: Params | None = None,
    control_rate: float = 500.0,
    plan: PlanKind = "frb",
    clock: Clock = "lockstep",
    qp: str = "newton",
    pd: PdKind = "implicit",
    height_error: float = 0.0,
    **environment_parameters: Any,
) -> Simulation:
    """A character in an environment, ready to be commanded.

    Args:
        environment: a name out of `hmpc list envs`, "package.module:Name", or an environment itself.
        robot: a name out of `hmpc list robots`, "package.module:NAME", or a `RobotSpec`.
        seed: of everything random; the same seed and commands give the same bits (with the lock-step clock).
        parameters: of the environment, for those whose name is taken by an option: `{"seed": 3}`.
        params: of the controller; see `hmpc.Params`.
        control_rate: [Hz].
        plan: medium-term planner: "frb", the floating rigid body, or "lip", the pendulums as they are.
        clock: "lockstep" plans between ticks; "realtime" beside the simulation, in time with the clock.
        qp: solver of the contact forces: "newton", or a qpsolvers backend.
        pd: posture control: "implicit" or "explicit".
        height_error: [m] by which the heights that the planners believe are wrong, at most.
        **environment_parameters: of the environment, by name: `hmpc.make("stairs", riser=0.2)`.

    Raises:
        InputError: if something makes no sense; the message lists what does.
    """
    from hmpc.app.session import Session
    from hmpc.app.simulation import Simulation

    return Simulation(
        Session(
            environment,
            robot,
            seed=seed,
            parameters={**(parameters or {}), **environment_parameters},
            params=params,
            control_rate=control_rate,
            plan=plan,
            clock=clock,
            qp=qp,
            pd=pd,
            height_error=height_error,
        )
    )


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hmpc' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
