"""Hands of a walking character: they reach for a rail, hold it, bear what is planned, let go and move on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.executor.glide import Glide
from hmpc.executor.limb_track import LimbTrack
from hmpc.executor.within_reach import is_stretched, within_reach
from hmpc.frb.rails import Hold
from hmpc.frb.table import surface_axes
from hmpc.geometry import heading, rotation_z

if TYPE_CHECKING:
    from hmpc.params import ExecutorParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, ContactPhase, FrbPlan, LimbState, LimbTarget, RobotState


class HandTargets(NamedTuple):
    """The part of a `MotionTarget` that belongs to the hands."""

    support: dict[str, float]  # [N]
    swing: dict[str, LimbTarget]
    load_W: dict[str, Array]  # (3,) [N]
    grip: frozenset[str]


NOTHING = HandTargets({}, {}, {}, frozenset())


class RailTrack(LimbTrack):
    """One hand, from plan to plan and from hold to hold."""

    def __init__(
        self,
        name: str,
        phases: Sequence[ContactPhase],
        state: RobotState,
        end: float,
        is_foot: bool,
        params: ExecutorParams,
    ):
        if phases and phases[0].fixed:
            self._R_hold = _hold_axes(phases[0])
        super().__init__(name, phases, state, end, is_foot, params)

    @property
    def hold(self) -> Hold | None:
        """Where the hand is, or will be next: a hand in the air is committed to where it goes."""
        if not self._phases:
            return None
        return Hold(self._phases[0].region, self._anchor.p_W if self.carries else self._phases[0].center_W)

    def target(self, state: RobotState) -> LimbTarget | None:
        """A closed hand stays as it has taken hold: one that turned about the rail would be caught under it."""
        target = super().target(state)
        if target is None or not self.carries:
            return target
        return replace(target, R_WL=self._R_hold, authority=self._params.rail_hands.authority)

    def take(self, phases: Sequence[ContactPhase], state: RobotState) -> None:
        """Go on with the phases of a new plan, of which a hold that exists is the first."""
        before, self._phases = self._phases, list(phases)
        stays = bool(phases) and (phases[0].fixed or not self.carries)
        if before and not stays:
            self._move_on(state)
        elif phases and not before:
            self._reach_for_next(state)

    def _take_hold_again(self, state: RobotState) -> None:
        """Further on: who walks has left the place behind."""
        self._let_go(state)

    def _move_on(self, state: RobotState) -> None:
        """Along the rail; or over it to the body's side of it, fingers forward, and on with the body."""
        if self._phases:
            super()._move_on(state)
            return
        self.carries = False
        body, hand, params = state.body, state.limbs[self._name], self._params.rail_hands
        duration = params.return_time
        R_WH = rotation_z(heading(body.R_WB))
        inward_H = np.array([0.0, params.inside_rail * np.sign((body.com_W - hand.p_W) @ R_WH[:, 1]), 0.0])
        with_body_H = duration * np.array([R_WH[:, 0] @ body.vel_W, 0.0, body.vel_W[2]])
        self._draw_back(hand, state.t, duration, hand.p_W + R_WH @ (inward_H + with_body_H), R_WH)

    def _reach_for_next(self, state: RobotState) -> None:
        """From above, a little before it has to bear load."""
        phase, limb, params = self._phases[0], state.limbs[self._name], self._params
        arrival = max(phase.t_start - params.rail_hands.early_hold, state.t + params.reach.shortest)
        R_rail = phase.region.R_WR
        self._R_hold = _hold_axes(phase)
        self._path = Glide(limb, state.t, arrival, phase.center_W, self._R_hold, R_rail, params.reach)

    def _arrived(self, state: RobotState, limb: LimbState) -> bool:
        """A hand that brushes the rail on its way does not close: it would be torn to a stop."""
        params = self._params.rail_hands
        slow = np.linalg.norm(limb.vel_W) < params.slow_hand
        near = bool(self._phases) and np.linalg.norm(limb.p_W - self._phases[0].center_W) < params.near_hold
        return bool(slow and near) and super()._arrived(state, limb)


def _hold_axes(phase: ContactPhase) -> Array:
    """(3, 3) of a hand that lies on a rail as a phase wants it."""
    return surface_axes(phase.region.R_WR[:, 2], phase.yaw)


class RailHands:
    """The hands of a walker, through one plan after the other."""

    def __init__(self, robot: RobotModel, params: ExecutorParams):
        self._robot, self._params = robot, params
        self.names = [limb.spec.name for limb in robot.hands()]
        self._tracks: dict[str, RailTrack] = {}
        self._arms_bent = robot.stand_pose.copy()
        motors, angles = robot.arm_pose("bent")
        self._arms_bent[motors] = angles
        self._t = np.empty(0)
        self._loads_W: Mapping[str, Array] = {}

    @property
    def holding(self) -> dict[str, Hold]:
        """The hands that are on a rail or on their way to one, and where."""
        return {name: hold for name, track in self._tracks.items() if (hold := track.hold) is not None}

    def follow(self, plan: FrbPlan, loads_W: Mapping[str, Array], state: RobotState) -> None:
        """Take a new plan; `loads_W` are its forces (T - 1, 3) [N] between its nodes."""
        self._t, self._loads_W = plan.t[:-1], loads_W
        for name in self.names:
            phases = [phase for phase in plan.phases if phase.limb == name]
            if name in self._tracks:
                self._tracks[name].take(phases, state)
            elif phases:
                # A hand lets go when its time has come, whether or not the plan goes on for so long.
                self._tracks[name] = RailTrack(name, phases, state, math.inf, False, self._params)

    def update(self, state: RobotState, pose: Array, pose_velocity: Array) -> HandTargets:
        """Targets for this tick; `pose` becomes that from which the arms in use reach."""
        if not self._tracks:
            return NOTHING
        support, swing, load_W = {}, {}, {}
        for name, track in self._tracks.items():
            track.advance(state, self._is_left_behind(name, state))
            target = track.target(state)
            if target is not None:
                swing[name] = replace(within_reach(self._robot, name, target), from_rest=True)
            if track.carries:
                load_W[name] = self._load(name, state.t)
                # A hand helps to balance, but it does not take over from feet that lose touch for a moment.
                reserve = float(np.linalg.norm(load_W[name])) + self._params.rail_hands.reserve
                support[name] = min(reserve, self._params.hold.hand_force_limit)
            if name in swing:
                motors = self._robot.limbs[name].chain.actuators
                pose[motors], pose_velocity[motors] = self._arms_bent[motors], 0.0
        return HandTargets(support, swing, load_W, frozenset(support))

    def _is_left_behind(self, name: str, state: RobotState) -> bool:
        """Whether the arm is stretched towards a hold from which the body moves away."""
        away = (state.limbs[name].p_W - self._robot.limb_root(name)) @ state.body.vel_W < 0.0
        return bool(away) and is_stretched(self._robot, name, state, self._params.hold.stretched)

    def _load(self, hand: str, t: float) -> Array:
        history = self._loads_W.get(hand)
        if history is None:
            return np.zeros(3)
        return np.array([np.interp(t, self._t, history[:, axis]) for axis in range(3)])
