"""A session: one character in one environment under one command, tick by tick."""

from __future__ import annotations

import contextlib
import logging
import math
import time
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.app.black_box import BlackBox
from hmpc.app.commands.agenda import Agenda, check_deeds, perform
from hmpc.app.commands.deeds import Begin, Tune
from hmpc.app.commands.hub import LATCHED, CommandHub, Effective
from hmpc.app.commands.limits import check_posture
from hmpc.app.config import differing, flattened
from hmpc.app.fall_watch import FallWatch
from hmpc.app.falls import Fall, Falls
from hmpc.app.guard import Guard
from hmpc.app.metrics import Metrics, Summary, Tick, failed
from hmpc.app.new_stack import check_kinds, new_stack
from hmpc.app.real_time import RealTime
from hmpc.app.snapshot import SessionSnapshot, put_back, take
from hmpc.app.verdict import summarize
from hmpc.errors import InputError, SimulationError, code_of
from hmpc.params import Params
from hmpc.registry import find_robot, find_task, list_tasks, make_environment
from hmpc.sim.falls import upright
from hmpc.sim.simulator import PHYSICS_RATE, Push, Simulator
from hmpc.types import Bearing, Command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hmpc.app.commands.request import Request
    from hmpc.app.commands.tape import CommandTape
    from hmpc.forces.sharing import Sharing
    from hmpc.planning import Clock, PlanKind
    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import Environment
    from hmpc.tasks.task import Task
    from hmpc.types import RobotState, Torques
    from hmpc.wholebody.controller import PdKind

START_NOISE = 0.02  # [m/s], [rad/s] of root and joints at the start: what makes two seeds two runs
WARM_UP_TIME = 2.0  # [s] within which a character that is told to walk has made a plan

_log = logging.getLogger(__name__)


class Session:
    """A simulator and a controller; with the lock-step clock the same arguments give the same bits.

    `tick` does one control period, `run` many. `command` is what the character is asked for; setting it is one of many
    ways to put something into the `hub`, and a tape (`follow`) is another. After a fall, until it is asked to get up,
    and when the controller had to be given up (`fault` says why), the motors brake towards a crouch. With the real-time
    clock the planner is a process of its own (`close` ends it) and `run` goes no faster than time does. The planners
    believe heights of the ground that are wrong by up to `height_error` [m].
    """

    def __init__(
        self,
        environment: str | type[Environment] | Environment,
        robot: str | RobotSpec = "humanoid",
        *,
        parameters: Mapping[str, Any] | None = None,
        seed: int = 0,
        control_rate: float = PHYSICS_RATE,
        params: Params | None = None,
        qp: str = "newton",
        pd: PdKind = "implicit",
        plan: PlanKind = "frb",
        clock: Clock = "lockstep",
        sharing: Sharing = "qp",
        height_error: float = 0.0,
        fault_folder: Path = Path(),
        hub: CommandHub | None = None,
    ):
        self.controller = {"qp": qp, "pd": pd, "plan": plan, "clock": clock, "sharing": sharing}
        check_kinds(self.controller)
        self.environment = make_environment(environment, parameters)
        self.robot = find_robot(robot)
        self.height_error = height_error
        self.params = params or Params()
        self.clock = clock
        self._fault_folder = fault_folder
        self.hub = hub or CommandHub(self.robot, Command())  # one that is handed in keeps its sources
        with code_of(f"Environment {self.environment.name!r}"):
            self.simulator = Simulator(self.environment, self.robot, control_rate)
            self._fall_watch = FallWatch(self.simulator)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Back to the start, with another seed if one is given."""
        if seed is not None:
            if seed < 0:
                raise InputError(f"A seed must not be negative, got {seed}.")
            self.seed: int = seed
        sim = self.simulator
        sim.reset()
        sim.data.qvel[:] += START_NOISE * np.random.default_rng(self.seed).standard_normal(sim.model.nv)
        self.state: RobotState = sim.observe()
        self.close()
        with code_of(f"Environment {self.environment.name!r}"):
            self.stack = new_stack(self)
            start = Command(posture=self.environment.posture())
            check_posture(start, self.robot)
        self.torques: Torques | None = None
        self.latest: Tick | None = None  # the last one in which the controller was at work
        self.metrics = Metrics(sim.robot, self.state, sim.control_period)
        self.falls = Falls(self.params.safety.still)
        self.fault: str | None = None  # why the controller was given up, or the run ended
        self.ended = False  # the physics has no future: it is not finite
        self.agenda = Agenda()
        self._rehearsed: Command | None = None  # stands in for the hub while warming up
        self.cpu_seconds = 0.0
        self.guard = Guard(sim.robot, self.params.safety, sim.control_period)
        self.black_box = BlackBox()
        self.hub.restart(self.robot, start)

    def warm_up(self) -> None:
        """Take a step and take it back: what has to be compiled is compiled now."""
        before = self.save()
        self._rehearsed = replace(self.command, velocity_H=np.array([0.5, 0.0]))
        while self.stack.plan is None and not self.over and self.time < WARM_UP_TIME:
            self.tick()
        self.stack.warm_up(self.state, self._rehearsed)
        self._rehearsed = None
        self.restore(before._replace(asked=None))  # somebody may have asked for something meanwhile

    def retune(self, params: Params) -> None:
        """Go on from here with other parameters. Raises `InputError`, and changes nothing, if they make no sense."""
        changed = dict(flattened(differing(params, self.params)))
        self.stack = self.stack.retuned(params)
        self.params = params
        if changed:
            self.agenda.done.append((self.time, Tune(changed)))

    def close(self) -> None:
        """End the planner's process, if there is one."""
        with contextlib.suppress(AttributeError):  # nothing was made yet
            self.stack.close()

    # ----- what the user wants

    @property
    def command(self) -> Command:
        """What the character is asked for now, within the robot's limits; `hub.effective` says by whom."""
        return self.hub.effective.command

    @command.setter
    def command(self, command: Command) -> None:
        self.ask("Python", command)

    def ask(self, source: str, wish: Request | Command, hold: float = LATCHED) -> Effective:
        """Put a wish into the hub, and say so if the robot's limits cut something off."""
        effective = self.hub.put(source, wish, hold)
        if effective.clipped:
            _log.warning("%s", effective.clipped)
        return effective

    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks that make sense in this environment."""
        return tuple(task.name for task in self._suitable)

    def tasks_now(self) -> tuple[str, ...]:
        """Those among them that are for who lies on the ground, or for who does not."""
        lies = self.falls.down or self.stack.bearing is Bearing.LYING
        return tuple(task.name for task in self._suitable if task.begins_lying == lies)

    @cached_property
    def _suitable(self) -> tuple[Task, ...]:
        return tuple(task for task in list_tasks() if task.suits(self.stack.scene))

    def task(self, task: str | Task) -> None:
        """Begin a task such as "stand_up", after a fall once the body lies still; `stack.task` tells how it goes."""
        found = find_task(task)
        if self.fault is not None:
            raise InputError("A character whose controller was given up begins no task: reset it first.")
        self.falls.check(found)
        if self.falls.down:
            self.falls.wanted = found
        else:
            self.stack.begin(found, self.state)
        self.agenda.done.append((self.time, Begin(found.name)))

    def push(self, push: Push) -> None:
        """Let a push happen at its time, or now if that has passed, in the heading frame of the moment."""
        push = replace(push, start=max(push.start, self.time))
        self.simulator.push(push)
        self.agenda.done.append((push.start, push))

    def follow(self, tape: CommandTape) -> None:
        """Let a tape command from now on. Raises `InputError` if it asks for something that does not exist here."""
        check_deeds(self, tape)
        for push in self.agenda.follow(tape):
            self.push(push)

    # ----- running

    @property
    def time(self) -> float:
        """Simulated seconds since the start."""
        return self.simulator.time

    @property
    def over(self) -> bool:
        """Whether the run has come to an end by itself."""
        stopped = self.guard.at_rest(self.time) if self.guard.reason else self.falls.over and not self.agenda.gets_up
        return stopped or self.ended

    def tick(self) -> None:
        """One control period: observe, think, act.

        What goes wrong in the controller is contained by the `Guard`; `SimulationError` is raised when the physics
        itself is not finite, which nobody can go on from.
        """
        began = time.perf_counter()
        if self._rehearsed is None:
            for deed in (*self.hub.posted(), *self.agenda.due(self.time)):
                perform(self, deed)
        sim, stack = self.simulator, self.stack
        self._check_physics()
        state = self.state = sim.observe()
        supporting = self.latest.target.support if self.latest else ()
        others = self._fall_watch.unplanned(stack.bearing, supporting)
        if not self.falls.down and (reason := self._fall_watch.fall(state, others, stack.bearing)):
            self.falls.add(Fall(state.t, reason))
        if self.falls.down:
            if (task := self.falls.way_up(state)) is None:
                sim.apply(self.guard.brake(state))
                return
            stack.begin(task, state, lying=True)
        if (taped := self.agenda.new_command(state.t)) is not None:
            self.ask("file", taped)
        command = self._rehearsed or self.hub.take(state.t)
        plan, faults = stack.plan, stack.faults
        torques = self.guard.step(stack, state, command)
        if torques is None:
            self.fault = self.guard.reason
            sim.apply(self.guard.substitute(state))
            return
        self.torques = torques
        self.black_box.add(state, torques.tau)
        sim.grips.hold(stack.target.grip)
        sim.apply(torques.tau)
        planned = stack.plan not in (None, plan)
        failures = int(failed(stack.forces.status, stack.target)) + stack.faults - faults
        tick = self.latest = Tick(
            state=state,
            command=command,
            tau=torques.tau,
            target=stack.target,
            forces=stack.forces,
            others=others,
            failures=failures,
            seconds=time.perf_counter() - began,
            planned=planned,
            upright=upright(state, sim.body_model),
            lying=stack.bearing is Bearing.LYING,
        )
        self.metrics.add(tick)

    def run(self, seconds: float, *watchers: Callable[[Session], None]) -> Summary:
        """Go on for `seconds`, or until a fall or a fault; `watchers` are called after every tick."""
        if not (math.isfinite(seconds) and seconds > 0.0):
            raise InputError(f"A run needs a positive number of seconds, got {seconds}.")
        began, pace = time.process_time(), RealTime(self.time)
        try:
            for _ in range(max(1, round(seconds / self.simulator.control_period))):
                self.tick()
                for watch in watchers:
                    watch(self)
                if self.over:
                    break
                if self.clock == "realtime":
                    pace.wait(self.time)
        except SimulationError as error:
            _log.error("%s", error)
        self.cpu_seconds += time.process_time() - began
        return self.summary()

    def _check_physics(self) -> None:
        if self.simulator.is_finite:
            return
        data = self.simulator.data
        path = self._fault_folder / f"hmpc-fault-{self.environment.name}-{self.seed}.npz"
        saved = self.black_box.save(path, np.concatenate([data.qpos, data.qvel]))
        self.ended, self.fault = True, f"The state was not finite at {self.time:.3f} s. {saved}"
        raise SimulationError(self.fault)

    # ----- what happened

    @property
    def fall(self) -> Fall | None:
        """When and why the character fell for the first time; None as long as it did not."""
        return self.falls.first

    def summary(self) -> Summary:
        """The report of the run so far."""
        return summarize(self)

    def save(self) -> SessionSnapshot:
        """Everything that the future depends on; `restore` continues from it bit by bit as from here."""
        return take(self)

    def restore(self, snapshot: SessionSnapshot) -> None:
        """Continue from a snapshot of this session."""
        put_back(self, snapshot)
