"""From the rows of a bench to the words of a table: one function for every kind of claim."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Rows = Sequence[Mapping[str, Any]]
RAILS_USED = "rails used"  # how the names of such rows end


def speed_range(rows: Rows) -> str:
    """The fastest forward and backward walks that no seed fell in."""
    straight = [row for row in rows if row["vy"] == row["yaw_rate"] == 0.0 and row["falls"] == 0]
    if not straight:
        return "none without a fall"
    low, high = (f(row["mean_vx"] for row in straight) for f in (min, max))
    runs, falls = (sum(row[name] for row in rows) for name in ("runs", "falls"))
    return f"{low:.2f} to {high:.2f} m/s; {falls} falls in {runs} runs"


def transitions(rows: Rows) -> str:
    """From the fastest backwards to the fastest forwards."""
    most = max(abs(row["to"] - row["from"]) for row in rows)
    widest = [row for row in rows if abs(row["to"] - row["from"]) == most]
    times = [row["reached_after_s"] for row in widest if row["reached_after_s"] is not None]
    falls = sum(row["fell"] for row in rows)
    took = f"{statistics.median(times):.1f} s" if times else "not reached"
    return f"{widest[0]['from']:g} to {widest[0]['to']:g} m/s in {took}; {falls} falls in {len(rows)}"


def control_points(rows: Rows) -> str:
    """By points: how many times the iterations of f_l/f_r with two points plain forces need for as good plans."""
    split = {row["vx"]: row["iterations_needed"] for row in rows if row["forces"] != "plain force"}
    words = []
    for points in dict.fromkeys(row["points"] for row in rows if row["forces"] == "plain force"):
        needed = [
            row["iterations_needed"] / split[row["vx"]]
            for row in rows
            if row["forces"] == "plain force" and row["points"] == points and row["iterations_needed"] is not None
        ]
        words.append(f"{points} points {min(needed):.1f}" if needed else f"{points} points not at all")
    return f"{', '.join(words)} times the iterations"


def rate(row: Mapping[str, Any]) -> str:
    """Successes, trials and the interval of their rate."""
    return f"{row['successes']} of {row['trials']} ({row['low']:.2f} to {row['high']:.2f})"


def largest(kind: str, unit: str, ending: str = "", named: str = "what") -> Callable[[Rows], str]:
    """The largest number after `kind` in the names of the rows at which at least half of the trials succeed.

    Only names with that `ending` count; they are in the column `named`.
    """

    def read(every: Rows) -> str:
        rows = [row for row in every if row[named].endswith(ending)]
        sized = {row[named]: _number_after(row[named], kind) for row in rows if row[named].startswith(kind)}
        passed = [row for row in rows if row[named] in sized and 2 * row["successes"] >= row["trials"]]
        if not passed:
            return "none of those tried"
        best = max(passed, key=lambda row: (sized[row[named]], row["successes"]))
        beyond = [sized[row[named]] for row in rows if row[named] in sized and sized[row[named]] > sized[best[named]]]
        tried = f"; {min(beyond):g} fails" if beyond else "; no larger one tried"
        return f"{sized[best[named]]:g} {unit}: {rate(best)}{tried}"

    return read


def _number_after(text: str, kind: str) -> float:
    return float(text.removeprefix(kind).split()[0])


def hand_force(rows: Rows) -> str:
    """Mean over the stairs that were climbed with the hands."""
    return _mean((row["hand_N"] for row in rows if row["what"].endswith(RAILS_USED)), "N", 0)


def success(rows: Rows) -> str:
    return rate(rows[0])


def walking_pace(rows: Rows) -> str:
    """Of the tier-2 planner, on one core."""
    return _mean((row["times_real_time"] for row in rows if row["plan"] == "frb"), "times real time", 1)


def task_pace(rows: Rows) -> str:
    return _mean((row["real_time"] for row in rows), "of real time", 2)


def _mean(values: Iterable[float], unit: str, digits: int) -> str:
    known = list(values)
    return f"{statistics.mean(known):.{digits}f} {unit}" if known else "none"


def pd_rates(rows: Rows) -> str:
    """The highest of the lowest stable rates: what all motions need."""
    implicit, explicit = ([row[f"{kind}_hz"] for row in rows] for kind in ("implicit", "explicit"))
    return (
        " and ".join(f"{max(known):g}" if None not in known else "above all tried" for known in (implicit, explicit))
        + " Hz"
    )
