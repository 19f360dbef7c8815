"""Figure 2 of the paper as one function: command in, torques out."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.balance import in_stride
from hmpc.executor.contact_points import contact_points
from hmpc.executor.executor import Executor
from hmpc.executor.holding import Holding
from hmpc.executor.rail_guide import along_rails
from hmpc.footsteps.ground import Ground
from hmpc.forces.distribution import ForceDistributor, limb_load_rows
from hmpc.forces.sharing import Sharing, equal_shares
from hmpc.forces.tracking import desired_wrench
from hmpc.frb.contact_forces import limb_loads, planned_forces
from hmpc.frb.rails import rails_among
from hmpc.params import groups_of
from hmpc.planning import Clock, PlanKind, long_term_planner, medium_term_planner, searcher_for
from hmpc.stepping import Stepping
from hmpc.tasks.climb_stairs import CLIMB_STAIRS
from hmpc.tasks.runner import Progress, TaskRunner
from hmpc.tasks.situation import Scene, situation
from hmpc.types import Bearing, Status
from hmpc.wholebody.controller import PdKind, WholeBodyController

if TYPE_CHECKING:
    from hmpc.executor.following import PlanFollower
    from hmpc.executor.posing import Posing
    from hmpc.executor.walking import Walking
    from hmpc.footsteps.planner import FootstepOptions
    from hmpc.params import Params
    from hmpc.robot.model import RobotModel
    from hmpc.tasks.task import Task
    from hmpc.types import (
        Array,
        BodyModel,
        Command,
        ContactForces,
        ContactRegion,
        ContactSet,
        FrbPlan,
        FrbState,
        MotionTarget,
        RobotState,
        Torques,
    )


class Stack:
    """The hierarchy: footsteps -> plan -> targets -> forces -> torques."""

    def __init__(
        self,
        robot: RobotModel,
        body: BodyModel,
        regions: Sequence[ContactRegion],
        params: Params,
        state: RobotState,
        *,
        dt: float,
        seed: int = 0,
        plan: PlanKind = "frb",
        clock: Clock = "lockstep",
        qp: str = "newton",
        sharing: Sharing = "qp",
        pd: PdKind = "implicit",
        scene: Scene | None = None,
        standing: bool = True,
    ):
        self._robot, self._body, self._params = robot, body, params
        self._stride = in_stride(body, params.executor.hip_drop)  # the body of the planners that walk
        self._regions, self._kinds = tuple(regions), (plan, clock, seed, qp)
        self.scene = scene or Scene(regions=tuple(regions), handholds=())
        self._seed, self._searcher = seed, searcher_for(clock, params.frb)
        self._rails = rails_among(self.scene.handholds)
        self._long_term = long_term_planner(self._stride, regions, params.footsteps, self._rails)
        self._stepping = Stepping(self._long_term, self._stride, params)
        self._medium_term = medium_term_planner(plan, self._stride, params, seed, self._searcher, self._rails)
        self._executor = Executor(robot, body, params.executor, state, Ground(regions))
        # Neither standing nor walking:
        self._resting: Holding | PlanFollower | Posing | None = (
            None if standing else Holding(robot, state, lying=self.scene.lying)
        )
        self.task: TaskRunner | None = None  # under way, or the last one
        self._climbing = False  # up steps that the walk came to, which nobody has asked for as a task
        self.bearing = Bearing.LYING if self.scene.lying else Bearing.UPRIGHT
        self._short_term = ForceDistributor(params.forces, qp)
        self._sharing = sharing
        self._whole_body = WholeBodyController(robot, params.wholebody, dt, pd)
        self.footsteps: FootstepOptions | None = None  # tier 1's answer, for display
        self.plan: FrbPlan | None = None  # tier 2's
        self.target: MotionTarget  # the executor's
        self.forces: ContactForces  # tier 3's
        self.barrier: str | None = None  # why the commanded way cannot be gone, as a sentence
        self._uncapturable = 0

    @property
    def steps(self) -> int:
        """Touch-downs since the character began to walk."""
        return self._executor.walking.steps if self._executor.walking else 0

    @property
    def doing(self) -> str:
        """What the character does now, in a word or two."""
        if self.task is not None and not self.task.over:
            return f"{self.task.task.name.replace('_', ' ')}: {self.task.progress.value}"
        if self._resting is not None:
            return "resting"
        return "standing" if self._executor.walking is None else "walking"

    @property
    def late_plans(self) -> int:
        """Plans of tier 2 that came too late to be followed."""
        return self._medium_term.late_plans

    @property
    def faults(self) -> int:
        """Plans of tiers 1 and 2 that were not what was asked for, and planners that had to be replaced."""
        return self._uncapturable + self._medium_term.faults

    @property
    def answer_share(self) -> float:
        """Of the time that tier 2 had for its last plan, what it needed; above 1 it came too late to be followed."""
        return self._medium_term.answer_share

    def planned_forces(self, t: float) -> ContactForces | None:
        """What tier 2 wants the contacts to carry at time `t`, for display; None without a plan."""
        if self.plan is None or not self.plan.t[0] <= t <= self.plan.t[-1]:
            return None
        return planned_forces(self.plan, t, self.target.support, self._body, self._params.frb)

    def retuned(self, params: Params) -> Stack:
        """This controller in the middle of its motion, with other parameters; the old one is closed.

        A copy in which whatever referred to the old parameters refers to the new ones. What is worked out from them
        in advance is made anew: tiers 1 and 3, which remember nothing, and tier 2 if it is concerned.
        """
        plan, clock, seed, qp = self._kinds
        old, stride = self._params, in_stride(self._body, params.executor.hip_drop)
        new: dict[int, object] = {
            id(self._robot): self._robot,
            id(self._stride): stride,
            id(self._long_term): long_term_planner(stride, self._regions, params.footsteps, self._rails),
            id(self._short_term): ForceDistributor(params.forces, qp),
            **{id(a): b for a, b in zip(groups_of(old), groups_of(params), strict=True)},
        }
        if params.frb != old.frb:
            searcher = new[id(self._searcher)] = searcher_for(clock, params.frb)
            new[id(self._medium_term)] = medium_term_planner(plan, stride, params, seed, searcher, self._rails)
            self.close()
        return copy.deepcopy(self, new)

    @staticmethod
    def _busy(task: TaskRunner) -> bool:
        return task.progress in (Progress.PLANNING, Progress.WAITING, Progress.MOVING)

    def close(self) -> None:
        """End what runs beside the simulation; the stack cannot be used any more."""
        self._searcher.close()

    def step(self, state: RobotState, command: Command) -> Torques:
        """One tick of the hierarchy."""
        self.target = self._motion_target(state, command)
        motion = self._whole_body.joint_motion(state, self.target)
        feedforward = self._whole_body.feedforward(self.target, motion)
        body, tracking, moment_W = state.body, self._params.tracking, feedforward.moment_W
        if self.target.takes_off:
            body, moment_W = self._turning_as_a_whole(state), np.zeros(3)
            tracking = replace(tracking, kd_torque=tracking.kd_torque_take_off)
        wrench = desired_wrench(body, self.target.body, self.target.acc_W, self._robot.mass, tracking, moment_W)
        friction, pads = self._params.forces.friction, self._params.executor.pads
        points = contact_points(self._robot, state, self.target, friction, pads)
        self.forces = self._share(points, state, wrench)
        return self._whole_body.torques(state, self.target, self.forces, motion, feedforward)

    def warm_up(self, state: RobotState, command: Command) -> None:
        """Compile what a walk that has begun will need later on its way."""
        if self._executor.walking is not None:
            self._stepping.warm_up(state, self._executor.walking, command)

    def _turning_as_a_whole(self, state: RobotState) -> FrbState:
        """The body with the angular velocity that its angular momentum would give to the rigid one of tier 2."""
        R_WB = state.body.R_WB
        omega_W = R_WB @ np.linalg.solve(self._body.inertia_B, R_WB.T @ state.angular_momentum_W)
        return replace(state.body, omega_W=omega_W)

    def begin(self, task: Task, state: RobotState, *, lying: bool = False) -> None:
        """Start a task; while it goes on, commands of velocity have no effect. `lying`: where a fall has ended."""
        self._climbing = False
        if lying:
            self.task, self.barrier, self.bearing = None, None, Bearing.LYING
            self._resting = Holding(self._robot, state, lying=True)
        resting = self.task.motion if self.task and self._busy(self.task) else self._resting
        self.task = TaskRunner(
            task, self._robot, self._body, self.scene, self._params, self._searcher, self._seed, state, resting
        )

    def _motion_target(self, state: RobotState, command: Command) -> MotionTarget:
        """What the body and the limbs should do now: a task if there is one, else stand or walk."""
        if self.task is not None:
            self._heed(self.task, command)
        if self.task is not None and self.task.progress is Progress.APPROACHING:
            command = self._approach(self.task, state, command)
        elif self.task is not None and not self.task.over:
            target = self.task.update(state)
            self.plan, self.bearing = self.task.plan, self.task.bearing or self.bearing
            if self.task.over:
                self._end_task(self.task, state)
            return target
        if self._resting is not None:
            return self._resting.update(state)
        if self._executor.step_begins(state, command):
            self._plan_step(state, command)
        elif self._executor.walking and self.footsteps and (plan := self._medium_term.newer(state.t)):
            self._follow(self._executor.walking, plan, state)
        return self._executor.update(state, command)

    def _approach(self, task: TaskRunner, state: RobotState, command: Command) -> Command:
        """Walk to where a task begins, and tell it when the character stands there at rest."""
        at_rest = self._executor.at_rest(state)
        way = task.approach(state, at_rest=at_rest)
        self._executor.ends_level = True
        if way is None and at_rest:
            task.arrive(state)
        velocity_H, yaw_rate = (np.zeros(2), 0.0) if way is None else way
        return replace(command, velocity_H=velocity_H, yaw_rate=yaw_rate, body_height=1.0)

    def _end_task(self, task: TaskRunner, state: RobotState) -> None:
        """Stand after a task that ends so; otherwise keep still."""
        self._resting, self._climbing = task.motion, False
        if task.progress is Progress.DONE:
            self._resting = None if task.task.ends_standing else Holding(self._robot, state)
        if self._resting is None:
            self.bearing = Bearing.UPRIGHT
            self._executor.stand(state)

    def _plan_step(self, state: RobotState, command: Command) -> None:
        """Tiers 1 and 2: a plan for the step that begins."""
        walking = self._executor.walking
        assert walking is not None
        command = along_rails(command, state.body.com_W, walking.heading, self._rails, self._params.executor.guide)
        self.footsteps, planned, *_ = self._stepping.choose(state, walking, command)
        self._look_ahead(state, command)
        walking.aim(self._long_term.gait(planned), self.footsteps.best)
        self._uncapturable += self.footsteps.best.status is Status.FALLBACK
        self._follow(walking, self._medium_term.plan(self.footsteps.best, state, walking, planned), state)

    def _follow(self, walking: Walking, plan: FrbPlan, state: RobotState) -> None:
        """Walk on with a new plan of tier 2."""
        assert self.footsteps is not None
        self.plan = plan
        walking.follow(plan, self.footsteps.best)
        walking.hands.follow(plan, limb_loads(plan, walking.hands.names, self._stride, self._params.frb), state)

    def _look_ahead(self, state: RobotState, command: Command) -> None:
        """Stand when the footsteps lead nowhere, and know why."""
        assert self.footsteps is not None and self._executor.walking is not None
        best, walking = self.footsteps.best, self._executor.walking
        if best.status is not Status.UNREACHABLE:
            self.barrier = None
            return
        left_to_go = float(np.linalg.norm((best.foot_W[-2:] - best.foot_W[:2]).mean(axis=0)[:2]))
        if left_to_go < self._params.executor.barred_distance:
            if self._climbs(state, command):
                return
            self._executor.bar(command)
            self.barrier = self._long_term.barrier(state.limbs[walking.stance].p_W, walking.heading, command)

    def _climbs(self, state: RobotState, command: Command) -> bool:
        """Where steps are too high for a walk and there are rails on both sides, climb them."""
        busy = self.task is not None and not self.task.over
        if busy or not self._leads_on(command):
            return self._climbing
        now = situation(self._robot, self._body, self.scene, state, {}, self._params.frb.gravity)
        if CLIMB_STAIRS.refusal(now) is not None:
            return False
        self.begin(CLIMB_STAIRS, state)
        self._climbing = True
        return True

    def _leads_on(self, command: Command) -> bool:
        return bool(command.velocity_H[0] > self._params.executor.moving_speed)

    def _heed(self, task: TaskRunner, command: Command) -> None:
        """Who climbs because the way leads on stops when it does not any more: at once, or on the next step."""
        if self._climbing and not self._leads_on(command):
            task.finish()
            if task.progress is Progress.APPROACHING:
                self.task, self._climbing = None, False

    def _share(self, points: ContactSet, state: RobotState, wrench: Array) -> ContactForces:
        """Tier 3, or what stands in for it in a comparison."""
        if self._sharing == "equal":
            return equal_shares(self._short_term, points, state.body.com_W, wrench)
        if self._sharing == "planned" and self._executor.walking and self.plan:
            return planned_forces(self.plan, state.t, self.target.support, self._body, self._params.frb)
        rows = None
        if loads := {limb: load for limb, load in self.target.load_W.items() if limb in points.limb}:
            rows = limb_load_rows(points, loads, self._params.forces.load_weight)
        return self._short_term.distribute(points, state.body.com_W, wrench, rows)
