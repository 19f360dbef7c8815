"""Save a session just before a push, then try different answers to it from the very same state."""

from __future__ import annotations

import hmpc

IMPULSE = 26.0  # [N s] from behind: near the limit of what the soles can hold
HEIGHTS = (1.0, 0.95, 0.9, 0.85, 0.8)  # of the COM, as a fraction of its standing height


def main(seconds: float = 4.0) -> None:
    """Does it help to crouch when the push comes?"""
    sim = hmpc.make("stand")
    sim.step(seconds=1.0)
    before = sim.save()
    for height in HEIGHTS:
        sim.restore(before)
        sim.command(body_height=height)
        sim.push(IMPULSE)
        sim.step(seconds)
        print(f"crouching to {100 * height:3.0f} %: {sim.summary().reason}")


if __name__ == "__main__":
    main()
