"""Save a session just before a push, then try different answers to it from the very same state."""

from __future__ import annotations

from dataclasses import replace

import hmpc

IMPULSE = 26.0  # [N s] from behind: near the limit of what the soles can hold
HEIGHTS = (1.0, 0.95, 0.9, 0.85, 0.8)  # of the COM, as a fraction of its standing height


def main(seconds: float = 4.0) -> None:
    """Does it help to crouch when the push comes?"""
    session = hmpc.make("stand")
    session.run(1.0)
    before = session.save()
    for height in HEIGHTS:
        session.restore(before)
        session.command = replace(session.command, body_height=height)
        session.push(hmpc.Push(start=session.time, impulse=IMPULSE, direction=0.0))
        summary = session.run(seconds)
        print(f"crouching to {100 * height:3.0f} %: {summary.reason}")


if __name__ == "__main__":
    main()
