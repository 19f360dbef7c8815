"""Following a plan with hands and feet: which limb carries, which one moves where, and what the hands should bear."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.limb_track import LimbTrack
from hmpc.executor.rail_hands import RailTrack
from hmpc.executor.smoothing import Follower
from hmpc.executor.within_reach import is_stretched, within_reach
from hmpc.frb.rails import rails_among
from hmpc.frb.reference import sample_plan
from hmpc.types import MotionTarget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hmpc.params import ExecutorParams
    from hmpc.robot.limb import Limb
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, FrbPlan, LimbState, LimbTarget, RobotState


class PlanFollower:
    """Targets of a character that follows a plan of the floating rigid body, whatever limbs it uses.

    After its end it keeps the last state of the plan. `loads_W` are the planned forces (T - 1, 3) of the limbs between
    the nodes of the plan: hands are asked to bear theirs, and a seat is trusted with no more than its own, so that the
    legs take over the rest.
    """

    def __init__(
        self,
        robot: RobotModel,
        params: ExecutorParams,
        state: RobotState,
        plan: FrbPlan,
        loads_W: Mapping[str, Array],
        arms: str,
        bend: float = 1.0,
        pose: str = "stand",
    ):
        self._robot, self._params, self.plan, self._loads_W = robot, params, plan, loads_W
        self._t = state.t
        self._pose = Follower(state.qpos[robot.qadr], params.standing.reference_time, params.standing.joint_speed)
        self._leaning = bend * robot.spine_bend + robot.arm_hang  # (nu,) rad per rad that the body leans
        self._rest = robot.named_pose(pose).copy()
        motors, angles = robot.arm_pose(arms)
        self._rest[motors] = angles
        self._tracks = {limb.spec.name: self._track(limb, state) for limb in (*robot.feet(), *robot.hands())}
        knees = {limb.spec.name for limb in robot.knees()}
        self._knees = [phase for phase in plan.phases if phase.limb in knees]
        self._seats = [limb.spec.name for limb in robot.seats() if limb.spec.name in loads_W]

    def _track(self, limb: Limb, state: RobotState) -> LimbTrack:
        name, end = limb.spec.name, float(self.plan.t[-1])
        phases = [phase for phase in self.plan.phases if phase.limb == name]
        if rails_among([phase.region for phase in phases]):
            return RailTrack(name, phases, state, end, False, self._params)
        return LimbTrack(name, phases, state, end, limb.spec.is_foot, self._params, self._outward(limb))

    def _outward(self, limb: Limb) -> Array:
        """(3,) level and away from the other leg, of a foot; nowhere, of a hand."""
        if not limb.spec.is_foot:
            return np.zeros(3)
        hips = [self._robot.limb_root(foot.spec.name) for foot in self._robot.feet()]
        aside = self._robot.limb_root(limb.spec.name) - np.mean(hips, axis=0)
        aside[2] = 0.0
        return aside / np.linalg.norm(aside)

    @property
    def end(self) -> float:
        """[s] when the plan is over."""
        return float(self.plan.t[-1])

    def lost_holds(self, t: float) -> list[str]:
        """Feet that should carry load and have touched nothing for a while; a hand that slips off just lets go."""
        return [name for name, track in self._tracks.items() if track.is_lost(t)]

    @property
    def slipped(self) -> list[str]:
        """Hands that have slipped off what they held, or were torn off it."""
        return [name for name, track in self._tracks.items() if track.slipped]

    def update(self, state: RobotState) -> MotionTarget:
        """Targets for this tick."""
        dt, self._t = state.t - self._t, state.t
        body, acc = sample_plan(self.plan, state.t)
        support: dict[str, float] = {}
        swing: dict[str, LimbTarget] = {}
        load_W: dict[str, Array] = {}
        grip: set[str] = set()
        for name, track in self._tracks.items():
            is_foot = self._robot.limbs[name].spec.is_foot
            track.advance(state, not is_foot and is_stretched(self._robot, name, state, self._params.hold.stretched))
            target = track.target(state)
            if target is not None:
                swing[name] = within_reach(self._robot, name, target)
            if track.carries:
                support[name] = math.inf if is_foot else self._params.hold.hand_force_limit
                if not is_foot:
                    load_W[name] = (
                        self._load(name) if track.on_bar else self._pressed(self._load(name), state.limbs[name])
                    )
                    grip |= {name} if track.on_bar else set()
        for phase in self._knees:
            if phase.t_start <= state.t and (state.t < phase.t_end or phase.t_end >= self.end):
                support[phase.limb] = math.inf
        for name in self._seats:
            support[name] = max(float(self._load(name)[2]), 0.0)
        pose = self._pose.follow(self._posed(body.R_WB), dt)
        return MotionTarget(
            body=body,
            acc_W=acc,
            support=support,
            swing=swing,
            pose=pose.x,
            pose_velocity=pose.v,
            load_W=load_W,
            grip=frozenset(grip),
        )

    def _load(self, limb: str) -> Array:
        history = self._loads_W.get(limb)
        if history is None:
            return np.zeros(3)
        return np.array([np.interp(self._t, self.plan.t[:-1], history[:, axis]) for axis in range(3)])

    def _pressed(self, load_W: Array, limb: LimbState) -> Array:
        """The load of a hand on a plane, pressed on it at least a little."""
        return load_W + max(self._params.hold.pressure - float(load_W @ limb.normal_W), 0.0) * limb.normal_W

    def _posed(self, R_WB: Array) -> Array:
        """The arms as told, but hanging down from a body that leans; the spine bent with it."""
        pitch = math.asin(min(max(-float(R_WB[2, 0]), -1.0), 1.0))
        return self._rest + pitch * self._leaning
