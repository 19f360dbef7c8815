"""Has it become slower? Ratios of times, which machines agree about, against those recorded in the repository.

A loss above 25 % is shown, for somebody to look at; it fails nothing, because a busy machine can cause one too.
`--results DIR` records what was measured as what the next ones are compared with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hmpc.app.bench.qp import solver_timings
from hmpc.app.bench.results import FOLDER, kept_result
from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.tick import part_timings

NAME = "ratios"
LOSS = 0.25  # of a ratio, that is shown
_PHYSICS = ("mj_step1 (kinematics, contacts)", "mj_step2 (constraints, integration)")
_CONTACTS = 8
_REPEATS = 300
Rows = Sequence[Mapping[str, Cell]]


def measure(quick: bool) -> Result:
    now = measured_ratios(2.0 if quick else 10.0)
    kept = kept_result(FOLDER, NAME, None)
    recorded = {row["ratio"]: row["now"] for row in kept.result[NAME]} if kept else {}
    return {NAME: [compared(name, value, recorded.get(name)) for name, value in now.items()]}


def measured_ratios(seconds: float) -> dict[str, float]:
    """Lower is better in all of them."""
    ratios = {}
    for motion, speed in (("standing", 0.0), ("walking", 0.6)):
        median = {str(row["part"]): row["median_us"] for row in part_timings(speed, seconds)}
        ratios[f"tick over physics, {motion}"] = _number(median["all"]) / sum(
            _number(median[part]) for part in _PHYSICS
        )
    newton, daqp = (
        _number(row["median_us"]) for row in solver_timings((_CONTACTS,), ("newton", "daqp"), _REPEATS, seed=0)
    )
    ratios[f"our QP over daqp, {_CONTACTS} contacts"] = newton / daqp
    return ratios


def compared(name: str, now: float, recorded: Cell) -> Mapping[str, Cell]:
    """A row, with a word where something was lost."""
    before = None if recorded is None else _number(recorded)
    change = None if before is None else now / before - 1.0
    verdict = "not recorded before" if change is None else "SLOWER: look" if change > LOSS else "as before"
    return {"ratio": name, "now": now, "recorded": before, "change": change, "verdict": verdict}


def _number(cell: Cell) -> float:
    assert isinstance(cell, int | float)
    return float(cell)
