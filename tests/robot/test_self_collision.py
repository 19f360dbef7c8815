"""The segments of the character do not pass through each other."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator

_DEEPEST = 0.003  # [m]


def own_contacts(simulator: Simulator) -> dict[tuple[str, str], float]:
    """Pairs of the character's segments that touch, and how deep they are in each other [m]."""
    m, d = simulator.model, simulator.data
    mujoco.mj_forward(m, d)
    found = [c for c in d.contact if m.geom_bodyid[c.geom].all()]
    return {(m.geom(c.geom[0]).name, m.geom(c.geom[1]).name): -float(c.dist) for c in found}


@pytest.mark.parametrize("arms", HUMANOID.arm_poses)
def test_nothing_touches_in_the_poses_of_who_stands(simulator: Simulator, arms: str) -> None:
    pose = simulator.robot.stand_pose.copy()
    motors, angles = simulator.robot.arm_pose(arms)
    pose[motors] = angles
    simulator.robot.place(pose, np.zeros(3), 0.0)
    assert own_contacts(simulator) == {}


@pytest.mark.parametrize(
    ("angles", "pair"),
    [
        ({"left_hip_flexion": 1.5, "left_shoulder_flexion": 0.3, "left_elbow": 0.5}, {"left_thigh", "left_palm"}),
        ({"right_hip_flexion": 2.2, "lumbar_flexion": 1.0, "thoracic_flexion": 0.6}, {"right_thigh", "thorax"}),
        (
            {f"{side}_{joint}": angle for side in ("left", "right") for joint, angle in
             {"shoulder_flexion": 0.8, "shoulder_rotation": -0.8, "elbow": 1.2}.items()},
            {"left_palm", "right_palm"},
        ),
    ],
)  # fmt: skip
def test_limbs_meet_thighs_chest_and_each_other(simulator: Simulator, angles: dict[str, float], pair: set[str]) -> None:
    simulator.robot.place(simulator.robot.pose(angles), np.array([0.0, 0.0, 1.0]), 0.0)
    assert pair in [set(found) for found in own_contacts(simulator)]
