"""The results of a sweep: one small file for each finished run, and from them the table, the summary and a plot.

A file appears whole or not at all and is named after what went into the run, so a sweep that was killed goes on with
what is missing, whatever happened in between.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hmpc.app.bench.table import Cell
from hmpc.app.bench.trials import rate_cells
from hmpc.app.experiments.design import COMMAND_KEYS, Factors, Job
from hmpc.app.records.log import write_whole

Row = dict[str, Any]

_FOLDER = "runs"
_MEANS = ("velocity_error", "distance", "steps", "foot_slip", "torque_saturation", "faults", "real_time_factor")


class Results:
    """The folder of a sweep."""

    def __init__(self, folder: Path):
        self._folder = folder / _FOLDER
        self._folder.mkdir(parents=True, exist_ok=True)

    def add(self, key: str, record: Row) -> None:
        """Keep the report of a finished run."""
        write_whole(self._folder / f"{key}.json", lambda file: file.write(json.dumps(record).encode()))

    def read(self, keys: Iterable[str]) -> dict[str, Row]:
        """The reports that are there."""
        paths = {key: self._folder / f"{key}.json" for key in keys}
        return {key: json.loads(path.read_text(encoding="utf-8")) for key, path in paths.items() if path.exists()}


def table(jobs: Sequence[Job], records: dict[str, Row]) -> list[Row]:
    """A row for each run that is finished: what distinguishes it, its report, and how to do it again."""
    names = _names([job.factors for job in jobs])
    return [
        {
            **{name: job.factors.get(name, "") for name in names},
            "seed": job.seed,
            **_flat({name: value for name, value in records[job.key].items() if name not in ("env", "robot", "seed")}),
            "again": " ".join(["hmpc", *job.argv]),
        }
        for job in jobs
        if job.key in records
    ]


def _flat(record: Row) -> Row:
    """Vectors and mappings spread over columns."""
    flat: Row = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat.update({f"{name}.{key}": item for key, item in value.items()})
        elif isinstance(value, list):
            flat.update({f"{name}.{part}": item for part, item in zip(("vx", "vy", "yaw_rate"), value, strict=True)})
        else:
            flat[name] = value
    return flat


def summary(jobs: Sequence[Job], records: dict[str, Row]) -> list[dict[str, Cell]]:
    """A row for each combination: over its seeds the rate of success with its 95 % interval, and means."""
    groups: dict[str, list[Job]] = {}
    for job in jobs:
        if job.key in records:
            groups.setdefault(json.dumps(job.factors, sort_keys=True, default=str), []).append(job)
    names = _varying([job.factors for job in jobs])
    rows = []
    for group in groups.values():
        reports = [records[job.key] for job in group]
        means = {name: float(np.mean([report[name] for report in reports])) for name in _MEANS}
        distinguished = {name: group[0].factors.get(name, "") for name in names}
        rate = rate_cells(sum(report["success"] for report in reports), len(reports))
        rows.append({**distinguished, **rate, "falls": sum(report["fell"] for report in reports), **means})
    return rows


def _names(factors: Sequence[Factors]) -> list[str]:
    """Everything that distinguishes runs: environment first, then its parameters, the command, and the rest."""
    found = list(dict.fromkeys(name for item in factors for name in item))
    return sorted(found, key=lambda name: (not name.startswith("env"), name not in COMMAND_KEYS, name != "env"))


def _varying(factors: Sequence[Factors]) -> list[str]:
    """Names that not all have with the same value; the environment is always told."""
    return [name for name in _names(factors) if name == "env" or len({str(item.get(name)) for item in factors}) > 1]


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """Rows as a CSV file, complete or not at all; a column that a row does not have is empty in it."""
    columns = list(dict.fromkeys(name for row in rows for name in row))

    def write(file: Any) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.DictWriter(text, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
        text.flush()
        text.detach()

    write_whole(path, write)


def plot_rates(path: Path, rows: Sequence[Row]) -> None:
    """Rates of success with their intervals, one line for each combination."""
    from matplotlib.figure import Figure

    known = {"trials", "successes", "rate", "low", "high", "falls", *_MEANS}
    told = [{name: value for name, value in row.items() if name not in known and value != ""} for row in rows]
    labels = [", ".join(f"{name} {value}" for name, value in row.items()) for row in told]
    figure = Figure(figsize=(8.0, 1.2 + 0.28 * len(rows)), layout="constrained")
    axes, places = figure.subplots(), np.arange(len(rows))
    rate, low, high = (np.array([row[name] for row in rows], dtype=float) for name in ("rate", "low", "high"))
    axes.errorbar(rate, places, xerr=[np.maximum(rate - low, 0.0), np.maximum(high - rate, 0.0)], fmt="o", capsize=3)
    axes.set_yticks(places, labels)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("rate of success, 95 % interval")
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
