"""Everything that crosses a boundary between two rooms of the house.

Frozen dataclasses, SI units, read-only arrays. Frames: W world, B body of the
floating rigid body, H heading (yaw only), R region. ``R_WB`` maps B to W and a
vector's name ends in the frame of its axes. Forces act *on the character*.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from hmpc.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


def read_only(value: ArrayLike, *shape: int | None) -> Array:
    """A read-only float copy of `value`, or itself if nobody can write to it; `shape` (None: any length) is checked."""
    if _is_frozen(value):
        array = value
    else:
        array = np.array(value, dtype=np.float64)
        array.setflags(write=False)
    if array.shape != shape and (
        array.ndim != len(shape)
        or any(want is not None and want != got for want, got in zip(shape, array.shape, strict=True))
    ):
        raise InputError(f"Expected an array of shape {shape}, got {array.shape}.")
    return array


def _is_frozen(value: ArrayLike) -> TypeGuard[Array]:
    """Whether `value` is an array of floats that is read-only, and so is what it may be a view of."""
    if not isinstance(value, np.ndarray) or value.flags.writeable or value.dtype != np.float64:
        return False
    base: object = value.base
    return base is None or (isinstance(base, np.ndarray) and not base.flags.writeable)


def _freeze(instance: object, **shapes: tuple[int | None, ...]) -> None:
    for name, shape in shapes.items():
        value = getattr(instance, name)
        if not (_is_frozen(value) and value.shape == shape):
            object.__setattr__(instance, name, read_only(value, *shape))


class Status(Enum):
    """How a planner or solver ended; anything but OK is counted and reported."""

    OK = "ok"
    FALLBACK = "fallback"  # a safe answer, not the one asked for
    UNREACHABLE = "unreachable"  # nothing ahead can be stepped on: stop in front of it
    NO_CONTACT = "no contact"  # nothing to push against


class Bearing(Enum):
    """How the character carries itself, by which a fall is judged."""

    UPRIGHT = "upright"  # it stands, walks or sits: a body that tilts or sinks far has fallen
    LEANING = "leaning"  # on hands, bent further than that: only what touches the ground tells
    KNEELING = "kneeling"  # the same on hands and knees, where legs may touch it, too
    LYING = "lying"  # on the ground: nobody can fall from there


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Posture:
    """User-settable style of the body: what the planners leave open (Sec. 4)."""

    trunk_yaw: float = 0.0  # [rad] of the trunk against the feet's heading, left positive
    trunk_pitch: float = 0.0  # [rad] lean, forward positive
    head_yaw: float = 0.0  # [rad] left positive
    head_pitch: float = 0.0  # [rad] down positive
    arms: str = "rest"  # a named arm pose of the robot
    lifted_foot: str | None = None  # limb to lift while standing on the others
    lift_height: float = 0.15  # [m]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Command:
    """What the user asks for, in the heading frame (REP-103: x forward, y left)."""

    velocity_H: Array = field(default_factory=lambda: np.zeros(2))  # (2,) [m/s] forward, left
    yaw_rate: float = 0.0  # [rad/s] counter-clockwise
    step_duration: float | None = None  # [s]; None: chosen from the speed
    body_height: float = 1.0  # COM height as a fraction of standing height
    step_width: float | None = None  # [m] between the feet; None: the robot's
    goal_W: Array | None = None  # (3,) [m]
    posture: Posture = field(default_factory=Posture)

    def __post_init__(self) -> None:
        _freeze(self, velocity_H=(2,))
        if self.goal_W is not None:
            _freeze(self, goal_W=(3,))
        numbers = (*self.velocity_H, self.yaw_rate, self.body_height, self.step_duration or 0.0, self.step_width or 0.0)
        if not all(math.isfinite(x) for x in numbers):
            raise InputError("A command needs finite numbers for velocity, yaw rate, height, step duration and width.")


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ContactRegion:
    """A planar rectangle (or a rail: second half-extent 0) that limbs may touch."""

    p_W: Array  # (3,) [m] centre
    R_WR: Array  # (3, 3), z column = surface normal
    half_extent: Array  # (2,) [m]
    mu: float = 0.8  # friction coefficient
    bilateral: bool = False  # can be pulled on (a bar in a closed hand)

    def __post_init__(self) -> None:
        _freeze(self, p_W=(3,), R_WR=(3, 3), half_extent=(2,))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ContactSet:
    """The N points at which the character can exchange force with the world now.

    A structure of arrays, because it is made and used at every tick.
    """

    limb: tuple[str, ...]  # (N,)
    p_W: Array  # (N, 3) [m]
    normal_W: Array  # (N, 3) out of the surface, towards the character
    mu: Array  # (N,) friction coefficient
    bilateral: NDArray[np.bool_]  # (N,) may pull as well as push (a closed hand)
    max_force: Array  # (N,) [N] cap on the normal force (inf: none; small for a foot about to leave)

    def __len__(self) -> int:
        return len(self.limb)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FrbState:
    """State of the floating rigid body, x = (c, v, R, w) of Sec. 3.2.1."""

    com_W: Array  # (3,) [m]
    vel_W: Array  # (3,) [m/s]
    R_WB: Array  # (3, 3)
    omega_W: Array  # (3,) [rad/s]
    numbers: Array = field(init=False, repr=False)  # (6, 3): com_W, vel_W, the rows of R_WB, omega_W, for kernels

    def __post_init__(self) -> None:
        parts = self.com_W, self.vel_W, self.R_WB, self.omega_W
        shapes = [np.shape(part) for part in parts]
        if shapes != [(3,), (3,), (3, 3), (3,)]:
            raise InputError(f"A state has vectors (3,) and a matrix (3, 3), got {shapes}.")
        numbers = np.empty((6, 3))
        numbers[0], numbers[1], numbers[2:5], numbers[5] = parts
        numbers.setflags(write=False)
        self._keep(numbers)

    @staticmethod
    def of(numbers: Array) -> FrbState:
        """Of a table like `numbers`; it is made so at every tick."""
        state = object.__new__(FrbState)
        state._keep(read_only(numbers, 6, 3))
        return state

    def _keep(self, numbers: Array) -> None:
        put = object.__setattr__
        put(self, "numbers", numbers)
        put(self, "com_W", numbers[0])
        put(self, "vel_W", numbers[1])
        put(self, "R_WB", numbers[2:5])
        put(self, "omega_W", numbers[5])


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LimbState:
    """Where the contact pad of a limb is, and what it feels."""

    p_W: Array  # (3,) [m] middle of the pad
    R_WL: Array  # (3, 3), x along the pad, z into the limb
    vel_W: Array  # (3,) [m/s]
    omega_W: Array  # (3,) [rad/s]
    touching: bool  # in contact with the world at this tick
    normal_W: Array  # (3,) of the surface it touches; up where it touches nothing
    force_W: Array  # (3,) [N] measured over the last step

    @staticmethod
    def of(numbers: Array, touching: bool) -> LimbState:
        """Of a row (8, 3) of `Limbs`; a few are made so at every tick."""
        state, put = object.__new__(LimbState), object.__setattr__
        put(state, "p_W", numbers[0])
        put(state, "R_WL", numbers[1:4])
        put(state, "vel_W", numbers[4])
        put(state, "omega_W", numbers[5])
        put(state, "touching", touching)
        put(state, "normal_W", numbers[6])
        put(state, "force_W", numbers[7])
        return state


class Limbs(Mapping[str, LimbState]):
    """The limbs of a character by name: a table, because it is made and used at every tick.

    A `LimbState` is made when it is asked for.
    """

    __slots__ = ("_made", "index", "numbers", "touching")

    def __init__(self, index: Mapping[str, int], numbers: Array, touching: Sequence[bool]):
        """`numbers` (L, 8, 3), of limb k in row k: p_W, the rows of R_WL, vel_W, omega_W, normal_W, force_W."""
        self.index, self.touching = index, tuple(touching)
        self.numbers = read_only(numbers, len(index), 8, 3)
        self._made: dict[str, LimbState] = {}

    @staticmethod
    def of(limbs: Mapping[str, LimbState]) -> Limbs:
        """The table of limbs that are already there."""
        numbers = [
            np.vstack([limb.p_W, limb.R_WL, limb.vel_W, limb.omega_W, limb.normal_W, limb.force_W])
            for limb in limbs.values()
        ]
        index = {name: k for k, name in enumerate(limbs)}
        return Limbs(index, np.array(numbers), [limb.touching for limb in limbs.values()])

    def __getitem__(self, name: str) -> LimbState:
        made = self._made.get(name)
        if made is None:
            k = self.index[name]
            made = self._made[name] = LimbState.of(self.numbers[k], self.touching[k])
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self.index)

    def __len__(self) -> int:
        return len(self.index)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class RobotState:
    """What the controller sees at a tick."""

    t: float  # [s]
    qpos: Array  # MuJoCo order
    qvel: Array  # MuJoCo order
    body: FrbState
    angular_momentum_W: Array  # (3,) [N m s] about the COM
    limbs: Limbs


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LimbModel:
    """What the planners need to know of a limb: its sole and its reach."""

    name: str
    half_extent: Array  # (2,) [m] of the contact rectangle: forward, sideways
    root_B: Array  # (3,) [m] hip or shoulder relative to the COM, body axes, standing
    reach: float  # [m] largest distance root -> contact point
    is_foot: bool
    is_knee: bool = False
    is_seat: bool = False  # part of the trunk, with no motor between

    def __post_init__(self) -> None:
        _freeze(self, half_extent=(2,), root_B=(3,))

    @property
    def is_hand(self) -> bool:
        return not (self.is_foot or self.is_knee or self.is_seat)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LegModel:
    """Two links and a foot, the same left and right: what tells where the hips are when the knees bend.

    The rest of the character is the upper body, which is carried by the middle of the hips.
    """

    thigh: float  # [m] hip to knee
    shank: float  # [m] knee to ankle
    thigh_mass: float  # [kg]
    shank_mass: float  # [kg]
    foot_mass: float  # [kg]
    thigh_com: float  # of the way from hip to knee
    shank_com: float  # of the way from knee to ankle
    ankle_L: Array  # (3,) [m] relative to the middle of the sole
    upper_com_B: Array  # (3,) [m] COM of the upper body relative to the middle of the hips, standing

    def __post_init__(self) -> None:
        _freeze(self, ankle_L=(3,), upper_com_B=(3,))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class BodyModel:
    """The floating rigid body of a robot (whole-body mass and inertia: statics must balance)."""

    mass: float  # [kg]
    inertia_B: Array  # (3, 3) [kg m^2] about the COM, standing
    com_height: float  # [m] above the soles, standing
    step_width: float  # [m] between the feet, standing
    limbs: tuple[LimbModel, ...]
    leg: LegModel | None = None  # None: the hips keep their place in the body

    def __post_init__(self) -> None:
        _freeze(self, inertia_B=(3, 3))

    def limb(self, name: str) -> LimbModel:
        for limb in self.limbs:
            if limb.name == name:
                return limb
        raise UnknownNameError("limb", name, (limb.name for limb in self.limbs))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Leap:
    """A step with a flight in it: nothing touches the ground between lift-off and touch-down."""

    step: int  # index of the phase whose foot lands; the one before is that of the foot that pushes off
    lift_off: float  # [s]
    touch_down: float  # [s]
    com_W: Array  # (2, 3) [m] at lift-off and at touch-down
    com_vel_W: Array  # (2, 3) [m/s]

    def __post_init__(self) -> None:
        _freeze(self, com_W=(2, 3), com_vel_W=(2, 3))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FootstepPlan:
    """K inverted-pendulum phases laid out by the long-term planner (Sec. 3.1)."""

    limb: tuple[str, ...]  # (K,) stance foot of each phase
    t_start: Array  # (K,) [s]
    t_end: Array  # (K,) [s]
    region: tuple[ContactRegion, ...]  # (K,)
    double_support: Array  # (K,) [s] first part of each phase, while the COP moves over from the previous one
    foot_W: Array  # (K, 3) [m] foot placement
    cop_W: Array  # (K, 3) [m] centre of pressure: the foot placement, unless moved within the sole that stands now
    cop_start_W: Array  # (3,) [m] centre of pressure at t_start[0]; cop_W[0] outside of double support
    yaw: Array  # (K,) [rad] heading of the foot
    com_W: Array  # (K + 1, 3) [m] at the phase boundaries
    com_vel_W: Array  # (K + 1, 3) [m/s]
    vault: Array  # (K,) [m] by which the COM rises in the middle of each phase, with linear accelerations ±24 vault/T²
    omega: float  # [1/s] sqrt(g / h) of the pendulum
    cost: float
    status: Status = Status.OK
    constrained: bool = False  # the regions, not the command, decide where the next feet go
    leap: Leap | None = None  # in place of the double support of one of the phases

    @property
    def in_the_open(self) -> bool:
        """Whether all steps are on one surface, where the command has them: no edge is near."""
        return not self.constrained and self.leap is None and all(region is self.region[0] for region in self.region)

    def __post_init__(self) -> None:
        for name in ("t_start", "t_end", "double_support", "yaw", "vault"):
            _freeze(self, **{name: (None,)})
        for name in ("foot_W", "cop_W", "com_W", "com_vel_W"):
            _freeze(self, **{name: (None, 3)})
        _freeze(self, cop_start_W=(3,))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ContactPhase:
    """One stay of a limb on a surface: Omega = (t_s, t_f, p_0..p_h, f_0..f_n), Sec. 3.2.1."""

    limb: str
    t_start: float  # [s]
    t_end: float  # [s]
    cop_W: Array  # (h, 3) [m] control points of the centre of pressure
    f_l: Array  # (n,) [N] force along the line from the COP to the COM, see docs/equations.md
    f_r_W: Array  # (n, 3) [N] free force
    region: ContactRegion
    center_W: Array  # (3,) [m] centre of the limb's contact rectangle
    yaw: float = 0.0  # [rad] heading of the limb's contact rectangle
    fixed: bool = False  # already in contact: the rectangle cannot move any more

    def __post_init__(self) -> None:
        _freeze(self, cop_W=(None, 3), f_l=(None,), f_r_W=(None, 3), center_W=(3,))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TargetState:
    """A full or partial desired state at a moment (Sec. 3.2.2); NaN entries and None are free."""

    t: float  # [s]
    com_W: Array | None = None  # (3,) [m]
    vel_W: Array | None = None  # (3,) [m/s]
    R_WB: Array | None = None  # (3, 3)
    omega_W: Array | None = None  # (3,) [rad/s]
    weight: float = 1.0


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FrbPlan:
    """The medium-term plan: a trajectory of the floating rigid body and its contact phases."""

    t: Array  # (T,) [s]
    com_W: Array  # (T, 3)
    vel_W: Array  # (T, 3)
    R_WB: Array  # (T, 3, 3)
    omega_W: Array  # (T, 3)
    acc_W: Array  # (T, 3)
    phases: tuple[ContactPhase, ...]
    cost: float
    status: Status = Status.OK

    def __post_init__(self) -> None:
        _freeze(
            self,
            t=(None,),
            com_W=(None, 3),
            vel_W=(None, 3),
            R_WB=(None, 3, 3),
            omega_W=(None, 3),
            acc_W=(None, 3),
        )


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LimbTarget:
    """Where a limb in the air should be now (Sec. 4)."""

    p_W: Array  # (3,) [m]
    R_WL: Array  # (3, 3)
    vel_W: Array  # (3,) [m/s]
    acc_W: Array  # (3,) [m/s^2]
    omega_W: Array  # (3,) [rad/s]
    authority: float = 1.0  # how firmly it is tracked: 0..1 while the limb still carries load
    from_rest: bool = False  # joint angles are solved from the rest pose on: the elbow of an arm that reaches stays low


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class MotionTarget:
    """What the executor hands to tiers 3 and 4 at a tick."""

    body: FrbState
    acc_W: Array  # (3,) [m/s^2] of the COM
    support: Mapping[str, float]  # limbs that may push on the world -> cap on their normal force [N]
    swing: Mapping[str, LimbTarget]  # limbs that move through the air, or are about to
    pose: Array  # (nu,) [rad] of every joint that no limb target decides
    pose_velocity: Array  # (nu,) [rad/s]
    load_W: Mapping[str, Array] = field(default_factory=dict)  # limb -> (3,) [N] that it should carry; others: free
    grip: frozenset[str] = frozenset()  # hands that should hold the bar they touch
    rolling: frozenset[str] = frozenset()  # feet that come down on an edge first: the rest of the sole cannot push yet
    pushing: frozenset[str] = frozenset()  # limbs about to leave: they push also at a tick at which they do not touch
    exact: bool = False  # torques from the dynamics of the motion that the contact forces lead to, not a sum of parts
    takes_off: bool = False  # about to fly: from then on nothing can change the angular momentum


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ContactForces:
    """Answer of the short-term planner: the force that each contact point should carry."""

    contacts: ContactSet
    force_W: Array  # (N, 3) [N]
    residual_W: Array  # (6,) net wrench minus the wanted one [N, N m]
    status: Status


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Torques:
    """Joint torques in actuator order [N m] and the parts they are the sum of."""

    tau: Array  # (nu,) clipped at the motors' limits
    virtual: Array  # -J^T f of the limbs in contact
    swing: Array  # virtual forces on the swing limbs
    gravity: Array  # weight of every segment
    pd: Array  # implicit PD of the posture
