"""Turn, lean, squat, pose the arms and stand on one foot, all in one run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import hmpc

POSTURES: dict[str, dict[str, Any]] = {  # each changes what it names
    "look left": {"trunk_yaw": math.radians(20.0), "head_yaw": math.radians(30.0)},
    "lean forward": {"trunk_yaw": 0.0, "head_yaw": 0.0, "trunk_pitch": math.radians(15.0), "arms": "bent"},
    "squat": {"trunk_pitch": 0.0, "body_height": 0.75, "arms": "forward"},
    "stand on the right foot": {"body_height": 1.0, "arms": "sideways", "lifted_foot": "left_foot"},
    "stand on both": {"arms": "rest", "lifted_foot": "none"},
}


def main(seconds: float = 4.0) -> None:
    """Hold each posture for some seconds and say how well."""
    sim = hmpc.make("stand")
    for name, posture in POSTURES.items():
        sim.command(**posture)
        sim.step(seconds)
        error = np.linalg.norm(sim.state.body.com_W - sim.session.stack.target.body.com_W)
        print(f"{name:24} COM within {1e3 * error:4.1f} mm, {sim.summary().reason}")


if __name__ == "__main__":
    main()
