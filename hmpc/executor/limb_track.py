"""One limb through the contact phases of a plan: it carries, lets go, reaches for the next place, carries again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.glide import Glide
from hmpc.executor.reach import Reach
from hmpc.frb.table import limb_axes
from hmpc.types import LimbTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hmpc.params import ExecutorParams
    from hmpc.types import Array, ContactPhase, LimbState, RobotState

_ZERO = np.zeros(3)


class LimbTrack:
    """The phase machine of one limb.

    `carries` says whether it may push on the world now. A limb without phases, or past its last one, is free: a
    hand first draws back from what it held, then follows the posture.
    """

    def __init__(
        self,
        name: str,
        phases: Sequence[ContactPhase],
        state: RobotState,
        end: float,
        is_foot: bool,
        params: ExecutorParams,
        outward_W: Array = _ZERO,
    ):
        self._outward_W = outward_W
        self._is_foot = is_foot
        self._loaded_authority = 0.0 if is_foot else params.hold.authority  # with which a loaded limb is held in place
        self._name, self._phases, self._end, self._params = name, list(phases), end, params
        self._touched = state.t  # [s] when the limb last touched while it carried
        self.carries = bool(phases) and phases[0].fixed
        self.slipped = False  # a hand has lost what the plan would have it hold on to
        self._anchor: LimbState = state.limbs[name]
        self._path: Reach | Glide | None = None
        self._drawing_back_until = -np.inf
        if phases and not self.carries:
            self._reach_for_next(state)

    @property
    def on_bar(self) -> bool:
        """The limb carries on something that it can close around."""
        return self.carries and self._phases[0].region.bilateral

    @property
    def _leaves(self) -> bool:
        """The plan has the limb let go before its end: sooner does no harm."""
        return self._phases[0].t_end < self._end

    def is_lost(self, t: float) -> bool:
        """A foot that should carry, but has touched nothing for a while."""
        return self._is_foot and self.carries and t - self._touched > self._params.hold.lost_time

    def advance(self, state: RobotState, stretched: bool) -> None:
        """Change from carrying to reaching and back when it is time or the world says so.

        `stretched`: the limb can hardly reach where it is any more; what holds on then would pull the body down.
        """
        limb = state.limbs[self._name]
        if self.carries:
            if limb.touching:
                self._touched = state.t
            slipped = not self._is_foot and state.t - self._touched > self._params.hold.lost_time
            self.slipped |= slipped
            if slipped and not self._leaves:
                self.carries = False
                self._take_hold_again(state)
            elif slipped or (self._leaves and (stretched or self._phases[0].t_end <= state.t)):
                self._let_go(state)
        elif self._arrived(state, limb):
            self.carries, self._path = True, None
            self._anchor, self._touched = limb, state.t
        elif self._phases and self._phases[0].t_end <= state.t:  # missed
            self._let_go(state)

    def target(self, state: RobotState) -> LimbTarget | None:
        """Where the limb should be; None when nothing is asked of it."""
        limb = state.limbs[self._name]
        if self._path is not None:
            if state.t > self._drawing_back_until and not self._phases:
                self._path = None
                return None
            return self._path.target(state.t)
        if not self.carries:
            return None
        # It is held where it stands: firmly while it bears nothing, or it would drift; a loaded hand just enough to
        # keep the elbow's direction.
        bearing = float(np.linalg.norm(limb.force_W)) / self._params.hold.light_load
        authority = 1.0 if not limb.touching else max(1.0 - bearing, self._loaded_authority)
        if authority == 0.0:
            return None
        below = 0.0 if limb.touching or self.on_bar else self._params.hold.search
        return LimbTarget(
            p_W=self._anchor.p_W - below * self._anchor.normal_W,
            R_WL=self._anchor.R_WL,
            vel_W=_ZERO,
            acc_W=_ZERO,
            omega_W=_ZERO,
            authority=authority,
        )

    def _take_hold_again(self, state: RobotState) -> None:
        """Of what the plan holds on to until its end."""
        self._reach_for_next(state)

    def _let_go(self, state: RobotState) -> None:
        self._phases.pop(0)
        self._move_on(state)

    def _move_on(self, state: RobotState) -> None:
        """To the next place; or just back from what was held, and then the limb is free."""
        self.carries = False
        if self._phases:
            self._reach_for_next(state)
            return
        limb = state.limbs[self._name]
        back_W = limb.p_W + self._params.hold.draw_back * limb.normal_W
        self._draw_back(limb, state.t, self._params.hold.draw_back_time, back_W, limb.R_WL)

    def _draw_back(self, limb: LimbState, t: float, duration: float, goal_W: Array, R_goal: Array) -> None:
        self._drawing_back_until = t + duration
        self._path = Reach(limb, t, self._drawing_back_until, goal_W, R_goal, self._params.reach)

    def _reach_for_next(self, state: RobotState) -> None:
        phase, limb = self._phases[0], state.limbs[self._name]
        arrival = max(phase.t_start, state.t + self._params.reach.shortest)
        R_goal = limb_axes(phase.region, phase.yaw)
        self._path = Reach(limb, state.t, arrival, phase.center_W, R_goal, self._params.reach, self._outward_W)

    def _arrived(self, state: RobotState, limb: LimbState) -> bool:
        """It touches where it should; on its way there, toes that brush an edge have not arrived."""
        if self._path is None or not self._phases or not limb.touching:
            return False
        progress, params = self._path.progress(state.t), self._params
        near = float(np.linalg.norm((limb.p_W - self._phases[0].center_W)[:2])) < params.hold.near_place
        return progress > (params.earliest_touch_down if near else 1.0)
