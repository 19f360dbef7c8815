"""Where the time goes: a bar for each layer, against the time that there is.

100 % of a bar are the seconds that pass on the clock while one second is simulated: when the bars add up to more, the
simulation cannot keep up with real time. The plans of tier 2 are made beside the simulation and have a budget of their
own: the time until they are too late to be followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.app.bench.stopwatch import Part, Stopwatch
from hmpc.executor.executor import Executor
from hmpc.footsteps.planner import FootstepPlanner
from hmpc.forces.distribution import ForceDistributor
from hmpc.planning import RigidBodyPlanner
from hmpc.sim.simulator import Simulator
from hmpc.stack import Stack

if TYPE_CHECKING:
    from collections.abc import Mapping

    import viser

    from hmpc.app.viewers.stage import Stage

_SMOOTHING = 0.2  # of the bars, per update
_TIGHT, _FULL = 0.6, 1.0  # from which share on a bar is orange, and red
_PLANS = "plans"  # of tier 2: in the simulation's time, or in their own where the planner is a process of its own
_ABOUT = {
    "lockstep": "100 %: all the time that there is to keep up with the clock.",
    "realtime": "100 %: all the time that there is to keep up with the clock; for plans, which are made beside the "
    "simulation, the time until they are too late.",
}

# Timed where the classes are, so that a session that is swapped or retuned is timed as well. The time of the stack's
# step is what is left of it without the parts above.
PARTS: Mapping[str, Part] = {
    "footsteps": (FootstepPlanner, "plan"),
    _PLANS: (RigidBodyPlanner, "plan"),
    "executor": (Executor, "update"),
    "forces": (ForceDistributor, "distribute"),
    "whole body": (Stack, "step"),
    "physics (contacts)": (Simulator, "observe"),
    "physics (step)": (Simulator, "apply"),
}


class Budget:
    """The bars."""

    def __init__(self, gui: viser.GuiApi, watch: Stopwatch):
        self._watch = watch
        self._html = gui.add_html("")
        self._shares = dict.fromkeys(PARTS, 0.0)
        self._t = 0.0

    def measure(self, stage: Stage) -> None:
        """Count what was simulated since the last time; also while nobody looks, for the stopwatch keeps every tick."""
        session = stage.session
        simulated, self._t = session.time - self._t, session.time
        spent = self._watch.drain()
        if simulated > 0.0:
            for label, seconds in spent.items():
                before = self._shares.get(label, 0.0)
                self._shares[label] = before + _SMOOTHING * (seconds / simulated - before)
        if session.clock == "realtime":
            self._shares[_PLANS] = session.stack.answer_share

    def show(self, stage: Stage) -> None:
        """Bring the bars up to date."""
        self.measure(stage)
        self._html.content = bars(self._shares, _ABOUT[stage.session.clock])


def bars(shares: Mapping[str, float], about: str = "") -> str:
    """HTML for shares of a budget, 1 being all of it, and what that means."""
    rows = []
    for label, share in shares.items():
        color = "#e03131" if share > _FULL else "#f08c00" if share > _TIGHT else "#4dabf7"
        rows.append(
            f'<div style="display:flex;align-items:center;font-size:0.75em;line-height:1.5em">'
            f'<span style="width:9.5em;opacity:0.75">{label}</span>'
            f'<span style="flex:1;height:0.65em;background:#8883;border-radius:2px">'
            f'<span style="display:block;height:100%;width:{100.0 * min(share, 1.0):.1f}%;background:{color};'
            f'border-radius:2px"></span></span>'
            f'<span style="width:3.4em;text-align:right">{100.0 * share:.0f} %</span></div>'
        )
    words = f'<div style="padding-top:0.4em;font-size:0.75em;opacity:0.65">{about}</div>'
    return f'<div style="padding:0.3em 0.8em">{"".join(rows)}{words}</div>'
