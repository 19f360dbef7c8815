"""What an environment is: the protocol, and a base class that makes one a short file.

An environment is a frozen dataclass whose fields are its parameters:

    @dataclass(frozen=True, eq=False, kw_only=True)
    class Kerb(BaseEnvironment):
        name = "kerb"
        description = "one step up"
        height: float = parameter(0.10, 0.0, 0.3, "m", "of the kerb")

        def blocks(self) -> tuple[Block, ...]:
            road = Block(top=region((0, 0, 0), (50, 50), self.friction), depth=math.inf, material=CHECKER)
            pavement = Block(top=region((3, 0, self.height), (2, 5), self.friction))
            return road, pavement
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from hmpc.sim.parameters import check_parameters, parameter
from hmpc.sim.scenery import MAX_FRICTION, Bar, Block, add_sky_and_light
from hmpc.types import ContactRegion, Posture, read_only

if TYPE_CHECKING:
    import mujoco

    from hmpc.types import Array


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Start:
    """How a run begins: where the character is, which way it faces, how it is posed, what it carries."""

    position_W: Array = field(default_factory=lambda: np.zeros(3))  # (3,) [m] on the ground, between the feet
    yaw: float = 0.0  # [rad] heading
    pose: str = "stand"  # a named pose of the robot
    seat_height: float | None = None  # [m] above the ground; the character sits at this height
    lying: Literal["front", "back"] | None = None  # on the ground, at rest
    disarray: float = 0.0  # [rad] by which the joints of who lies are off the pose, at most ...
    pose_seed: int = 0  # ... and what is drawn
    task: str | None = None  # that the character does first
    seconds: float = 10.0  # [s] that a run lasts unless told otherwise
    loads: Mapping[str, float] = field(default_factory=dict)  # [kg] that a limb carries, by its name

    def __post_init__(self) -> None:
        object.__setattr__(self, "position_W", read_only(self.position_W, 3))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class RunFacts:
    """What is known of a run when it is over; an environment judges it by these."""

    seconds: float  # [s] simulated
    fell: bool
    start_com_W: Array  # (3,) [m]
    end_com_W: Array  # (3,) [m]
    steps: int = 0  # touch-downs of a foot
    upright_since: float | None = None  # [s] from when on it has stood upright on its feet; None: it does not

    def __post_init__(self) -> None:
        for name in ("start_com_W", "end_com_W"):
            object.__setattr__(self, name, read_only(getattr(self, name), 3))

    @property
    def distance(self) -> float:
        """How far the COM got over the ground [m], as the crow flies."""
        return float(np.linalg.norm((self.end_com_W - self.start_com_W)[:2]))


class Outcome(NamedTuple):
    """An environment's verdict on a run."""

    success: bool
    reason: str  # one sentence


class Environment(Protocol):
    """A place to be in and what counts as success there."""

    name: ClassVar[str]  # the word for it on the command line
    description: ClassVar[str]  # half a line for lists and menus

    def build(self, spec: mujoco.MjSpec) -> None:
        """Add the world's geometry to `spec`, which holds the robot already."""

    def regions(self) -> tuple[ContactRegion, ...]:
        """Where feet may be planned to step."""

    def handholds(self) -> tuple[ContactRegion, ...]:
        """Where hands may be planned to push or pull."""

    def seats(self) -> tuple[ContactRegion, ...]:
        """Where the character may be planned to sit."""

    def start(self) -> Start:
        """How the run begins."""

    def goal(self) -> Array | None:
        """Where a run should lead to (3,) [m]; None: nowhere in particular."""

    def posture(self) -> Posture:
        """The style of the body that this environment asks for."""

    def success(self, facts: RunFacts) -> Outcome:
        """Whether the run reached what this environment is about, and why (not)."""

    def metrics(self, facts: RunFacts) -> Mapping[str, float]:
        """Further figures for the report of a run."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BaseEnvironment:
    """An `Environment` made of blocks; override what differs, most of all `blocks`."""

    name: ClassVar[str]
    description: ClassVar[str]
    friction: float = parameter(0.8, 0.05, MAX_FRICTION, "", "friction coefficient of everything that can be touched")

    def __post_init__(self) -> None:
        check_parameters(self)

    def blocks(self) -> tuple[Block | Bar, ...]:
        """The solids that the world consists of; geometry and regions both come from here."""
        raise NotImplementedError(f"{type(self).__name__} needs blocks().")

    def build(self, spec: mujoco.MjSpec) -> None:
        add_sky_and_light(spec)
        for block in self.blocks():
            block.add_to(spec)

    def regions(self) -> tuple[ContactRegion, ...]:
        return tuple(block.top for block in self.blocks() if block.use == "feet")

    def handholds(self) -> tuple[ContactRegion, ...]:
        return tuple(block.top for block in self.blocks() if block.use == "hands")

    def seats(self) -> tuple[ContactRegion, ...]:
        return tuple(block.top for block in self.blocks() if block.use == "seat")

    def start(self) -> Start:
        return Start()

    def goal(self) -> Array | None:
        return None

    def posture(self) -> Posture:
        return Posture()

    def success(self, facts: RunFacts) -> Outcome:
        if facts.fell:
            return Outcome(False, f"The character fell within {facts.seconds:.1f} s.")
        return Outcome(True, f"The character did not fall in {facts.seconds:.1f} s.")

    def metrics(self, facts: RunFacts) -> Mapping[str, float]:
        return {}
