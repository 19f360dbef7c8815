"""Walk along a course of velocity commands: forward, in a curve, sideways, and stop."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import hmpc

COURSE = {  # what -> forward, left [m/s], counter-clockwise [rad/s]
    "start": (0.4, 0.0, 0.0),
    "walk": (0.7, 0.0, 0.0),
    "curve": (0.5, 0.0, 0.3),
    "sideways": (0.2, 0.15, 0.0),
    "stop": (0.0, 0.0, 0.0),
}


def main(seconds: float = 4.0) -> None:
    """Follow each command for some seconds and say where it led."""
    session = hmpc.make("flat", plan="lip")
    for name, (forward, left, yaw_rate) in COURSE.items():
        session.command = replace(session.command, velocity_H=np.array([forward, left]), yaw_rate=yaw_rate)
        summary = session.run(seconds)
        x, y, _ = session.state.body.com_W
        print(f"{name:9} at {session.time:4.1f} s: x {x:5.2f} m, y {y:5.2f} m, {summary.steps} steps")
        if session.over:
            print(summary.reason)
            break


if __name__ == "__main__":
    main()
