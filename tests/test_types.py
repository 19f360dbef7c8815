"""What crosses a boundary is really frozen, checked, and cannot change behind anybody's back."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from hmpc import types
from hmpc.errors import InputError
from hmpc.types import BodyModel, Command, ContactPhase, ContactRegion, FrbState, LimbModel, read_only

DATACLASSES = [value for value in vars(types).values() if dataclasses.is_dataclass(value)]


@pytest.mark.parametrize("kind", DATACLASSES, ids=lambda kind: kind.__name__)
def test_every_type_is_frozen_and_takes_keywords_only(kind: type) -> None:
    assert kind.__dataclass_params__.frozen
    assert not kind.__dataclass_params__.eq, "== of arrays has no single truth value"
    assert hasattr(kind, "__slots__")
    assert all(item.kw_only for item in dataclasses.fields(kind))


def test_an_array_is_copied_so_that_its_source_may_change() -> None:
    source = np.array([1.0, 2.0])
    command = Command(velocity_H=source)
    source[0] = 9.0
    np.testing.assert_array_equal(command.velocity_H, [1.0, 2.0])


def test_an_array_that_nobody_can_write_to_is_not_copied() -> None:
    frozen = np.ones((2, 3))
    frozen.setflags(write=False)
    assert read_only(frozen, 2, 3) is frozen
    assert read_only(frozen[0], 3).base is frozen


def test_a_read_only_view_of_something_that_changes_is_copied() -> None:
    source = np.zeros(3)
    view = source[:]
    view.setflags(write=False)
    frozen = read_only(view, 3)
    source[0] = 9.0
    assert frozen[0] == 0.0


def test_an_array_cannot_be_written() -> None:
    state = FrbState(com_W=np.zeros(3), vel_W=np.zeros(3), R_WB=np.eye(3), omega_W=np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        state.com_W[2] = 1.0


@pytest.mark.parametrize("shape", [(2,), (4,), (3, 1), ()])
def test_a_wrong_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"Expected an array of shape \(3,\)"):
        read_only(np.zeros(shape), 3)


def test_none_in_a_shape_means_any_length() -> None:
    assert read_only(np.zeros((7, 3)), None, 3).shape == (7, 3)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["yaw_rate", "body_height", "step_duration", "step_width"])
def test_a_command_must_be_finite(field: str, bad: float) -> None:
    with pytest.raises(InputError, match="finite"):
        Command(**{field: bad})


def test_a_command_with_a_nan_velocity_is_refused() -> None:
    with pytest.raises(InputError, match="finite"):
        Command(velocity_H=np.array([math.nan, 0.0]))


def test_the_default_command_is_to_stand_still() -> None:
    command = Command()
    np.testing.assert_array_equal(command.velocity_H, np.zeros(2))
    assert command.yaw_rate == 0.0
    assert command.goal_W is None


def test_a_contact_phase_checks_all_of_its_trajectories() -> None:
    ground = ContactRegion(p_W=np.zeros(3), R_WR=np.eye(3), half_extent=np.ones(2))
    good = {"cop_W": np.zeros((2, 3)), "f_l": np.zeros(2), "f_r_W": np.zeros((2, 3)), "center_W": np.zeros(3)}
    ContactPhase(limb="left_foot", t_start=0.0, t_end=0.5, region=ground, **good)
    for name in good:
        with pytest.raises(InputError):
            ContactPhase(limb="left_foot", t_start=0.0, t_end=0.5, region=ground, **(good | {name: np.zeros((2, 2))}))


def test_a_limb_is_found_by_its_name() -> None:
    limbs = tuple(
        LimbModel(name=name, half_extent=np.ones(2), root_B=np.zeros(3), reach=0.9, is_foot=True)
        for name in ("left_foot", "right_foot")
    )
    body = BodyModel(mass=70.0, inertia_B=np.eye(3), com_height=0.95, step_width=0.2, limbs=limbs)
    assert body.limb("right_foot") is limbs[1]
