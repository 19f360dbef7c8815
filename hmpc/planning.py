"""Tiers 1 and 2 as the stack uses them: a plan for the step that begins, from pendulums or from CMA."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from hmpc.footsteps.reference import as_frb_plan
from hmpc.frb.planner import PlanSearch
from hmpc.frb.walking import StandingFoot, walking_problem
from hmpc.geometry import heading

if TYPE_CHECKING:
    from hmpc.executor.walking import Walking
    from hmpc.params import Params
    from hmpc.types import BodyModel, Command, FootstepPlan, FrbPlan, RobotState

PlanKind = Literal["frb", "lip"]
_PENDULUM_STEP = 0.01  # [s] at which the closed form is sampled


class MediumTermPlanner(Protocol):
    """What turns footsteps into a motion of the body."""

    def plan(self, footsteps: FootstepPlan, state: RobotState, walking: Walking, command: Command) -> FrbPlan:
        """A plan for the step that begins now and the one after it."""


class PendulumMotionPlanner:
    """`--plan lip`: the pendulums' motion as it is."""

    def __init__(self, body: BodyModel, params: Params):
        self._body, self._params = body, params

    def plan(self, footsteps: FootstepPlan, state: RobotState, walking: Walking, command: Command) -> FrbPlan:
        return as_frb_plan(footsteps, self._body, self._params.footsteps.gravity, _PENDULUM_STEP)


class RigidBodyPlanner:
    """`--plan frb`: the floating rigid body, optimised with CMA between two ticks."""

    def __init__(self, body: BodyModel, params: Params, seed: int):
        self._body, self._params, self._seed = body, params.frb, seed
        self._previous: FrbPlan | None = None
        self._count = 0

    def plan(self, footsteps: FootstepPlan, state: RobotState, walking: Walking, command: Command) -> FrbPlan:
        feet = [
            StandingFoot(
                limb=limb,
                center_W=state.limbs[limb].p_W,
                yaw=heading(state.limbs[limb].R_WL),
                region=footsteps.region[0],
            )
            for limb in (walking.stance, walking.swing_limb)
        ]
        first = walking.steps == 0
        problem = walking_problem(
            footsteps, state.body, feet, command, self._body, self._params, None if first else self._previous
        )
        search = PlanSearch(problem, self._params, self._seed + self._count)
        search.iterate(self._params.iterations if first else self._params.replan_iterations)
        self._count += 1
        self._previous = search.best()
        return self._previous


def medium_term_planner(kind: PlanKind, body: BodyModel, params: Params, seed: int) -> MediumTermPlanner:
    """The planner of that name."""
    return RigidBodyPlanner(body, params, seed) if kind == "frb" else PendulumMotionPlanner(body, params)
