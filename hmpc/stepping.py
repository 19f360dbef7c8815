"""Tier 1 at a touch-down: of the paces, rhythms and flights that could be walked on with, the one that leads on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hmpc.executor.balance import landing_excess, walking_height
from hmpc.footsteps.gait import step_timing
from hmpc.types import Status

if TYPE_CHECKING:
    from hmpc.executor.pace import Proposal
    from hmpc.executor.walking import Walking
    from hmpc.footsteps.planner import FootstepOptions, FootstepPlanner, FootstepStart
    from hmpc.params import Params
    from hmpc.types import BodyModel, Command, RobotState


class Footsteps(NamedTuple):
    """An answer of tier 1 and what was asked."""

    options: FootstepOptions
    command: Command
    start: FootstepStart
    flight: float = 0.0  # [s] that one of the steps has if it is a leap

    def rank(self) -> int:
        """The lower the better."""
        return (Status.OK, Status.UNREACHABLE, Status.FALLBACK).index(self.options.best.status)


class Stepping:
    """Asks the long-term planner, from the boldest way to go on to the calmest."""

    def __init__(self, long_term: FootstepPlanner, body: BodyModel, params: Params):
        self._long_term, self._body, self._params = long_term, body, params

    def choose(self, state: RobotState, walking: Walking, command: Command) -> Footsteps:
        """The footsteps from here on."""
        command = replace(command, body_height=min(command.body_height, self._params.executor.highest_walk))
        found: list[tuple[Footsteps, Proposal]] = []
        for proposal in walking.pace.proposals(state, command, self._params.footsteps):
            if proposal.hurried and any(answer.options.best.status is not Status.FALLBACK for answer, _ in found):
                break
            footsteps = self._at_pace(state, walking, proposal)
            found.append((footsteps, proposal))
            status = footsteps.options.best.status
            if status is Status.OK or (status is Status.UNREACHABLE and self._is_passable(footsteps, command)):
                break
        # Where the way ends the calmest plan comes to a stop most surely.
        chosen, taken = min(reversed(found), key=lambda answer: answer[0].rank())
        walking.pace.take(taken)
        too_high = landing_excess(chosen.options.best, self._body, walking.reach_slack(state))
        if too_high == 0.0:
            return chosen
        lower = max(chosen.command.body_height - too_high, self._params.executor.lowest_walk)
        command = replace(chosen.command, body_height=lower)
        if chosen.flight > 0.0:
            return self._leap(state, command, walking, chosen.flight) or chosen
        return min(self._plan(state, command, walking), chosen, key=Footsteps.rank)

    def warm_up(self, state: RobotState, walking: Walking, command: Command) -> None:
        """Compile what is needed only where the ground dictates the steps."""
        self._long_term.warm_up(self._start(state, command, walking), command)

    def _at_pace(self, state: RobotState, walking: Walking, proposal: Proposal) -> Footsteps:
        """For one proposal; where the regions leave no other choice, steps may be quicker or slower, or one a leap.

        A leap is also better than to stop short at an edge and to step over from there: at speed that is a stumble.
        Who speeds up, or leaps, pushes off with a leg that is not straight yet: as low as the velocity that is planned
        with needs. A steady walk is known to be slower than that, and higher.
        """
        found = []
        planned = math.hypot(*proposal.command.velocity_H)
        speed = math.hypot(*proposal.pace[:2]) if walking.pace.settled else planned
        for command in self._rhythms(state, walking, proposal.command, speed, self._params.footsteps.duration_factors):
            found.append(self._plan(state, command, walking))
            best = found[-1].options.best
            if best.status is Status.OK and self._stops_short(found[-1]):
                break
            if best.status is Status.OK or (best.status is Status.FALLBACK and not best.constrained):
                return min(found, key=Footsteps.rank)
        leaps = (
            self._leap(state, command, walking, flight)
            for command in self._rhythms(
                state, walking, proposal.command, planned, self._params.footsteps.leap_duration_factors
            )
            for flight in self._params.footsteps.flights
        )
        possible = [answer for answer in found if answer.options.best.status is Status.OK] + [*filter(None, leaps)]
        return (
            min(possible, key=lambda answer: answer.options.best.cost) if possible else min(found, key=Footsteps.rank)
        )

    def _stops_short(self, footsteps: Footsteps) -> bool:
        """Whether steps that the ground dictates would brake a quick walk on the way."""
        best, wanted = footsteps.options.best, math.hypot(*footsteps.command.velocity_H)
        now, *then = (math.hypot(*velocity) for velocity in best.com_vel_W[:, :2].tolist())
        params = self._params.footsteps
        return wanted > params.leap_pace and min(then) < params.stumble * min(wanted, now)

    def _rhythms(
        self, state: RobotState, walking: Walking, proposal: Command, speed: float, factors: Sequence[float]
    ) -> Iterator[Command]:
        """A command with the durations of its steps that are tried, as high as a walk at `speed` [m/s] may be."""
        assert proposal.step_duration is not None
        slack, gravity = walking.reach_slack(state), self._params.executor.gravity
        for factor in factors:
            command = replace(proposal, step_duration=factor * proposal.step_duration)
            height = walking_height(command, speed, state, self._body, slack, gravity)
            yield replace(command, body_height=height)

    def _plan(self, state: RobotState, command: Command, walking: Walking) -> Footsteps:
        """From here on, step by step."""
        start = self._start(state, command, walking)
        return Footsteps(self._long_term.plan(start, command), command, start)

    def _leap(self, state: RobotState, command: Command, walking: Walking, flight: float) -> Footsteps | None:
        """From here on, with a `flight` [s] where steps do not lead on; None if that is not possible."""
        start = self._start(state, command, walking)
        options = self._long_term.leap(start, command, flight)
        return None if options is None else Footsteps(options, command, start, flight)

    def _start(self, state: RobotState, command: Command, walking: Walking) -> FootstepStart:
        """The situation as tier 1 sees it, in the rhythm of a command."""
        feet_W = {foot: state.limbs[foot].p_W for foot in self._long_term.feet}
        feet_W[walking.stance] = walking.landed(state)
        com_height = self._long_term.com_height(
            state.body.com_W, walking.heading, feet_W, walking.stance, command.body_height
        )
        return walking.footstep_start(state, com_height, step_timing(command, self._params.footsteps))

    def _is_passable(self, footsteps: Footsteps, command: Command) -> bool:
        """Whether what is too far apart for the pace so far can be passed at the commanded one."""
        start, at_speed = footsteps.start, replace(footsteps.command, velocity_H=command.velocity_H, step_duration=None)
        return self._long_term.plan(start, at_speed).best.status is Status.OK or any(
            self._long_term.leap(start, at_speed, flight) is not None for flight in self._params.footsteps.flights
        )
