"""Options of the commands about experiments; nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, arg

from hmpc.app.records.options import Flag, Folder, Word


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Run every combination that a YAML file asks for; the same command goes on where a sweep was interrupted."""

    file: Annotated[Positional[Path], arg(metavar="SWEEP.yaml")]
    """environments, commands, robots, seeds, params, pushes and ablations; see docs/experiments.md"""
    out: Folder = None
    """folder for the results; sweeps/NAME if left out"""
    workers: int = 0
    """processes; 0: one for each core"""
    dask: Annotated[str | None, arg(metavar="local|ADDRESS", help_behavior_hint="")] = None
    """run on a dask cluster: on one made for the occasion, or on that of a scheduler such as tcp://host:8786"""
    json: Flag = False
    """print the summary as JSON"""


@dataclass(frozen=True, kw_only=True)
class New:
    """Make a package to start from."""

    what: Annotated[Positional[Literal["env"]], arg(metavar="env")]
    """kind of thing: an environment"""
    name: Annotated[Positional[str], arg(metavar="NAME")]
    """of the environment: a word in lower case, such as ice_rink"""
    out: Path = Path()
    """folder in which the package's folder is made"""


@dataclass(frozen=True, kw_only=True)
class Doctor:
    """What works on this machine, and what to install where something does not."""

    json: Flag = False
    """print JSON"""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """The project's numbers, measured here and now."""

    name: Annotated[Positional[str], arg(metavar="NAME")]
    """which one; a wrong name lists them"""
    part: Word = None
    """only this part of it; a wrong name lists them"""
    quick: Flag = False
    """a short version"""
    results: Folder = None
    """folder to keep the result in; the folder that `paper` reads (docs/benchmarks)"""
    json: Flag = False
    """print JSON"""
