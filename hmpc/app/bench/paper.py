"""The claims of the paper's Sec. 5 beside what was measured here, from kept results; writes docs/benchmarks.md.

Nothing is measured again: `hmpc bench NAME --part PART --results docs/benchmarks` keeps a result, and the row of a
claim whose result is missing says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hmpc.app.bench import claims
from hmpc.app.bench.results import command_line, kept_result
from hmpc.app.bench.table import Cell, Result
from hmpc.errors import InputError

NOT_MEASURED = "not measured"
_HEAD = """# The paper's numbers, and ours

Every claim of Sec. 5 of the paper (and of the PD control of Sec. 4) beside what was measured here. Made by `hmpc bench
paper` from the results in `docs/benchmarks/`, each of which also tells on which machine and with which versions it was
measured; add `--results docs/benchmarks` to a command to replace its result. Rates come with their 95 % interval
(Wilson); seeds are 0, 1, 2, ... unless a bench says otherwise. `--quick` is the short version of a bench, whose few
trials bound a rate only loosely. Other people's programs beside ours: [peers](peers.md).
"""
Rows = Sequence[Mapping[str, Cell]]


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper, and where the number for it comes from."""

    about: str
    paper: str
    bench: str
    part: str | None
    read: Callable[[Rows], str]  # the first table of the bench -> words


_highest_with_hands = claims.largest("stairs up", "m", claims.RAILS_USED)
CLAIMS = (
    Claim("walking speeds", "-1 to 1.5 m/s", "walk", "steady", claims.speed_range),
    Claim("transitions between them", "quick", "walk", "transitions", claims.transitions),
    Claim("control points without split forces", "about 4 times", "ablation", "forces", claims.control_points),
    Claim("widest gap", "1.1 m, hopping", "terrain", "gaps", claims.largest("gap", "m wide")),
    Claim("highest stairs without hands", "0.25 m", "terrain", "stairs", claims.largest("stairs up", "m")),
    Claim("highest stairs with both hands", "0.50 m", "terrain", "high_stairs", _highest_with_hands),
    Claim("mean force on a hand on these stairs", "about 280 N", "terrain", "high_stairs", claims.hand_force),
    Claim("standing up with hand-holds anywhere", "works in various layouts", "tasks", "stand_up", claims.success),
    Claim("highest platform crawled onto", "0.5 m", "tasks", "climb", claims.largest("climb", "m", named="task")),
    Claim("walking, planning included", "real time", "walk", "speed", claims.walking_pace),
    Claim("complex motions, planning included", "0.15 to 0.3 of real time", "tasks", "stand_up", claims.task_pace),
    Claim("lowest control rate of implicit and explicit PD", "200 and 2000 Hz", "pd", None, claims.pd_rates),
)  # fmt: skip


def from_results(folder: Path) -> Result:
    """A row for every claim; also written as a page, beside the folder."""
    if not folder.is_dir():
        raise InputError(
            f"There is no folder {str(folder)!r} of results; `hmpc bench NAME --results {folder}` makes one."
        )
    rows = [_row(claim, folder) for claim in CLAIMS]
    page = folder.with_suffix(".md")
    page.write_text(as_page(rows), encoding="utf-8")
    return {f"the paper's Sec. 5, and here (written to {page})": rows}


def _row(claim: Claim, folder: Path) -> dict[str, Cell]:
    kept = kept_result(folder, claim.bench, claim.part)
    return {
        "claim": claim.about,
        "paper": claim.paper,
        "ours": NOT_MEASURED if kept is None else claim.read(next(iter(kept.result.values()))),
        "measured": "" if kept is None else kept.measured,
        "command": command_line(claim.bench, claim.part) if kept is None else kept.command,
    }


def as_page(rows: Rows) -> str:
    """The table as Markdown."""
    lines = [
        _HEAD,
        "| claim | paper | ours | command | measured |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {row['claim']} | {row['paper']} | {row['ours']} | `{row['command']}` | {row['measured']} |"
            for row in rows
        ),
    ]
    return "\n".join(lines) + "\n"
