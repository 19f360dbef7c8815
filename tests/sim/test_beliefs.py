"""What the planners believe can be made wrong, by as much as asked for and no more."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hmpc.errors import InputError
from hmpc.sim.beliefs import mistaken_heights
from hmpc_envs.stones import Stones

REGIONS = Stones().regions()


def test_heights_are_wrong_within_bounds_and_nothing_else_is() -> None:
    believed = mistaken_heights(REGIONS, 0.02, seed=1)
    error = np.array([b.p_W - r.p_W for b, r in zip(believed, REGIONS, strict=True)])
    assert np.all(error[:, :2] == 0.0)
    assert 0.01 < np.abs(error[:, 2]).max() <= 0.02
    assert all(np.array_equal(b.half_extent, r.half_extent) for b, r in zip(believed, REGIONS, strict=True))


def test_the_same_seed_is_wrong_in_the_same_way() -> None:
    first, again, other = (
        [float(region.p_W[2]) for region in mistaken_heights(REGIONS, 0.02, seed)] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_without_error_the_truth_is_believed() -> None:
    assert mistaken_heights(REGIONS, 0.0, seed=1) == REGIONS


@pytest.mark.parametrize("error", [-0.01, math.nan, 1.0])
def test_a_senseless_error_is_refused(error: float) -> None:
    with pytest.raises(InputError, match=r"from 0 to 0\.1 m"):
        mistaken_heights(REGIONS, error, seed=0)
