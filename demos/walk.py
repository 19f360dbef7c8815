"""Walk along a course of velocity commands: forward, in a curve, sideways, and stop."""

from __future__ import annotations

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
    sim = hmpc.make("flat", plan="lip")
    for name, (forward, left, yaw_rate) in COURSE.items():
        sim.command(vx=forward, vy=left, yaw_rate=yaw_rate)
        upright = sim.step(seconds)
        x, y, _ = sim.state.body.com_W
        print(f"{name:9} at {sim.time:4.1f} s: x {x:5.2f} m, y {y:5.2f} m, {sim.summary().steps} steps")
        if not upright:
            print(sim.summary().reason)
            break


if __name__ == "__main__":
    main()
