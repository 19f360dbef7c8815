from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.errors import InputError
from hmpc.frb.model import Rollouts, Settings, roll_out
from hmpc.frb.objectives import parameter_filtering, smoothness, step_width, tabulate_targets, target_state
from hmpc.frb.phases import PhaseCodec
from hmpc.geometry import rotation_z
from hmpc.params import FrbParams
from hmpc.types import BodyModel, ContactPhase, FrbState, TargetState

T = np.linspace(0.0, 1.0, 31)
Phase = Callable[..., ContactPhase]


@pytest.fixture
def drifting(body: BodyModel, params: FrbParams, standing: Callable[..., FrbState]) -> Rollouts:
    """Two identical candidates that fly forward at 1 m/s, turning at 0.5 rad/s, without any contact."""
    codec = PhaseCodec([], 1.0, body, params)
    state = standing(vel_W=[1.0, 0.0, 0.0], omega_W=[0.0, 0.0, 0.5])
    return roll_out(np.tile(codec.row0, (2, 1)), codec.table, state, T, Settings.of(body, params))


def cost(x: Rollouts, target: TargetState, params: FrbParams) -> float:
    costs = target_state(x, tabulate_targets([target], T, params))
    assert costs.shape == (2,)
    assert costs[0] == costs[1]
    return float(costs[0])


def test_no_cost_where_the_body_is_on_target(drifting: Rollouts, params: FrbParams) -> None:
    """Between two nodes as well as on one."""
    t = 0.5 * (T[7] + T[8])
    target = TargetState(
        t=t,
        com_W=np.array([t, 0.0, np.nan]),
        vel_W=np.array([1.0, 0.0, -9.81 * t]),
        R_WB=rotation_z(0.5 * t),
        omega_W=np.array([0.0, 0.0, 0.5]),
    )
    assert cost(drifting, target, params) < params.rotation_weight * 1e-4


def test_cost_is_the_weighted_square_of_the_distance(drifting: Rollouts, params: FrbParams) -> None:
    off = TargetState(t=T[9], com_W=np.array([T[9] + 0.2, np.nan, np.nan]))
    assert cost(drifting, off, params) == pytest.approx(0.04 * params.position_weight)
    twice = TargetState(t=T[9], vel_W=np.array([np.nan, 0.3, np.nan]), weight=2.0)
    assert cost(drifting, twice, params) == pytest.approx(2.0 * 0.09 * params.velocity_weight)
    turned = TargetState(t=T[9], R_WB=rotation_z(0.5 * T[9] - 0.1))
    assert cost(drifting, turned, params) == pytest.approx(0.01 * params.rotation_weight)


def test_empty_target_costs_nothing(drifting: Rollouts, params: FrbParams) -> None:
    assert cost(drifting, TargetState(t=0.4), params) == 0.0


def test_target_outside_of_the_plan_is_refused(params: FrbParams) -> None:
    with pytest.raises(InputError, match="outside the plan"):
        tabulate_targets([TargetState(t=1.5)], T, params)


def test_step_width_is_measured_sideways_of_the_body(
    body: BodyModel, params: FrbParams, standing: Callable[..., FrbState], phase: Phase
) -> None:
    """A foot 0.1 m to the left of a body that faces y costs nothing at a width of 0.2 m, wherever it is in depth."""
    cop_W = np.tile([-0.1, 0.15, 0.0], (2, 1))
    left = phase(cop_W=cop_W, center_W=cop_W[0], t_end=0.6)
    codec = PhaseCodec([left], 1.0, body, params)
    state = standing(R_WB=rotation_z(0.5 * np.pi), com_W=[0.0, 0.0, 0.9])

    def width_cost(width: float) -> float:
        x = roll_out(codec.row0[None], codec.table, state, T[:2] * 1e-3, Settings.of(body, params))
        return float(step_width(x, codec.table, width)[0])

    assert width_cost(0.2) == pytest.approx(0.0, abs=1e-6)
    assert width_cost(0.3) == pytest.approx(0.05**2, rel=1e-2)


def test_smoothness_is_the_effort_of_falling(drifting: Rollouts, params: FrbParams) -> None:
    np.testing.assert_allclose(smoothness(drifting, params), params.smooth_force_weight * 1.0)


def test_filtering_counts_how_far_a_cop_is_out_of_the_sole(
    body: BodyModel, params: FrbParams, standing: Callable[..., FrbState], phase: Phase
) -> None:
    outside = phase(cop_W=[[0.15, 0.0, 0.0], [0.0, 0.0, 0.0]])
    codec = PhaseCodec([outside], 1.0, body, params)
    x = roll_out(codec.row0[None], codec.table, standing(), T[:2], Settings.of(body, params))
    assert parameter_filtering(x)[0] == pytest.approx((0.03 / params.cop_unit) ** 2)
