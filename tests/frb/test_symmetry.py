"""Left and right limbs that are searched together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.frb.phases import PhaseCodec
from hmpc.params import FrbParams
from hmpc.types import BodyModel, ContactPhase


@pytest.fixture
def codec(phase: Callable[..., ContactPhase], body: BodyModel, params: FrbParams) -> PhaseCodec:
    feet = (
        phase(center_W=np.array([0.0, 0.1, 0.0]), cop_W=np.tile([0.0, 0.1, 0.0], (2, 1))),
        phase(limb="right_foot", center_W=np.array([0.0, -0.1, 0.0]), cop_W=np.tile([0.0, -0.1, 0.0], (2, 1))),
    )
    return PhaseCodec(feet, 0.9, body, params, symmetry=0.0)


def test_rows_are_orthogonal_and_as_many_as_without(codec: PhaseCodec, body: BodyModel, params: FrbParams) -> None:
    gram = codec.J @ codec.J.T
    assert np.abs(gram - np.diag(np.diag(gram))).max() < 1e-9
    assert codec.dimension == PhaseCodec(codec.guess, 0.9, body, params).dimension


def test_every_other_coordinate_mirrors_left_and_right(codec: PhaseCodec) -> None:
    for k in range(0, codec.dimension, 2):
        left, right = codec.phases(codec.decode(np.eye(codec.dimension)[k][None])[0])
        assert left.f_l == pytest.approx(right.f_l)
        assert left.f_r_W == pytest.approx(right.f_r_W * [1.0, -1.0, 1.0])
        assert left.cop_W == pytest.approx(right.cop_W * [1.0, -1.0, 1.0])


def test_decoding_undoes_encoding(codec: PhaseCodec) -> None:
    u = np.random.default_rng(0).normal(size=codec.dimension)
    assert codec.encode(codec.phases(codec.decode(u[None])[0])) == pytest.approx(u)
