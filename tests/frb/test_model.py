"""The physics of the floating rigid body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest

from hmpc.frb.model import Rollouts, Settings, roll_out
from hmpc.frb.phases import PhaseCodec
from hmpc.frb.planner import FrbProblem
from hmpc.geometry import rotation_exp
from hmpc.params import FrbParams
from hmpc.types import BodyModel, ContactPhase, FrbState

GRAVITY = 9.81
DT = 1.0 / 30.0
Simulate = Callable[..., Rollouts]


@pytest.fixture
def simulate(body: BodyModel, params: FrbParams) -> Simulate:
    """Roll out one set of phases from a state."""

    def run(state: FrbState, phases: Sequence[ContactPhase] = (), steps: int = 30, dt: float = DT) -> Rollouts:
        t = dt * np.arange(steps + 1)
        codec = PhaseCodec(phases, t[-1], body, params)
        return roll_out(codec.row0[None], codec.table, state, t, Settings.of(body, params))

    return run


def angular_momentum(x: Rollouts, body: BodyModel) -> np.ndarray:
    R = x.R_WB[0]
    return np.einsum("tij,jk,tlk,tl->ti", R, body.inertia_B, R, x.omega_W[0])


def test_free_fall_is_a_parabola(simulate: Simulate, standing: Callable[..., FrbState]) -> None:
    x = simulate(standing(vel_W=[1.0, -0.5, 2.0]))
    t = x.t[:, None]
    exact = [0.0, 0.0, 0.93] + t * [1.0, -0.5, 2.0] + 0.5 * t**2 * [0.0, 0.0, -GRAVITY]
    np.testing.assert_allclose(x.com_W[0], exact, atol=1e-12)


def test_standing_is_static(
    simulate: Simulate, standing: Callable[..., FrbState], phase: Callable[..., ContactPhase]
) -> None:
    x = simulate(standing(), [phase()])
    np.testing.assert_allclose(x.com_W[0], np.tile([0.0, 0.0, 0.93], (31, 1)), atol=1e-12)
    np.testing.assert_allclose(x.omega_W[0], 0.0, atol=1e-12)
    assert x.filtering[0] == 0.0
    assert x.smoothness[0] == pytest.approx([0.0, 0.0], abs=1e-20)


def test_force_through_com_gives_no_torque(
    simulate: Simulate, standing: Callable[..., FrbState], phase: Callable[..., ContactPhase]
) -> None:
    cop_W = np.array([[-0.1, 0.03, 0.0], [0.1, -0.02, 0.0]])
    x = simulate(standing(vel_W=[0.3, 0.0, 0.0]), [phase(cop_W=cop_W, f_l=[500.0, 900.0])], steps=15)
    assert np.ptp(x.vel_W[0], axis=0).min() > 0.0
    np.testing.assert_allclose(x.omega_W[0], 0.0, atol=1e-12)


def test_free_force_turns_the_body_about_its_com(
    simulate: Simulate, standing: Callable[..., FrbState], phase: Callable[..., ContactPhase], body: BodyModel
) -> None:
    x = simulate(standing(), [phase(f_r_W=[[20.0, 0.0, 0.0]] * 2)], steps=1)
    torque = np.cross([0.0, 0.0, -0.93], [20.0, 0.0, 0.0])
    np.testing.assert_allclose(angular_momentum(x, body)[1], DT * torque, rtol=1e-9)


def test_angular_momentum_is_conserved_in_flight(
    simulate: Simulate, standing: Callable[..., FrbState], body: BodyModel
) -> None:
    x = simulate(standing(omega_W=[3.0, 5.0, -2.0], R_WB=rotation_exp(np.array([0.3, -0.4, 1.0]))))
    L = angular_momentum(x, body)
    np.testing.assert_allclose(L, np.tile(L[0], (31, 1)), rtol=1e-9)
    assert np.ptp(x.omega_W[0], axis=0).max() > 0.1


def test_a_wild_spin_does_not_overflow(simulate: Simulate, standing: Callable[..., FrbState]) -> None:
    x = simulate(standing(omega_W=[400.0, -300.0, 500.0]), steps=300)
    assert np.all(np.isfinite(x.omega_W))
    np.testing.assert_allclose(x.R_WB[0, -1] @ x.R_WB[0, -1].T, np.eye(3), atol=1e-9)


def test_feet_hand_over_the_whole_load(
    simulate: Simulate, standing: Callable[..., FrbState], phase: Callable[..., ContactPhase], body: BodyModel
) -> None:
    """In double support, whatever its length, two feet that both bear the weight bear it together."""
    phases = [phase(t_start=-0.2, t_end=0.3), phase(limb="right_foot", t_start=0.17, t_end=2.0, fixed=False)]
    x = simulate(standing(), phases)
    np.testing.assert_allclose(x.force_W[0].sum(axis=1)[:, 2], body.mass * GRAVITY, rtol=1e-12)
    assert x.force_W[0, 0, 1, 2] == 0.0
    assert x.force_W[0, -1, 0, 2] == 0.0


def test_contact_gap_is_ballistic(
    simulate: Simulate, standing: Callable[..., FrbState], phase: Callable[..., ContactPhase]
) -> None:
    push = {"t_end": 0.3, "f_l": [1000.0, 1000.0]}
    land = {"t_start": 0.5, "t_end": 1.0, "fixed": False}
    phases = [phase(limb=limb, **when) for when in (push, land) for limb in ("left_foot", "right_foot")]
    x = simulate(standing(com_W=[0.0, 0.0, 0.75]), phases)
    flight = (x.t[:-1] >= 0.3 - 1e-9) & (x.t[1:] <= 0.5 + 1e-9)
    np.testing.assert_allclose(x.acc_W[0, flight], np.tile([0.0, 0.0, -GRAVITY], (flight.sum(), 1)))
    assert x.vel_W[0, x.t <= 0.3 + 1e-9][-1, 2] > 1.0
    assert np.all(np.isnan(x.cop_W[0, flight]))


def test_foot_out_of_reach_bears_nothing(
    simulate: Simulate, standing: Callable[..., FrbState], phase: Callable[..., ContactPhase]
) -> None:
    x = simulate(standing(com_W=[0.0, 0.0, 1.1]), [phase()], steps=1)
    assert x.force_W[0, 0, 0, 2] == 0.0
    assert x.filtering[0] > 0.0


def test_cost_terms_are_continuous_when_a_contact_time_crosses_a_step_boundary(
    simulate: Simulate, standing: Callable[..., FrbState], phase: Callable[..., ContactPhase]
) -> None:
    boundary = 9 * DT

    def final_height(t_start: float, t_end: float) -> float:
        support = phase(limb="right_foot", t_start=t_start, t_end=t_end, fixed=False)
        x = simulate(standing(), [phase(t_end=0.2), support])
        return float(x.com_W[0, -1, 2])

    times = boundary + 1e-4 * np.arange(-5, 6)
    for heights in ([final_height(t, 0.8) for t in times], [final_height(0.25, t + 0.3) for t in times]):
        steps = np.diff(heights)
        assert abs(steps).min() > 0.0
        np.testing.assert_allclose(steps, steps.mean(), rtol=0.05)


def test_smaller_steps_converge_to_the_same_motion(
    simulate: Simulate, standing: Callable[..., FrbState], phase: Callable[..., ContactPhase]
) -> None:
    phases = [phase(cop_W=[[-0.05, 0.02, 0.0], [0.05, 0.0, 0.0]], f_l=[600.0, 750.0], f_r_W=[[5.0, 3.0, 0.0]] * 2)]
    ends = [simulate(standing(), phases, steps=n, dt=0.8 / n).com_W[0, -1] for n in (24, 48, 768)]
    coarse, fine = (np.linalg.norm(end - ends[-1]) for end in ends[:2])
    assert coarse < 1e-3
    assert fine < 0.3 * coarse  # second order


def _plain_rollout(row: np.ndarray, problem: FrbProblem, params: FrbParams, t: np.ndarray) -> list[np.ndarray]:
    """Eq. 1 once more, slow and plain: positions and rotations, for phases that need no filtering."""
    body, state = problem.body, problem.state
    c, v, R = state.com_W.copy(), state.vel_W.copy(), state.R_WB.copy()
    L = R @ body.inertia_B @ R.T @ state.omega_W
    phases = PhaseCodec(problem.phases, t[-1], body, params).phases(row)
    states = []
    for a, b in pairwise(t):
        dt = b - a
        c = c + 0.5 * dt * v
        force, torque = np.array([0.0, 0.0, -body.mass * GRAVITY]), np.zeros(3)
        for i, p in enumerate(phases):
            before = phases[i - 1].t_end if i > 0 else None
            after = phases[i + 1].t_start if i + 1 < len(phases) else None
            knots = [p.t_start, p.t_start + 1e-12 if before is None else before]
            knots += [p.t_end, p.t_end + 1e-12] if after is None else [after, p.t_end]
            moments = np.unique(np.clip([a, b, *knots], a, b))
            share = np.trapezoid(np.interp(moments, knots, [0.0, 1.0, 1.0, 0.0]), moments) / dt
            if share <= 0.0:
                continue
            u = (0.5 * (max(a, p.t_start) + min(b, p.t_end)) - p.t_start) / (p.t_end - p.t_start)
            cop = p.cop_W[0] + u * (p.cop_W[1] - p.cop_W[0])
            nodes = np.linspace(0.0, 1.0, len(p.f_l))
            f_l = np.interp(u, nodes, p.f_l)
            f_r = np.array([np.interp(u, nodes, axis) for axis in p.f_r_W.T])
            force = force + share * (f_l * (c - cop) / (c[2] - cop[2]) + f_r)
            torque = torque + share * np.cross(cop - c, f_r)
        v = v + dt * force / body.mass
        c = c + 0.5 * dt * v
        omega = R @ np.linalg.inv(body.inertia_B) @ R.T @ (L + 0.5 * dt * torque)
        R = rotation_exp(dt * omega) @ R
        L = L + dt * torque
        states.append(np.concatenate([c, v, R.ravel()]))
    return states


def test_kernel_equals_a_plain_numpy_rollout(
    pendulum: Callable[..., FrbProblem], body: BodyModel, params: FrbParams
) -> None:
    problem = pendulum(0.6)
    t = np.linspace(0.0, problem.horizon, 36)
    codec = PhaseCodec(problem.phases, t[-1], body, params)
    u = 0.1 * np.random.default_rng(1).standard_normal((3, codec.dimension))
    x = roll_out(codec.decode(u), codec.table, problem.state, t, Settings.of(body, params))
    for k in range(3):
        plain = np.array(_plain_rollout(x.rows[k], problem, params, t))
        kernel = np.column_stack([x.com_W[k, 1:], x.vel_W[k, 1:], x.R_WB[k, 1:].reshape(-1, 9)])
        np.testing.assert_allclose(kernel, plain, atol=1e-9)
