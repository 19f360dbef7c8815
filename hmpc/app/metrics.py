"""The figures of a run: what `hmpc run --json` prints.

Ticks are only collected while the run goes on, and reduced a second's worth at a time with
array arithmetic, so that watching a run costs a few microseconds a tick at any length.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hmpc.app.durations import Durations
from hmpc.geometry import heading, wrap_angle
from hmpc.types import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, Command, ContactForces, MotionTarget, RobotState

    Mask = NDArray[np.bool_]

SETTLE_TIME = 3.0  # [s] velocities and drift count from here on (all of a shorter run counts)
LOADED = 50.0  # [N] a foot that carries more stands, and must not slip
AIR_TIME = 0.1  # [s] a foot that was in the air for longer has made a step when it lands
SCUFF_TIME = 0.05  # [s] an unplanned contact counts when it lasts longer
_CHUNK = 100  # ticks that are reduced together; what more of them hold on to would not fit into a processor's cache


class Tick(NamedTuple):
    """What the metrics see of one tick."""

    state: RobotState
    command: Command
    tau: Array  # (nu,) [N m]
    target: MotionTarget
    forces: ContactForces
    others: Sequence[str]  # segments other than feet and hands that touch the world and are not meant to
    failures: int  # planners and solvers that did not answer OK
    seconds: float  # [s] that the tick took
    planned: bool  # a new plan was made in it
    upright: bool = False  # the character stands upright on its feet alone
    lying: bool = False  # it lies on the ground, where no contact counts as unplanned


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The report of a run, one field for each key of the JSON; SI units, heading frame, angles in radians."""

    env: str
    robot: str
    seed: int
    seconds: float  # simulated
    success: bool  # the environment's verdict
    reason: str  # ... in a sentence
    fell: bool
    fell_at: float | None  # for the first time
    falls: int  # more than one if it got up in between
    command: tuple[float, float, float]  # (vx, vy, yaw rate) asked for, mean over the same time as mean_velocity
    mean_velocity: tuple[float, float, float]  # (vx, vy, yaw rate) of COM and body after the first 3 s
    velocity_error: float  # |mean of measured - commanded (vx, vy)|
    yaw_rate_error: float  # |mean of measured - commanded yaw rate|
    distance: float  # of the COM over the ground, start to end as the crow flies
    heading_drift: float  # turned by, less what the commanded yaw rate adds up to
    com_drift: float  # largest distance over the ground of the COM from where it was after 3 s
    foot_slip: float  # longest way over the ground of the middle of a sole while it carried over 50 N
    steps: int  # touch-downs of a foot after at least 0.1 s in the air
    flight_time: float  # with nothing touching the world
    hand_force_mean: float  # on a hand, over the time that it touches the world
    hand_force_max: float
    torque_saturation: float  # share of ticks with a motor at its limit
    unplanned_contacts: int  # of at least 50 ms: a limb that the plan holds in the air, or another segment
    unplanned_by: Mapping[str, int]  # the same by the name of that limb or segment
    late_plans: int  # plans that were not ready in time
    faults: int  # answers of planners and solvers that were not OK, and non-finite states or torques
    state_hash: str  # of the final qpos and qvel
    real_time_factor: float  # simulated seconds over CPU seconds
    tick_us: Mapping[str, float | None]  # [us] p50 and p99 of a whole tick with its physics
    plan_ms: Mapping[str, float | None]  # [ms] p50 and p99 of the ticks in which a plan was made
    planning_seconds: float  # of these ticks together, on the wall clock
    metrics: Mapping[str, float]  # whatever the environment adds


class Metrics:
    """Collects ticks and reduces them to the figures of a `Summary`."""

    def __init__(self, robot: RobotModel, state: RobotState, period: float):
        self._period, self._torque_limit = period, robot.torque_limit
        self._limbs = list(robot.limbs)
        self._is_foot = np.array([limb.spec.is_foot for limb in robot.limbs.values()])
        self._is_hand = np.array([limb.spec.kind == "hand" for limb in robot.limbs.values()])
        self._pending: list[Tick] = []
        self.ticks = 0
        self.start_com_W = self.com_W = state.body.com_W
        self._yaw, self.turned, self._turn_asked = heading(state.body.R_WB), 0.0, 0.0
        n = len(self._limbs)
        self._settled = False
        self._forget_unsettled(self.start_com_W)
        self._anchor = np.zeros((n, 2))  # [m] where a sole was when it was loaded
        self._was_loaded = np.zeros(n, dtype=bool)
        self._last_touch = np.full(n, state.t)  # [s]
        self._segments: list[str] = []  # others that have touched the world
        self._last_calm = np.full(n, state.t)  # [s] without unplanned contact, of limbs and then of these segments
        self._unplanned = np.zeros(n, dtype=int)  # contacts, in the same order
        self.slip, self.steps, self.flight_ticks, self.saturated, self.failures = 0.0, 0, 0, 0, 0
        self._hand_force_sum, self._hand_ticks, self.hand_force_max = 0.0, 0, 0.0
        self.upright_since: float | None = None  # [s]
        self._tick_seconds, self._plan_seconds, self.planning_seconds = Durations(), Durations(), 0.0

    def add(self, tick: Tick) -> None:
        """One more tick."""
        self._pending.append(tick)
        if len(self._pending) == _CHUNK:
            self.flush()

    def flush(self) -> None:
        """Reduce what has been collected."""
        ticks, self._pending = self._pending, []
        if not ticks:
            return
        self.ticks += len(ticks)
        t = np.array([tick.state.t for tick in ticks])
        limbs = [tick.state.limbs for tick in ticks]
        touching = np.array([table.touching for table in limbs])
        pads = _table([table.numbers for table in limbs])  # (T, L, 8, 3): p_W first, force_W last
        force = np.linalg.norm(pads[:, :, -1], axis=2)
        self._reduce_motion(t, ticks)
        self._reduce_upright(t, np.array([tick.upright for tick in ticks]))
        self._reduce_slip(pads[:, :, 0, :2], force)
        self._reduce_contacts(t, touching, ticks)
        self._reduce_hands(touching, force)
        tau = _table([tick.tau for tick in ticks])
        self.saturated += int((np.abs(tau) >= self._torque_limit - 1e-9).any(axis=1).sum())
        self.failures += sum(tick.failures for tick in ticks)
        self._tick_seconds.add([tick.seconds for tick in ticks])
        planning = [tick.seconds for tick in ticks if tick.planned]
        self._plan_seconds.add(planning)
        self.planning_seconds += sum(planning)

    def _forget_unsettled(self, com_W: Array) -> None:
        self._velocity_sum, self._command_sum, self._samples = np.zeros(3), np.zeros(3), 0
        self._com_reference, self.com_drift = com_W[:2], 0.0

    def _reduce_motion(self, t: Array, ticks: list[Tick]) -> None:
        bodies = _table([tick.state.body.numbers for tick in ticks])
        com, vel, R, omega = bodies[:, 0], bodies[:, 1], bodies[:, 2:5], bodies[:, 5]
        yaw = np.arctan2(R[:, 1, 0], R[:, 0, 0])
        turns = [tick.command.yaw_rate for tick in ticks]
        asked = np.column_stack([_table([tick.command.velocity_H for tick in ticks]), turns])
        c, s = np.cos(yaw), np.sin(yaw)
        velocity = np.column_stack([c * vel[:, 0] + s * vel[:, 1], c * vel[:, 1] - s * vel[:, 0], omega[:, 2]])
        self.turned += sum(wrap_angle(turn) for turn in np.diff(yaw, prepend=self._yaw).tolist())
        self._turn_asked += float(asked[:, 2].sum()) * self._period
        self._yaw, self.com_W = float(yaw[-1]), com[-1]
        first = 0
        if not self._settled and t[-1] >= SETTLE_TIME:
            self._settled, first = True, int(np.searchsorted(t, SETTLE_TIME))
            self._forget_unsettled(com[first])
        self._velocity_sum += velocity[first:].sum(axis=0)
        self._command_sum += asked[first:].sum(axis=0)
        self._samples += len(t) - first
        drift = np.linalg.norm(com[first:, :2] - self._com_reference, axis=1)
        self.com_drift = max(self.com_drift, float(drift.max()))

    def _reduce_upright(self, t: Array, upright: Mask) -> None:
        if not upright[-1]:
            self.upright_since = None
        elif not upright.all():
            self.upright_since = float(t[np.flatnonzero(~upright)[-1] + 1])
        elif self.upright_since is None:
            self.upright_since = float(t[0])

    def _reduce_slip(self, p: Array, force: Array) -> None:
        """Distance of each loaded sole from where it was when its load began."""
        loaded = (force > LOADED) & self._is_foot
        began = loaded & ~np.vstack([self._was_loaded, loaded[:-1]])
        since = np.maximum.accumulate(np.where(began, np.arange(len(p))[:, None], -1), axis=0)
        columns = np.arange(p.shape[1])
        anchor = np.where(since[..., None] >= 0, p[since, columns], self._anchor)
        way = np.linalg.norm(p - anchor, axis=2)
        self.slip = max(self.slip, float(way[loaded].max(initial=0.0)))
        self._anchor, self._was_loaded = anchor[-1], loaded[-1]

    def _reduce_contacts(self, t: Array, touching: Mask, ticks: list[Tick]) -> None:
        others = self._reduce_others(t, ticks)
        self.flight_ticks += int((~touching.any(axis=1) & ~others.any(axis=1)).sum())
        last_touch = _last_time(t, touching, self._last_touch)
        landed = touching & (t[:, None] - last_touch[:-1] > AIR_TIME)
        self.steps += int(landed[:, self._is_foot].sum())
        self._last_touch = last_touch[-1]
        supports = [tuple(tick.target.support) for tick in ticks]
        rows = {support: [name in support for name in self._limbs] for support in dict.fromkeys(supports)}
        planned = np.array([rows[support] for support in supports])
        up = np.array([not tick.lying for tick in ticks])
        unplanned = np.column_stack([touching & ~planned & up[:, None], others])
        last_calm = _last_time(t, ~unplanned, self._last_calm)
        lasting = t[:, None] - last_calm[1:] > SCUFF_TIME
        before = np.concatenate([[t[0] - self._period], t[:-1]])[:, None] - last_calm[:-1] > SCUFF_TIME
        self._unplanned += (lasting & ~before).sum(axis=0)
        self._last_calm = last_calm[-1]

    def _reduce_others(self, t: Array, ticks: list[Tick]) -> Mask:
        """Which of the other segments touch the world, for each tick; those seen for the first time are remembered."""
        seen = {name for tick in ticks for name in tick.others}
        new = sorted(seen.difference(self._limbs, self._segments))
        self._segments += new
        self._last_calm = np.append(self._last_calm, np.full(len(new), t[0] - self._period))
        self._unplanned = np.append(self._unplanned, np.zeros(len(new), dtype=int))
        touching = [name in tick.others for tick in ticks for name in self._segments]
        return np.array(touching, dtype=bool).reshape(len(ticks), -1)

    def _reduce_hands(self, touching: Mask, force: Array) -> None:
        pressed = force[:, self._is_hand][touching[:, self._is_hand]]
        self._hand_force_sum += float(pressed.sum())
        self._hand_ticks += len(pressed)
        self.hand_force_max = max(self.hand_force_max, float(pressed.max(initial=0.0)))

    def figures(self) -> dict[str, Any]:
        """The fields of a `Summary` that are measured here."""
        self.flush()
        samples, ticks = max(self._samples, 1), max(self.ticks, 1)
        mean, asked = self._velocity_sum / samples, self._command_sum / samples
        return {
            "command": tuple(asked.tolist()),
            "mean_velocity": tuple(mean.tolist()),
            "velocity_error": float(np.linalg.norm((mean - asked)[:2])),
            "yaw_rate_error": float(abs(mean[2] - asked[2])),
            "heading_drift": self.turned - self._turn_asked,
            "com_drift": self.com_drift,
            "foot_slip": self.slip,
            "steps": self.steps,
            "flight_time": self.flight_ticks * self._period,
            "hand_force_mean": self._hand_force_sum / max(self._hand_ticks, 1),
            "hand_force_max": self.hand_force_max,
            "torque_saturation": self.saturated / ticks,
            "unplanned_contacts": int(self._unplanned.sum()),
            "unplanned_by": {
                name: int(count)
                for name, count in zip([*self._limbs, *self._segments], self._unplanned, strict=True)
                if count > 0
            },
            "tick_us": self._tick_seconds.percentiles(per_second=1e6),
            "plan_ms": self._plan_seconds.percentiles(per_second=1e3),
            "planning_seconds": self.planning_seconds,
        }


def _table(rows: Sequence[Array]) -> Array:
    """`np.array` of arrays of one shape, in a third of the time."""
    return np.concatenate(rows).reshape(len(rows), *rows[0].shape)


def _last_time(t: Array, mask: Mask, before: Array) -> Array:
    """(T + 1, n): for each column the last time up to now at which the mask held; row 0 is the time before."""
    return np.maximum.accumulate(np.vstack([before, np.where(mask, t[:, None], -np.inf)]), axis=0)


def state_hash(qpos: Array, qvel: Array) -> str:
    """A fingerprint of a state: equal only for bit-identical ones."""
    return hashlib.blake2b(qpos.tobytes() + qvel.tobytes(), digest_size=16).hexdigest()


def failed(status: Status, target: MotionTarget) -> bool:
    """Whether an answer counts as a fault; without contact in a planned flight does not."""
    return status is not Status.OK and not (status is Status.NO_CONTACT and not target.support)
