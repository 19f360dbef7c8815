"""Turn, lean, squat, pose the arms and stand on one foot, all in one run."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import hmpc

POSTURES = {
    "look left": (1.0, hmpc.Posture(trunk_yaw=math.radians(20.0), head_yaw=math.radians(30.0))),
    "lean forward": (1.0, hmpc.Posture(trunk_pitch=math.radians(15.0), arms="bent")),
    "squat": (0.75, hmpc.Posture(arms="forward")),
    "stand on the right foot": (1.0, hmpc.Posture(arms="sideways", lifted_foot="left_foot")),
    "stand on both": (1.0, hmpc.Posture()),
}


def main(seconds: float = 4.0) -> None:
    """Hold each posture for some seconds and say how well."""
    session = hmpc.make("stand")
    for name, (height, posture) in POSTURES.items():
        session.command = replace(session.command, body_height=height, posture=posture)
        summary = session.run(seconds)
        error = np.linalg.norm(session.state.body.com_W - session.stack.target.body.com_W)
        print(f"{name:24} COM within {1e3 * error:4.1f} mm, {summary.reason}")


if __name__ == "__main__":
    main()
