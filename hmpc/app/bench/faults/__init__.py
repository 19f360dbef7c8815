"""What happens when things go wrong: thousands of seeded faults, each contained within its tick or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from hmpc.app.bench.faults import body, commands, machine, planners, sensors, worker
from hmpc.app.bench.faults.campaign import Campaign, Injection, Life
from hmpc.app.bench.faults.fault import Fault
from hmpc.app.bench.faults.terminated import terminated_runs
from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import in_parallel, rate_cells

FAMILIES: Mapping[str, Sequence[Fault]] = {
    "sensors": sensors.FAULTS,
    "planners": planners.FAULTS,
    "worker": worker.FAULTS,
    "body": body.FAULTS,
    "commands": commands.FAULTS,
    "machine": machine.FAULTS,
}
BESIDE = "worker"  # the family that needs a planner beside the simulation
EVERY = tuple(FAMILIES)
_INJECTIONS, _QUICK_INJECTIONS = 10_000, 300  # of all families together
_JOB = 100  # injections that one process does in a row
_SIGNALS, _QUICK_SIGNALS = 50, 3


@dataclass(frozen=True)
class Job:
    """Some injections, described so that another process can do them."""

    families: tuple[str, ...]
    seed: int
    count: int


def campaign(job: Job) -> tuple[list[Injection], list[Life]]:
    """Do a job."""
    faults = [fault for name in job.families for fault in FAMILIES[name]]
    run = Campaign(faults, job.seed, clock="realtime" if BESIDE in job.families else "lockstep")
    run.run(job.count)
    return run.injections, run.lives


def measure(quick: bool) -> Result:
    """Everything."""
    return {**injected(quick), **terminated(quick)}


def injected(quick: bool, families: tuple[str, ...] = EVERY) -> Result:
    """Faults of these families, each as often as every other."""
    together = tuple(name for name in families if name != BESIDE)
    alone = tuple(name for name in families if name == BESIDE)
    results = in_parallel(campaign, [job for group in (together, alone) if group for job in _jobs(group, quick)])
    injections = [injection for some, _ in results for injection in some]
    lives = [life for _, some in results for life in some]
    return tables(injections, lives)


def terminated(quick: bool) -> Result:
    """Runs that are told to end."""
    return {"SIGTERM at any time": [terminated_runs(_QUICK_SIGNALS if quick else _SIGNALS)]}


def _jobs(families: tuple[str, ...], quick: bool) -> list[Job]:
    every = sum(len(faults) for faults in FAMILIES.values())
    share = sum(len(FAMILIES[name]) for name in families) / every
    count = round(share * (_QUICK_INJECTIONS if quick else _INJECTIONS))
    return [Job(families, seed, min(_JOB, count - done)) for seed, done in enumerate(range(0, count, _JOB))]


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
            {"fault": "all", **_cells(injections)},
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


PARTS = {**{name: partial(injected, families=(name,)) for name in FAMILIES}, "terminated": terminated}
