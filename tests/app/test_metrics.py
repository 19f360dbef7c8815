"""The figures of a run, from ticks whose answers are known."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hmpc.app.metrics import Metrics, Tick, state_hash
from hmpc.geometry import rotation_z
from hmpc.robot.humanoid import HUMANOID
from hmpc.types import Command, FrbState, Limbs, LimbState, MotionTarget, RobotState

DT = 0.002
LIMBS = ("left_foot", "right_foot", "left_hand", "right_hand")
SPECS = {limb.name: limb for limb in HUMANOID.limbs}
ROBOT: Any = SimpleNamespace(
    torque_limit=np.array([10.0, 20.0]), limbs={name: SimpleNamespace(spec=SPECS[name]) for name in LIMBS}
)


def limb(p: tuple[float, float] = (0.0, 0.0), force: float = 0.0, touching: bool = False) -> LimbState:
    zero = np.zeros(3)
    up = np.array([0.0, 0.0, 1.0])
    return LimbState(
        p_W=np.array([*p, 0.0]),
        R_WL=np.eye(3),
        vel_W=zero,
        omega_W=zero,
        touching=touching,
        normal_W=up,
        force_W=force * up,
    )


def tick(t: float, *, com: Any = (0, 0, 1), vel: Any = (0, 0, 0), yaw: float = 0.0, **more: Any) -> Tick:
    body = FrbState(com_W=com, vel_W=vel, R_WB=rotation_z(yaw), omega_W=np.array([0, 0, more.get("yaw_rate", 0.0)]))
    limbs = Limbs.of({name: more.get(name, limb()) for name in LIMBS})
    target: Any = SimpleNamespace(support=dict.fromkeys(more.get("support", ()), math.inf))
    assert isinstance(target, SimpleNamespace | MotionTarget)
    return Tick(
        state=RobotState(
            t=t, qpos=np.zeros(1), qvel=np.zeros(1), body=body, angular_momentum_W=np.zeros(3), limbs=limbs
        ),
        command=more.get("command", Command()),
        tau=np.array(more.get("tau", (0.0, 0.0))),
        target=target,
        forces=None,  # type: ignore[arg-type]
        others=more.get("others", ()),
        failures=0,
        seconds=1e-4,
        planned=more.get("planned", False),
    )


def figures(*ticks: Tick) -> dict[str, Any]:
    metrics = Metrics(ROBOT, ticks[0].state, DT)
    for each in ticks:
        metrics.add(each)
    return metrics.figures()


def times(seconds: float) -> np.ndarray:
    return np.arange(round(seconds / DT)) * DT


def test_velocity_is_measured_in_the_heading_frame_after_three_seconds() -> None:
    """Facing left and going left is going forward; what happened before 3 s does not count."""
    ticks = [
        tick(t, vel=(0.0, 0.5, 0.0) if t >= 3.0 else (9.0, 9.0, 9.0), yaw=math.pi / 2, yaw_rate=0.1) for t in times(5.0)
    ]
    np.testing.assert_allclose(figures(*ticks)["mean_velocity"], [0.5, 0.0, 0.1], atol=1e-12)


def test_velocity_error_compares_means() -> None:
    """A sway about the commanded velocity is no error."""
    command = Command(velocity_H=np.array([0.5, 0.0]), yaw_rate=0.2)
    ticks = [
        tick(t, vel=(0.4 + 0.1 * (-1) ** k, 0.0, 0.0), yaw_rate=0.2, command=command) for k, t in enumerate(times(4.0))
    ]
    found = figures(*ticks)
    assert found["velocity_error"] == pytest.approx(0.1)
    assert found["yaw_rate_error"] == pytest.approx(0.0)
    assert found["command"] == pytest.approx((0.5, 0.0, 0.2))


def test_heading_drift_is_what_was_not_asked_for() -> None:
    command = Command(yaw_rate=2.0)
    ticks = [tick(t, yaw=2.1 * t, command=command) for t in times(5.0)]  # more than a whole turn
    assert figures(*ticks)["heading_drift"] == pytest.approx(0.1 * 5.0, abs=0.01)


def test_com_drift_is_the_farthest_from_the_settled_place() -> None:
    ticks = [tick(t, com=(1.0 if t < 3.0 else 2.0 + 0.01 * math.sin(t), 0, 1)) for t in times(8.0)]
    assert 0.01 < figures(*ticks)["com_drift"] < 0.02


def test_only_a_loaded_foot_slips_and_each_stance_counts_for_itself() -> None:
    def foot(t: float) -> LimbState:
        stance, phase = divmod(t, 1.0)
        loaded = phase < 0.5
        return limb((stance + (0.004 if loaded else 1.0) * phase, 0.0), force=400.0 if loaded else 10.0)

    ticks = [tick(t, left_foot=foot(t), right_hand=limb((t, 0.0), force=400.0)) for t in times(4.0)]
    assert figures(*ticks)["foot_slip"] == pytest.approx(0.002, abs=1e-4)


def test_a_step_is_a_touch_down_after_time_in_the_air() -> None:
    """Bounces shorter than 0.1 s and the contact that the run starts with are no steps."""

    def foot(t: float) -> LimbState:
        return limb(touching=not (0.5 <= t < 0.9 or 1.0 <= t < 1.05 or 2.0 <= t < 2.3))

    assert figures(*[tick(t, left_foot=foot(t)) for t in times(3.0)])["steps"] == 2


def test_flight_is_the_time_with_nothing_touching() -> None:
    ticks = [tick(t, right_hand=limb(touching=t < 0.5), others=["head"] if 0.6 <= t < 0.7 else []) for t in times(1.0)]
    assert figures(*ticks)["flight_time"] == pytest.approx(0.4, abs=2 * DT)


def test_an_unplanned_contact_counts_once_and_only_if_it_lasts() -> None:
    def hand(t: float) -> LimbState:
        return limb(touching=0.2 <= t < 0.4 or 0.6 <= t < 0.62)

    def others(t: float) -> list[str]:
        head, shin = 0.7 <= t < 0.9 or 1.0 <= t < 1.02, 0.8 <= t < 0.9 or 1.3 <= t < 1.4
        return [name for name, touches in (("head", head), ("left_shin", shin)) if touches]

    ticks = [
        tick(t, left_hand=hand(t), left_foot=limb(touching=True), support=("left_foot",), others=others(t))
        for t in times(2.0)
    ]
    found = figures(*ticks)
    assert found["unplanned_contacts"] == 4
    assert found["unplanned_by"] == {"left_hand": 1, "head": 1, "left_shin": 2}


def test_hand_forces_count_while_a_hand_touches() -> None:
    ticks = [tick(t, left_hand=limb(force=100.0 + 50.0 * (t > 0.5), touching=t < 0.75)) for t in times(1.0)]
    found = figures(*ticks)
    assert found["hand_force_max"] == 150.0
    assert found["hand_force_mean"] == pytest.approx(100.0 + 50.0 / 3.0, abs=0.5)


def test_saturation_is_a_share_of_ticks() -> None:
    ticks = [tick(t, tau=(10.0, 0.0) if t < 0.25 else (9.9, -19.0)) for t in times(1.0)]
    assert figures(*ticks)["torque_saturation"] == pytest.approx(0.25)


def test_figures_do_not_depend_on_when_ticks_are_reduced() -> None:
    rng = np.random.default_rng(0)
    feet = (limb(rng.normal(size=2), 80 * rng.random(), rng.random() > 0.1) for _ in times(4.0))
    ticks = [tick(t, com=rng.normal(size=3), yaw=t, left_foot=foot) for t, foot in zip(times(4.0), feet, strict=True)]
    metrics = Metrics(ROBOT, ticks[0].state, DT)
    for k, each in enumerate(ticks):
        metrics.add(each)
        if k % 37 == 0:
            metrics.flush()
    often, once = metrics.figures(), figures(*ticks)
    assert often.keys() == once.keys()
    for name, value in once.items():
        if name not in ("tick_us", "plan_ms"):
            assert often[name] == pytest.approx(value), name


def test_a_state_hash_sees_a_single_bit() -> None:
    q, v = np.array([1.0, 2.0]), np.array([3.0])
    assert state_hash(q, v) == state_hash(q.copy(), v.copy())
    assert state_hash(np.nextafter(q, 9.0), v) != state_hash(q, v)
