"""Tiers 1 and 2 as the stack uses them: a plan for the step that begins, from pendulums or from CMA.

Two clocks, one code. The planner submits a problem at every touch-down and takes the answer when it comes:
in lock-step at once, in real time while the character already walks on with what is left of the old plan.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from hmpc.errors import InputError
from hmpc.executor.schedule import step_schedule
from hmpc.footsteps.planner import FootstepPlanner
from hmpc.footsteps.reference import as_frb_plan
from hmpc.frb.rails import Hands
from hmpc.frb.searcher import SearchBetweenTicks, Searcher
from hmpc.frb.walking import StandingFoot, walking_problem
from hmpc.frb.worker import PlanWorker
from hmpc.geometry import heading
from hmpc.types import Status

if TYPE_CHECKING:
    from hmpc.executor.walking import Walking
    from hmpc.params import FootstepParams, FrbParams, Params
    from hmpc.types import Array, BodyModel, Command, ContactRegion, FootstepPlan, FrbPlan, RobotState

_log = logging.getLogger(__name__)

PlanKind = Literal["frb", "lip"]
Clock = Literal["lockstep", "realtime"]
_PENDULUM_STEP = 0.01  # [s] at which the closed form is sampled
# What no plan for a step contains, whoever made it:
_FARTHEST_START = 0.1  # [m] between the COM of its first moment and of the footsteps that it refines
_FASTEST = 10.0  # [m/s] of the COM
_SKEWNESS = 1e-3  # of an entry of R Rᵀ against the identity's


class MediumTermPlanner(Protocol):
    """What turns footsteps into a motion of the body."""

    late_plans: int  # that came too late to be followed
    answer_share: float  # of the time that there was for the last plan, what it took

    @property
    def faults(self) -> int:
        """Answers that could not be used, and workers that had to be replaced."""

    def plan(self, footsteps: FootstepPlan, state: RobotState, walking: Walking, command: Command) -> FrbPlan:
        """What to follow from this touch-down on: a plan for the step that begins and the one after it."""

    def newer(self, t: float) -> FrbPlan | None:
        """A plan for the same step that has come since, if there is one and it is worth following at `t`."""

    def close(self) -> None:
        """End what runs beside the simulation."""


class PendulumMotionPlanner:
    """`--plan lip`: the pendulums' motion as it is."""

    late_plans = faults = 0
    answer_share = 0.0

    def __init__(self, body: BodyModel, params: Params):
        self._body, self._gravity = body, params.footsteps.gravity

    def plan(self, footsteps: FootstepPlan, state: RobotState, walking: Walking, command: Command) -> FrbPlan:
        return pendulum_plan(footsteps, self._body, self._gravity)

    def newer(self, t: float) -> FrbPlan | None:
        return None

    def close(self) -> None:
        pass


class _Answer(NamedTuple):
    """A plan of tier 2 and what it refines."""

    number: int  # of the step
    footsteps: FootstepPlan
    plan: FrbPlan


@dataclass
class _Request:
    """A problem whose answer is awaited."""

    number: int  # of the step
    t: float  # [s] touch-down
    deadline: float  # [s] until which the answer is worth following
    footsteps: FootstepPlan
    late: bool = False


class RigidBodyPlanner:
    """`--plan frb`: the floating rigid body, optimised with CMA."""

    def __init__(self, body: BodyModel, params: Params, seed: int, searcher: Searcher, rails: Sequence[ContactRegion]):
        self._rails = rails
        self._body, self._params, self._seed, self._searcher = body, params.frb, seed, searcher
        self._request: _Request | None = None
        self._answer: _Answer | None = None
        self._number = 0
        self._unusable = 0
        self.late_plans = 0
        self.answer_share = 0.0

    @property
    def faults(self) -> int:
        return self._unusable + self._searcher.faults

    def plan(self, footsteps: FootstepPlan, state: RobotState, walking: Walking, command: Command) -> FrbPlan:
        self.newer(state.t)  # too late to be followed, but a good start for the next search
        first = walking.steps == 0
        previous = None if first else self._answer
        # What was planned for a landing is not how it went: a search from there finds little.
        warm = previous.plan if previous and self._params.warm_start and not walking.flew else None
        feet = _standing_feet(footsteps, state, walking)
        hands = Hands(self._rails, walking.hands.holding) if self._rails else None
        self._number += 1
        try:
            problem = walking_problem(footsteps, feet, command, self._body, self._params, warm, hands)
        except InputError as error:  # the next step is another problem
            _log.warning("Tier 2 could not plan a step: %s", error)
            self._unusable += 1
            self._request = self._answer = None
            return pendulum_plan(footsteps, self._body, self._params.gravity)
        leaps = walking.flew or (footsteps.leap is not None and footsteps.leap.step == 1)
        budget = self._params.iterations if first else self._params.replan_iterations
        budget = self._params.leap_iterations if leaps else budget
        self._searcher.submit(problem, self._seed + self._number - 1, budget)
        deadline = state.t + self._params.answer_share * float(footsteps.t_end[0] - footsteps.t_start[0])
        self._request = _Request(self._number, state.t, deadline, footsteps)
        answer = self.newer(state.t)
        if answer is not None:
            return answer
        if previous and previous.number == self._number - 1:
            stance_W = walking.landed(state)
            return second_half(previous.plan, previous.footsteps, walking.stance, walking.swing_limb, stance_W, state.t)
        return pendulum_plan(footsteps, self._body, self._params.gravity)

    def newer(self, t: float) -> FrbPlan | None:
        request = self._request
        if request is None:
            return None
        if t > request.deadline and not request.late:
            request.late = True
            self.late_plans += 1
        answer = self._searcher.poll()
        if answer is None or answer.t[0] != request.t:
            return None
        self._request = None
        self.answer_share = (t - request.t) / (request.deadline - request.t)
        if not is_usable(answer, request.footsteps):
            self._unusable += 1
            self._answer = None
            answer = pendulum_plan(request.footsteps, self._body, self._params.gravity)
        else:
            self._answer = _Answer(request.number, request.footsteps, answer)
        return None if request.late else answer

    def close(self) -> None:
        self._searcher.close()


def searcher_for(clock: Clock, params: FrbParams) -> Searcher:
    """Who runs CMA under that clock."""
    return PlanWorker(params) if clock == "realtime" else SearchBetweenTicks(params)


def long_term_planner(
    body: BodyModel, regions: Sequence[ContactRegion], params: FootstepParams, rails: Sequence[ContactRegion]
) -> FootstepPlanner:
    """Tier 1; between two rails it leaves high steps to be climbed."""
    if len(rails) > 1:
        params = replace(params, max_up=min(params.max_up, params.max_up_between_rails))
    return FootstepPlanner(body, regions, params)


def medium_term_planner(
    kind: PlanKind,
    body: BodyModel,
    params: Params,
    seed: int,
    searcher: Searcher,
    rails: Sequence[ContactRegion] = (),
) -> MediumTermPlanner:
    """The planner of that name; the pendulums know of no hands."""
    if kind == "lip":
        return PendulumMotionPlanner(body, params)
    return RigidBodyPlanner(body, params, seed, searcher, rails)


def pendulum_plan(footsteps: FootstepPlan, body: BodyModel, gravity: float) -> FrbPlan:
    """The pendulums' motion as a plan."""
    return as_frb_plan(footsteps, body, gravity, _PENDULUM_STEP)


def is_usable(plan: FrbPlan, footsteps: FootstepPlan) -> bool:
    """Whether a plan is what was asked for: finite, a motion, of the feet and from the place of these footsteps."""
    arrays = (plan.com_W, plan.vel_W, plan.R_WB, plan.omega_W, plan.acc_W)
    if plan.status is not Status.OK or not all(np.isfinite(array).all() for array in arrays):
        return False
    skewness = np.abs(plan.R_WB @ plan.R_WB.transpose(0, 2, 1) - np.eye(3)).max()
    return bool(
        {phase.limb for phase in plan.phases} >= set(footsteps.limb[:2])
        and np.linalg.norm(plan.com_W[0] - footsteps.com_W[0]) < _FARTHEST_START
        and np.linalg.norm(plan.vel_W, axis=1).max() < _FASTEST
        and skewness < _SKEWNESS
    )


def second_half(
    plan: FrbPlan, footsteps: FootstepPlan, stance: str, swing_limb: str, stance_W: Array, t: float
) -> FrbPlan:
    """The second step of a plan, from the touch-down at time `t` of the foot `stance` at `stance_W` (Sec. 3.2.2).

    The plan is moved in space and time to where and when that foot really landed: a foothold is corrected by as
    much as the body has left its plan. The foothold after it is that of the `footsteps` that the plan refines.
    """
    landed = step_schedule(plan, footsteps, stance)
    delay, offset_W = t - landed.touch_down, stance_W - landed.foothold_W
    old = {phase.limb: phase for phase in plan.phases}  # the last stay of each foot
    standing = [
        replace(old[limb], t_start=t, t_end=old[limb].t_end + delay, cop_W=old[limb].cop_W + offset_W, fixed=True)
        for limb in (swing_limb, stance)
    ]
    landing = replace(
        standing[1],
        limb=swing_limb,
        t_start=float(plan.t[-1]) + delay,
        t_end=float(plan.t[-1]) + delay + float(footsteps.t_end[2] - footsteps.t_start[2]),
        cop_W=np.stack([footsteps.foot_W[2] + offset_W] * 2),
        center_W=footsteps.foot_W[2] + offset_W,
        yaw=float(footsteps.yaw[2]),
        region=footsteps.region[2],
        fixed=False,
    )
    hands = [
        replace(p, t_start=p.t_start + delay, t_end=p.t_end + delay, fixed=p.t_start + delay <= t)
        for p in plan.phases
        if p.limb not in (stance, swing_limb) and p.t_end + delay > t
    ]
    return replace(plan, t=plan.t + delay, com_W=plan.com_W + offset_W, phases=(*standing, landing, *hands))


def _standing_feet(footsteps: FootstepPlan, state: RobotState, walking: Walking) -> list[StandingFoot]:
    """Both feet stand at a touch-down."""
    return [
        StandingFoot(
            limb=limb,
            center_W=center_W,
            yaw=heading(state.limbs[limb].R_WL),
            region=footsteps.region[0],
        )
        for limb, center_W in (
            (walking.stance, walking.landed(state)),
            (walking.swing_limb, state.limbs[walking.swing_limb].p_W),
        )
    ]
