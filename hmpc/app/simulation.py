"""The Python interface: a character to command, step by step.

sim = hmpc.make("flat", seed=0)
sim.command(vx=0.6)
sim.step(seconds=5)
print(sim.state.body.com_W, sim.summary().reason)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hmpc.app.commands.request import request_from
from hmpc.app.session import Session
from hmpc.sim.simulator import Push

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hmpc.app.commands.hub import Effective
    from hmpc.app.falls import Fall
    from hmpc.app.metrics import Summary
    from hmpc.app.snapshot import SessionSnapshot
    from hmpc.footsteps.planner import FootstepOptions
    from hmpc.params import Params
    from hmpc.planning import Clock, PlanKind
    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import Environment
    from hmpc.types import ContactForces, FrbPlan, RobotState, Torques
    from hmpc.wholebody.controller import PdKind


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
        clock: "lockstep" plans between ticks; "realtime" beside the simulation, in time with the clock, by a process of
            its own: a script that asks for it needs `if __name__ == "__main__":`.
        qp: solver of the contact forces: "newton", or a qpsolvers backend.
        pd: posture control: "implicit" or "explicit".
        height_error: [m] by which the heights that the planners believe are wrong, at most.
        **environment_parameters: of the environment, by name: `hmpc.make("stairs", riser=0.2)`.

    Raises:
        InputError: if something makes no sense; the message lists what does.
    """
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


class Simulation:
    """One character in one environment, made by `hmpc.make`. A context manager: leaving it ends the planner's process.

    Units are SI, angles radians; the world frame W has z up, the heading frame H x forward and y left.
    """

    def __init__(self, session: Session):
        self.session = session  # everything below, for those who need more: simulator, stack, hub

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        session = self.session
        return f"<{session.robot.name} in {session.environment.name} at {self.time:.2f} s, seed {session.seed}>"

    # ----- what it should do

    def command(self, *, vx: float = 0.0, vy: float = 0.0, yaw_rate: float = 0.0, **style: Any) -> Effective:
        """Ask for a velocity [m/s, rad/s] in the heading frame; it holds until the next command.

        A velocity that is left out is zero. Of the `style` only what is named changes: `body_height` (fraction of
        standing height), `step_duration` [s], `step_width` [m], `trunk_yaw`, `trunk_pitch`, `head_yaw`, `head_pitch`
        [rad], `arms` (a pose of the robot), `lifted_foot` ("none" for neither), `lift_height` [m].
        Returns what comes of it: within the robot's limits, with a word about what they cut off.
        """
        return self.session.ask("Python", request_from({"vx": vx, "vy": vy, "yaw_rate": yaw_rate, **style}))

    def push(self, impulse: float, direction: float = 0.0, duration: float = 0.1, *, after: float = 0.0) -> None:
        """Push the torso with `impulse` [N s] over `duration` [s], `after` so many seconds from now.

        `direction` [rad] is in the heading frame: 0 pushes forward, pi/2 to the left.
        """
        self.session.push(Push(self.time + after, impulse, direction, duration))

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that make sense in this environment, such as "stand_up"."""
        return self.session.tasks()

    def task(self, name: str) -> None:
        """Begin a task; `session.stack.task` tells how it goes. After a fall: "get_up", once the body lies still."""
        self.session.task(name)

    # ----- running

    def step(self, seconds: float, *watchers: Callable[[Session], None]) -> bool:
        """Simulate for `seconds`, or until a fall; whether it can go on. `watchers` are called after every tick."""
        self.session.run(seconds, *watchers)
        return not self.session.over

    def reset(self, seed: int | None = None) -> None:
        """Back to the start, with another seed if one is given."""
        self.session.reset(seed)

    def save(self) -> SessionSnapshot:
        """Everything that the future depends on; `restore` goes on from it bit by bit."""
        return self.session.save()

    def restore(self, snapshot: SessionSnapshot) -> None:
        """Back to a snapshot of this simulation, as often as you like."""
        self.session.restore(snapshot)

    def close(self) -> None:
        """End the planner's process, if there is one (`clock="realtime"`)."""
        self.session.close()

    # ----- how it is

    @property
    def time(self) -> float:
        """[s] simulated since the start."""
        return self.session.time

    @property
    def state(self) -> RobotState:
        """What the controller saw at the last tick: joints, body (COM [m], velocity [m/s], rotation), limbs, forces."""
        return self.session.state

    @property
    def asked(self) -> Effective:
        """The command in force, who asked for it, and what the robot's limits cut off."""
        return self.session.hub.effective

    @property
    def footsteps(self) -> FootstepOptions | None:
        """Tier 1: the footsteps planned last, the best and the alternatives; None before the first step."""
        return self.session.stack.footsteps

    @property
    def plan(self) -> FrbPlan | None:
        """Tier 2: the trajectory of the floating rigid body with its contact phases; None before the first step."""
        return self.session.stack.plan

    @property
    def forces(self) -> ContactForces | None:
        """Tier 3: the force [N] that every contact point should carry now; None before the first tick."""
        return self.session.latest.forces if self.session.latest else None

    @property
    def torques(self) -> Torques | None:
        """Joint torques [N m] of the last tick and the parts that they consist of; None before the first tick."""
        return self.session.torques

    @property
    def fall(self) -> Fall | None:
        """When and why the character fell; None as long as it did not."""
        return self.session.fall

    def summary(self) -> Summary:
        """The report of the run so far: success, velocities, drift, slip, forces, timings."""
        return self.session.summary()
