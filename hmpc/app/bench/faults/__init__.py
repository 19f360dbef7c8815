"""What happens when things go wrong: thousands of seeded faults, each contained within its tick or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from hmpc.app.bench.faults.campaign import Injection, Life
from hmpc.app.bench.faults.families import BESIDE, FAMILIES
from hmpc.app.bench.faults.jobs import campaign, jobs_of, outcomes
from hmpc.app.bench.faults.terminated import terminated_runs
from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import in_parallel, rate_cells

EVERY = tuple(FAMILIES)
_INJECTIONS, _QUICK_INJECTIONS = 10_000, 300  # of all families together
_SIGNALS, _QUICK_SIGNALS = 50, 3


def measure(quick: bool) -> Result:
    """Everything; what can be stopped and resumed comes last."""
    return {**terminated(quick), **injected(quick)}


def injected(quick: bool, families: tuple[str, ...] = EVERY) -> Result:
    """Faults of these families, each as often as every other."""
    together = tuple(name for name in families if name != BESIDE)
    alone = tuple(name for name in families if name == BESIDE)
    jobs = [job for group in (together, alone) if group for job in jobs_of(group, _share(group, quick))]
    found = in_parallel(campaign, jobs) if quick else outcomes(jobs)
    injections = [injection for some, _ in found for injection in some]
    lives = [life for _, some in found for life in some]
    planned = sum(job.count for job in jobs)
    return {"how much of it": [{"injections": len(injections), "of": planned}], **tables(injections, lives)}


def _share(families: tuple[str, ...], quick: bool) -> int:
    """Injections that fall to these families, out of those for all."""
    every = sum(len(faults) for faults in FAMILIES.values())
    share = sum(len(FAMILIES[name]) for name in families) / every
    return round(share * (_QUICK_INJECTIONS if quick else _INJECTIONS))


def terminated(quick: bool) -> Result:
    """Runs that are told to end."""
    return {"SIGTERM at any time": [terminated_runs(_QUICK_SIGNALS if quick else _SIGNALS)]}


def tables(injections: Sequence[Injection], lives: Sequence[Life]) -> Result:
    """A row for every fault, for all of them, and for the records."""
    names = dict.fromkeys(fault.name for faults in FAMILIES.values() for fault in faults)
    groups = {name: [one for one in injections if one.fault == name] for name in names}
    rows = [{"fault": name, **_cells(group)} for name, group in groups.items() if group]
    escapes: list[Mapping[str, Cell]] = [
        {"fault": one.fault, "escaped": one.escaped} for one in injections if one.escaped
    ]
    problems: list[Mapping[str, Cell]] = [
        {"ticks": life.ticks, "problem": life.problem} for life in lives if life.problem
    ]
    intact: dict[str, Cell] = {"runs": len(lives), "intact": len(lives) - len(problems)}
    return {
        "faults while standing or walking (upright: neither fallen nor stopped)": [
            *rows,
            *([{"fault": "all", **_cells(injections)}] if injections else []),
        ],
        "what got out of its tick": escapes,
        "logs and tapes": [intact],
        "logs and tapes with a problem": problems,
    }


def _cells(injections: Sequence[Injection]) -> dict[str, Cell]:
    upright = rate_cells(sum(one.upright for one in injections), len(injections))
    return {
        "injections": len(injections),
        "contained": sum(not one.escaped for one in injections),
        "upright": upright["successes"],
        "share": upright["rate"],
        "low": upright["low"],
        "high": upright["high"],
    }


PARTS = {
    "injected": injected,
    **{name: partial(injected, families=(name,)) for name in FAMILIES},
    "terminated": terminated,
}
