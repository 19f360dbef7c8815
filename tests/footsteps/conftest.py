"""A body, and planners for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hmpc.footsteps.gait import LEFT, RIGHT
from hmpc.footsteps.planner import FootstepPlanner
from hmpc.params import FootstepParams
from hmpc.types import BodyModel, ContactRegion, LimbModel
from tests.footsteps.scenes import FLAT


@pytest.fixture(scope="session")
def body() -> BodyModel:
    def leg(name: str, side: float) -> LimbModel:
        root_B = np.array([0.0, 0.09 * side, -0.08])
        return LimbModel(name=name, half_extent=np.array([0.1275, 0.045]), root_B=root_B, reach=0.925, is_foot=True)

    legs = (leg("left_foot", LEFT), leg("right_foot", RIGHT))
    return BodyModel(mass=70.0, inertia_B=np.diag([9.0, 8.0, 1.5]), com_height=0.97, step_width=0.2, limbs=legs)


@pytest.fixture(scope="session")
def planner_on(body: BodyModel) -> Callable[..., FootstepPlanner]:
    def make(*regions: ContactRegion, **params: float) -> FootstepPlanner:
        return FootstepPlanner(body, regions or FLAT, FootstepParams(**params))  # type: ignore[arg-type]

    return make
