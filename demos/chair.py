"""Stand up from chairs with and without something to hold on to, and sit down again."""

from __future__ import annotations

from collections.abc import Sequence

import hmpc

LAYOUTS = ("armrests", "bars", "none")


def main(layouts: Sequence[str] = LAYOUTS) -> None:
    """What do the hands bear?"""
    for layout in layouts:
        sim = hmpc.make("chair", layout=layout)
        print(f"chair with {layout}: {', '.join(sim.tasks)}")
        sim.step(seconds=4.0)  # it begins with standing up
        summary = sim.summary()
        print(f"  {summary.reason}")
        print(f"  A hand that touched bore {summary.hand_force_mean:.0f} N, {summary.hand_force_max:.0f} N at most.")
        sim.task("sit_down")
        sim.step(seconds=4.0)
        print(f"  Then the seat bore {sim.state.limbs['seat'].force_W[2]:.0f} N.")


if __name__ == "__main__":
    main()
