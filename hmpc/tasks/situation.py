"""What a stage is planned from: the character as it is now and what there is around it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.frb.legs import com_over_hips, upper_com
from hmpc.geometry import rotation_z, rotation_zyx
from hmpc.tasks.standing_foot import AFTER, FORCE_POINTS, standing_foot
from hmpc.types import ContactPhase, FrbState, TargetState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, BodyModel, ContactRegion, RobotState

_FLAT, _STEEP = 0.8, 0.5  # cosine of the slope of a sole that stands, and of one that tells no direction
_LOADED = 10.0  # [N] a limb that feels more is in contact


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Scene:
    """What can be touched on purpose."""

    regions: tuple[ContactRegion, ...]  # by feet
    handholds: tuple[ContactRegion, ...]
    seats: tuple[ContactRegion, ...] = ()  # their x axes point to where one looks who sits
    lying: bool = False  # the character lies on the ground at first


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Situation:
    """The character now, in its scene, and the words for what it could do next."""

    state: RobotState
    body: BodyModel
    scene: Scene
    gravity: float
    roots_W: Mapping[str, Array]  # limb -> (3,) [m] hip or shoulder
    ankles_W: tuple[Array, Array]  # left, right (3,) [m]
    holds: Mapping[str, ContactRegion]  # what each limb in contact rests on, as far as planned
    facing: float | None = None  # [rad] heading of what is to be done; None: where the feet point

    @property
    def t(self) -> float:
        return self.state.t

    @property
    def heading(self) -> float:
        """Where the task faces or else the feet point, or the body when they point to the ground or the sky [rad]."""
        if self.facing is not None:
            return self.facing
        feet = [self.state.limbs[name].R_WL for name in self.feet]
        if min(R[2, 2] for R in feet) < _STEEP:
            left_W = self.state.body.R_WB[:, 1]  # level, however far the body leans
            return math.atan2(-left_W[0], left_W[1])
        return math.atan2(sum(R[1, 0] for R in feet), sum(R[0, 0] for R in feet))

    @property
    def feet(self) -> tuple[str, ...]:
        return tuple(limb.name for limb in self.body.limbs if limb.is_foot)

    @property
    def hands(self) -> tuple[str, ...]:
        return tuple(limb.name for limb in self.body.limbs if limb.is_hand)

    @property
    def knees(self) -> tuple[str, ...]:
        return tuple(limb.name for limb in self.body.limbs if limb.is_knee)

    @property
    def seat(self) -> str:
        return next(limb.name for limb in self.body.limbs if limb.is_seat)

    @property
    def ground(self) -> float:
        """[m] height of the lowest place around."""
        return min(float(region.p_W[2]) for region in self.scene.regions)

    @property
    def weight(self) -> float:
        """[N]"""
        return self.body.mass * self.gravity

    @property
    def hips_W(self) -> Array:
        """(3,) [m] middle of the hips."""
        return np.mean([self.roots_W[foot] for foot in self.feet], axis=0)

    @property
    def between_feet_W(self) -> Array:
        """(3,) [m] middle of the soles."""
        return np.mean([self.state.limbs[foot].p_W for foot in self.feet], axis=0)

    @property
    def upper_com_B(self) -> Array:
        """(3,) [m] the upper body's COM in its present posture, relative to the hips."""
        return upper_com(self.body, self.state.body, self.hips_W, self.ankles_W)

    @property
    def standing_upper_com_B(self) -> Array:
        """(3,) [m] the same when the character stands."""
        assert self.body.leg is not None  # of a robot that does tasks
        return self.body.leg.upper_com_B

    @property
    def posed_body(self) -> BodyModel:
        """The body with its shoulders where they are now: a bent spine brings them down and forward."""
        feet = [limb.root_B for limb in self.body.limbs if limb.is_foot]
        hips_B = np.mean(feet, axis=0)
        R_BW = self.state.body.R_WB.T
        limbs = tuple(
            replace(limb, root_B=hips_B + R_BW @ (self.roots_W[limb.name] - self.hips_W))
            if limb.name in self.hands
            else limb
            for limb in self.body.limbs
        )
        return replace(self.body, limbs=limbs)

    @property
    def rigid_body(self) -> BodyModel:
        """The body with hips and shoulders where they are now: no leg model tells where those of a kneeler go."""
        R_BW, com_W = self.state.body.R_WB.T, self.state.body.com_W
        limbs = tuple(replace(limb, root_B=R_BW @ (self.roots_W[limb.name] - com_W)) for limb in self.body.limbs)
        return replace(self.body, limbs=limbs)

    def stands(self, foot: str) -> bool:
        """Whether a foot is flat on the ground."""
        found = self.state.limbs[foot]
        return found.touching and bool(found.R_WL[2, 2] > _FLAT)

    def is_loaded(self, limb: str) -> bool:
        """Whether a limb touches something and feels it."""
        found = self.state.limbs[limb]
        return found.touching and bool(np.linalg.norm(found.force_W) > _LOADED)

    def forward(self, distance: float, left: float = 0.0, up: float = 0.0) -> Array:
        """(3,) [m] a vector in the heading of the feet."""
        return rotation_z(self.heading) @ np.array([distance, left, up])

    # ----- target states

    def at_rest(
        self, t: float, com_W: Array, pitch: float, weight: float = 1.0, *, heading: float | None = None
    ) -> TargetState:
        """At rest at time t with the COM at a place (NaN: free), leaning forward by `pitch`."""
        yaw = self.heading if heading is None else heading
        return TargetState(
            t=t,
            com_W=com_W,
            vel_W=np.zeros(3),
            R_WB=rotation_zyx(yaw, pitch, 0.0),
            omega_W=np.zeros(3),
            weight=weight,
        )

    def com_over(self, hips_W: Array, pitch: float, ankles_W: tuple[Array, Array] | None = None) -> Array:
        """(3,) [m] where the COM is when the hips are there, the body leans and the ankles stay (or are elsewhere)."""
        R_WB = rotation_zyx(self.heading, pitch, 0.0)
        return com_over_hips(self.body, R_WB, self.upper_com_B, hips_W, ankles_W or self.ankles_W)

    def ankles_with(self, foot: str, sole_W: Array) -> tuple[Array, Array]:
        """The ankles (left, right) when one foot is put down flat at another place."""
        leg = self.body.leg
        assert leg is not None  # of a robot that does tasks
        moved = sole_W + self.forward(*leg.ankle_L)
        left, right = (moved if name == foot else ankle for name, ankle in zip(self.feet, self.ankles_W, strict=True))
        return left, right

    def start(self) -> FrbState:
        """The body as it is, taken to be at rest."""
        body = self.state.body
        return FrbState(com_W=body.com_W, vel_W=np.zeros(3), R_WB=body.R_WB, omega_W=np.zeros(3))

    # ----- contact phases

    def keep(self, limb: str, load: float, goal: TargetState) -> ContactPhase:
        """A foot stays where it is beyond the plan, bearing in the end `load` body weights."""
        return standing_foot(self, limb, load, goal)

    def keep_seat(self, until: float) -> ContactPhase:
        """The seat goes on bearing what it bears; how long follows from the motion."""
        return self.sit_on(self.holds.get(self.seat, self.scene.seats[0]), until, begun=True)

    def sit_on(self, seat: ContactRegion, until: float, *, begun: bool = False) -> ContactPhase:
        """The seat may come to bear load."""
        found = self.state.limbs[self.seat]
        return ContactPhase(
            limb=self.seat,
            t_start=self.t,
            t_end=until + AFTER,
            cop_W=found.p_W[None],
            f_l=np.array([max(float(found.force_W[2]), 0.0) if begun else 0.0]),
            f_r_W=np.zeros((1, 3)),
            region=seat,
            center_W=found.p_W,
            fixed=begun,
        )

    def land(
        self, limb: str, region: ContactRegion, p_W: Array, start: float, end: float, load: float, turn: float = 0.0
    ) -> ContactPhase:
        """A foot is put down at a place at time `start`, turned to the left, and bears `load` body weights."""
        return ContactPhase(
            limb=limb,
            t_start=start,
            t_end=end + AFTER,
            cop_W=np.tile(p_W, (2, 1)),
            f_l=np.full(FORCE_POINTS, load * self.weight),
            f_r_W=np.zeros((FORCE_POINTS, 3)),
            region=region,
            center_W=p_W,
            yaw=self.heading + turn,
        )

    def leave(self, phase: ContactPhase, t: float) -> ContactPhase:
        """The same phase, but the limb leaves at time t, handing over its load."""
        fade = np.linspace(1.0, 0.3, len(phase.f_l))
        return replace(phase, t_end=t, f_l=phase.f_l[0] * fade, f_r_W=0.0 * phase.f_r_W)

    def hold(self, limb: str, place: ContactRegion, p_W: Array, start: float, end: float) -> ContactPhase:
        """A hand is on `place` from `start` to `end`; its guess has zero force (Sec. 5.2)."""
        begun = start <= self.t
        found = self.state.limbs[limb]
        point = found.p_W if begun else p_W
        return ContactPhase(
            limb=limb,
            t_start=start,
            t_end=end,
            cop_W=point[None],
            f_l=np.zeros(FORCE_POINTS),
            f_r_W=np.zeros((FORCE_POINTS, 3)),
            region=place,
            center_W=point,
            yaw=self.heading,
            fixed=begun,
        )

    def ground_below(self, limb: str) -> ContactRegion:
        """The region that a limb stands on: the highest one that is not above it."""
        p = self.state.limbs[limb].p_W
        fitting = [region for region in self.scene.regions if _contains(region, p)]
        return max(fitting, key=lambda region: region.p_W[2], default=self.scene.regions[0])


def _contains(region: ContactRegion, p_W: Array, above: float = 0.05) -> bool:
    """Whether a point lies over a region, not further below its surface than `above` [m]."""
    p_R = region.R_WR.T @ (p_W - region.p_W)
    return bool((np.abs(p_R[:2]) <= region.half_extent).all() and p_R[2] > -above)


def situation(
    robot: RobotModel,
    body: BodyModel,
    scene: Scene,
    state: RobotState,
    holds: Mapping[str, ContactRegion],
    gravity: float,
) -> Situation:
    """The situation of a character whose kinematics are up to date."""
    ankles = [robot.joint_anchor(limb.chain.actuators[-1]) for limb in robot.feet()]
    return Situation(
        state=state,
        body=body,
        scene=scene,
        gravity=gravity,
        roots_W={name: robot.limb_root(name) for name in robot.limbs},
        ankles_W=(ankles[0], ankles[1]),
        holds=holds,
    )
