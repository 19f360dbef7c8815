"""Plans as they are drawn and kept."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from hmpc.app.records.plans import PlanPicture, PlanWriter, read_plans


def test_the_plan_of_a_task_has_no_footsteps_and_can_be_kept(tmp_path: Path) -> None:
    way = np.array([[0.0, 0.0, 0.6], [0.1, 0.0, 0.9]])
    stack = SimpleNamespace(plan=SimpleNamespace(com_W=way), footsteps=None)
    session: Any = SimpleNamespace(stack=stack, state=SimpleNamespace(t=0.5))
    PlanWriter(tmp_path).add(PlanPicture.of(session))
    (plan,) = read_plans(tmp_path)
    assert plan.t == 0.5 and plan.footsteps.shape == (0, 4) and plan.alternatives == ()
    np.testing.assert_allclose(plan.com_W, way)
