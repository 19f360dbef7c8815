"""A task under way: plan a stage, follow the plan, look what came of it, go on or try again."""

from __future__ import annotations

import logging
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.following import PlanFollower
from hmpc.executor.holding import Holding
from hmpc.executor.posing import Posing
from hmpc.forces.distribution import ForceDistributor
from hmpc.frb.contact_forces import limb_loads
from hmpc.frb.planner import FrbProblem
from hmpc.tasks.approach import velocity_there
from hmpc.tasks.balance import balanced
from hmpc.tasks.guesses import shifted_pressure
from hmpc.tasks.situation import situation
from hmpc.types import Bearing, Status

if TYPE_CHECKING:
    from hmpc.frb.searcher import Searcher
    from hmpc.params import Params
    from hmpc.robot.model import RobotModel
    from hmpc.tasks.situation import Scene, Situation
    from hmpc.tasks.task import Stage, Task
    from hmpc.types import (
        Array,
        BodyModel,
        ContactPhase,
        ContactRegion,
        FrbPlan,
        MotionTarget,
        RobotState,
    )

_log = logging.getLogger(__name__)


class Progress(Enum):
    """How far a task has come."""

    APPROACHING = "approaching"  # walking to where it begins
    WAITING = "waiting"  # for the body to come to rest
    PLANNING = "planning"
    MOVING = "moving"
    DONE = "done"
    FAILED = "failed"


class TaskRunner:
    """One task, from its first plan to its end; while a plan is being found the character keeps its pose."""

    def __init__(
        self,
        task: Task,
        robot: RobotModel,
        body: BodyModel,
        scene: Scene,
        params: Params,
        searcher: Searcher,
        seed: int,
        state: RobotState,
        resting: Holding | PlanFollower | Posing | None,
    ):
        self.task, self._robot, self._body, self._scene, self._params = task, robot, body, scene, params
        self._searcher, self._seed = searcher, seed
        self._motion = resting or Holding(robot, state)
        self._holds: dict[str, ContactRegion] = {}
        self._stage: Stage | None = None
        self._problem: FrbProblem | None = None
        self._stages = (*task.stages, *task.ending)
        self._number, self._tries = 0, 0
        self._unanswered = 0  # searches in a row
        self._slipped: set[str] = set()  # hands, in this stage
        self._last_round = False
        self._dropped = False  # below the floor of the stage
        self._stopping, self._stops, self._seen, self._speed = False, 0, state.t, 0.0  # of the walk to where it begins
        self.plan: FrbPlan | None = None
        self.plans = 0  # that were searched
        self.words: list[str] = []  # what happened, in sentences
        refusal = task.refusal(self._situation(state))
        self.progress = Progress.APPROACHING if resting is None else Progress.WAITING
        if refusal is not None:
            self._give_up(refusal)

    @property
    def motion(self) -> Holding | PlanFollower | Posing:
        """What the character does now."""
        return self._motion

    @property
    def bearing(self) -> Bearing | None:
        """Of the stage that is done now, or was done last; None before the first one.

        Who has dropped below the floor of the stage does not lean or lie on purpose: it is judged as anyone.
        """
        if self._stage is None:
            return None
        return Bearing.UPRIGHT if self._dropped else self._stage.bearing

    @property
    def over(self) -> bool:
        return self.progress in (Progress.DONE, Progress.FAILED)

    def approach(self, state: RobotState, *, at_rest: bool) -> tuple[Array, float] | None:
        """The velocity (2,) and yaw rate with which to walk to where the task begins; None: stop, or stay.

        Who has begun to stop does so, and goes on from rest if it was not near enough; less exactly from stop to stop.
        """
        if self._stopping and not at_rest:
            return None
        now = self._situation(state)
        params, dt = self._params.tasks, state.t - self._seen
        speed, self._seen = float(state.body.vel_W @ now.forward(1.0)), state.t
        self._speed += min(dt / params.approach_filter, 1.0) * (speed - self._speed)
        there = self.task.approach(now)
        near = (1 + self._stops) * params.arrival_at_rest if at_rest else min(params.arrival, there.near)
        way = velocity_there(there, self._speed, near, params)
        self._stops += way is None and not self._stopping
        self._stopping = way is None
        return way

    def arrive(self, state: RobotState) -> None:
        """The character stands where the task begins."""
        self._motion, self.progress = Holding(self._robot, state), Progress.WAITING

    def finish(self) -> None:
        """Begin no other round of the stages, if the task has several: this one is the last."""
        self._last_round = True

    def update(self, state: RobotState) -> MotionTarget:
        """Targets for this tick."""
        self._dropped = self._stage is not None and bool(state.body.com_W[2] < self._stage.floor)
        if self.progress is Progress.WAITING and np.linalg.norm(state.body.vel_W) < self._params.tasks.slow:
            self._submit(state)
        if self.progress is Progress.PLANNING:
            self._take_plan(state)
        elif self.progress is Progress.MOVING:
            self._judge(state)
        return self._motion.update(state)

    def _situation(self, state: RobotState) -> Situation:
        gravity = self._params.frb.gravity
        return situation(self._robot, self._body, self._scene, state, self._holds, gravity)

    def _submit(self, state: RobotState) -> None:
        """Ask for the plan of the next stage."""
        now = self._situation(state)
        stage = self._stages[self._number](now)
        if stage is None:
            self._next_stage(now)
            return
        self._stage = stage
        if stage.poses:
            self._motion, self.progress = Posing(self._robot, state, stage.poses), Progress.MOVING
            return
        phases = stage.phases
        if self._tries > 0 and not stage.needs_hands:
            phases = tuple(phase for phase in phases if phase.limb not in now.hands)
        # A seat is passive and not for tier 3 to share load with: there the pressure of the soles is varied instead.
        params, body, polish = self._params.tasks, self._body, self._params.tasks.polish
        stands = set(now.feet) <= {phase.limb for phase in phases if phase.fixed}
        guesses: tuple[tuple[ContactPhase, ...], ...] = ()
        if any(body.limb(phase.limb).is_seat for phase in phases):
            guesses = shifted_pressure(phases, body, now.heading)
            if any(phase.limb in now.hands for phase in phases):
                polish = 0  # which would find the balance without the hands, that begin with zero force
        else:
            body = now.posed_body if stands else now.rigid_body
            phases = balanced(phases, now, stage.targets[-1], ForceDistributor(self._params.forces), self._params.frb)
        upper_com_B = now.upper_com_B if stage.upper_com_B is None else stage.upper_com_B
        self._problem = FrbProblem(
            state=now.start(),
            t0=state.t,
            horizon=stage.duration,
            body=body,
            phases=phases,
            other_guesses=guesses,
            polish=polish,
            targets=stage.targets,
            symmetry=now.heading if stage.symmetric else None,
            upper_com_B=upper_com_B if stands else None,
        )
        # What was not found at once is searched longer.
        usual = params.polished_iterations if polish else params.iterations
        budget = round((1 + self._tries) * stage.effort * usual)
        if self._searcher.submit(self._problem, self._seed + self.plans, budget):
            self.plans += 1
            self.progress = Progress.PLANNING
            return
        idle = not self._searcher.busy
        self._searcher.poll()  # makes room where answers wait that nobody wants any more, and replaces a dead worker
        if idle:
            self._ask_again()

    def _take_plan(self, state: RobotState) -> None:
        """Follow the plan as soon as it is there."""
        assert self._problem is not None and self._stage is not None
        plan = self._searcher.poll()
        if plan is None or plan.t[0] != self._problem.t0:
            if not self._searcher.busy:
                self._ask_again()
            return
        self._unanswered = 0
        if plan.status is not Status.OK or not self._comes_to_rest(plan):
            self._try_again(f"no plan was found for stage {self._stage.name!r}")
            return
        body, stage = self._problem.body, self._stage
        loads = limb_loads(plan, self._robot.limbs, body, self._params.frb, self._problem.upper_com_B)
        self.plan = _delayed(plan, state.t - float(plan.t[0]))
        how = (stage.arms, stage.bend, stage.pose)
        self._motion = PlanFollower(self._robot, self._params.executor, state, self.plan, loads, *how)
        self._holds = {phase.limb: phase.region for phase in self.plan.phases}
        self._slipped.clear()
        self.progress = Progress.MOVING

    def _ask_again(self) -> None:
        """A search failed or was lost with its process, which says nothing about the stage: it is submitted again."""
        assert self._stage is not None
        self._unanswered += 1
        self.progress = Progress.WAITING
        if self._unanswered >= self._params.tasks.tries:
            self._give_up(f"Task {self.task.name!r} is given up: the planner does not answer.")
        else:
            self._say(f"Planning stage {self._stage.name!r} again: the planner did not answer.")

    def _comes_to_rest(self, plan: FrbPlan) -> bool:
        """Whether a plan ends near its goal, and slowly: what is left is for tier 3 to hold."""
        assert self._problem is not None
        goal = self._problem.targets[-1].com_W
        missed = 0.0 if goal is None else float(np.nanmax(np.abs(plan.com_W[-1] - goal)))
        params, speed = self._params.tasks, float(np.linalg.norm(plan.vel_W[-1]))
        return missed < params.position_tolerance and speed < params.speed_tolerance

    def _judge(self, state: RobotState) -> None:
        """Go on to the next stage, try this one again, or wait a little longer."""
        assert not isinstance(self._motion, Holding) and self._stage is not None
        params = self._params.tasks
        for hand in sorted(set(self._motion.slipped) - self._slipped):
            self._slipped.add(hand)
            self._say(f"{hand} lost hold in stage {self._stage.name!r}.")
        if lost := self._motion.lost_holds(state.t):
            self._try_again(f"{', '.join(lost)} lost hold in stage {self._stage.name!r}")
            return
        late = state.t - self._motion.end
        if late < params.settle:
            return
        now = self._situation(state)
        complaint = self._stage.check(now)
        if complaint is None:
            self._next_stage(now)
        elif late > params.patience:
            self._try_again(f"stage {self._stage.name!r} failed: {complaint}")

    def _next_stage(self, now: Situation) -> None:
        self._number, self._tries = self._number + 1, 0
        self.progress = Progress.WAITING
        if self._number == len(self.task.stages) and not self._last_round and self.task.again(now):
            self._number = 0
        if self._number == len(self._stages):
            self.progress = Progress.DONE
            self._say(f"Task {self.task.name!r} is done.", logging.INFO)

    def _try_again(self, why: str) -> None:
        self._tries += 1
        if self._tries >= self._params.tasks.tries:
            self._give_up(f"Task {self.task.name!r} is given up after {self._tries} tries: {why}.")
            return
        self._say(f"Trying again: {why}.")
        self.progress = Progress.WAITING

    def _give_up(self, sentence: str) -> None:
        self._say(sentence)
        self.progress = Progress.FAILED

    def _say(self, sentence: str, level: int = logging.WARNING) -> None:
        self.words.append(sentence)
        _log.log(level, "%s", sentence)


def _delayed(plan: FrbPlan, delay: float) -> FrbPlan:
    """The same plan, begun later: the character has kept its pose in the meantime."""
    if delay == 0.0:
        return plan
    phases = tuple(replace(p, t_start=p.t_start + delay, t_end=p.t_end + delay) for p in plan.phases)
    return replace(plan, t=plan.t + delay, phases=phases)
