"""What a task is: stages that name contact phases and target states, and when to go on (Sec. 5.2).

A task is one short file:

    def down(now: Situation) -> Stage:
        low = now.at_rest(now.t + 1.0, now.between_feet_W + now.forward(0.0, up=0.7), pitch=0.3)
        feet = tuple(now.keep(foot, load=0.5, goal=low) for foot in now.feet)
        return Stage(name="down", duration=1.0, phases=feet, targets=(low,))

    CROUCH = Task(name="crouch", description="go down a little", stages=(down,), ends_standing=False)

Timing, placement and forces of the phases are a first guess: the medium-term planner finds them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hmpc.tasks.approach import Approach
from hmpc.tasks.situation import Situation
from hmpc.types import Bearing

if TYPE_CHECKING:
    from hmpc.tasks.situation import Scene
    from hmpc.types import Array, ContactPhase, TargetState


def no_complaint(now: Situation) -> str | None:
    return None


def _from_here(now: Situation) -> Approach:
    return Approach(0.0, 0.0, 0.0)


def _anywhere(scene: Scene) -> bool:
    return True


def _once(now: Situation) -> bool:
    return False


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Stage:
    """From rest to rest, with the contacts named."""

    name: str
    duration: float  # [s]
    phases: tuple[ContactPhase, ...] = ()  # a guess; hands begin with zero force
    targets: tuple[TargetState, ...] = ()
    arms: str = "rest"  # pose of the arms that hold nothing, of who is upright: they hang down from who leans
    pose: str = "stand"  # of the legs that do not stand: a named pose of the robot
    bend: float = 1.0  # of the spine, against what goes with the lean of the body by itself
    upper_com_B: Array | None = None  # (3,) [m] of the upper body relative to the hips; None: as it is in the beginning
    bearing: Bearing = Bearing.UPRIGHT  # of the body from the beginning to the end, by which a fall is judged
    floor: float = -math.inf  # [m] height of the COM, below which who leans or lies has fallen off what carries it
    symmetric: bool = True  # left and right do about the same
    effort: float = 1.0  # of the search for its plan, against the usual
    needs_hands: bool = False  # otherwise, what was not achieved with them is tried again without
    poses: tuple[tuple[str, float], ...] = ()  # of who lies: named poses to go through, with the seconds to get there;
    # the ground carries it, and nothing is planned
    check: Callable[[Situation], str | None] = no_complaint  # at the end: why the stage has failed, or None


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Task:
    """Something to do with hands and feet, stage by stage."""

    name: str
    description: str
    stages: tuple[Callable[[Situation], Stage | None], ...]  # None: there is nothing to do
    refusal: Callable[[Situation], str | None] = no_complaint  # why it cannot be begun, in a sentence, or None
    suits: Callable[[Scene], bool] = _anywhere  # whether a place has what the task needs
    approach: Callable[[Situation], Approach] = _from_here  # what to walk before the first stage
    again: Callable[[Situation], bool] = _once  # whether to begin with the first stage again after the last one
    ending: tuple[Callable[[Situation], Stage | None], ...] = ()  # stages after the last round of these
    begins_lying: bool = False  # it is for who lies on the ground, also after a fall
    ends_standing: bool = True  # afterwards the character stands and can be told to walk
