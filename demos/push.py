"""Push a standing character harder and harder, from all sides, until it falls."""

from __future__ import annotations

import math

import hmpc

SIDES = {"forward": 0.0, "left": 90.0, "backward": 180.0, "right": 270.0}  # [deg] in the heading frame
STEP = 2.0  # [N s]


def main(first: float = 16.0) -> None:
    """For each side: the largest impulse [N s] over 0.1 s at the torso that it takes without a step."""
    for name, degrees in SIDES.items():
        impulse = first
        while survives(impulse, math.radians(degrees)):
            impulse += STEP
        print(f"{name:9} holds {impulse - STEP:.0f} N s, falls at {impulse:.0f} N s")


def survives(impulse: float, direction: float) -> bool:
    sim = hmpc.make("stand")
    sim.push(impulse, direction, after=0.5)
    return sim.step(seconds=4.0)


if __name__ == "__main__":
    main()
