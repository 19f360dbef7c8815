"""`hmpc plot`: a recorded run as pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import matplotlib

matplotlib.use("Agg")  # files, never windows

import numpy as np
from matplotlib.figure import Figure

from hmpc.app.progress import progress_bar
from hmpc.app.records.log import Columns, read_log
from hmpc.app.records.recorder import writable_folder
from hmpc.errors import InputError
from hmpc.geometry import heading

if TYPE_CHECKING:
    from hmpc.app.records.options import Plot
    from hmpc.types import Array

_SMOOTHING = 1.0  # [s] window of the mean: two steps, whose sway it takes out of a velocity
_WIDTH, _ROW = 10.0, 2.2  # [in] of a figure, and of a row in it
_DOTS = 110  # [1/in]


def plot(arguments: Plot) -> int:
    """Draw every figure and say where it is."""
    log = read_log(arguments.folder)
    folder = writable_folder(arguments.out or arguments.folder / "plots")
    with progress_bar(len(FIGURES), "drawing", unit="plots") as bar:
        for name, draw in FIGURES.items():
            try:
                figure = draw(log)
            except KeyError as error:
                raise InputError(f"The log in {str(arguments.folder)!r} has no column {error}.") from None
            path = folder / f"{name}.{arguments.format}"
            figure.savefig(path, dpi=_DOTS)
            bar.update()
            print(path)
    return 0


def velocity(log: Columns) -> Figure:
    """Command against velocity, in the heading frame."""
    t, yaw = log["t"], np.array([heading(R) for R in log["R_WB"]])
    c, s, vel = np.cos(yaw), np.sin(yaw), log["vel_W"]
    forward, left = c * vel[:, 0] + s * vel[:, 1], c * vel[:, 1] - s * vel[:, 0]
    figure, rows = _figure(3, "Velocity and command")
    measured = {"forward [m/s]": forward, "left [m/s]": left, "yaw rate [rad/s]": log["omega_W"][:, 2]}
    for k, (axes, (label, values)) in enumerate(zip(rows, measured.items(), strict=True)):
        axes.plot(t, values, color="0.8", lw=0.7, label="measured")
        axes.plot(t, _smooth(values, t), color="C0", label=f"mean over {_SMOOTHING:g} s")
        axes.plot(t, log["command"][:, k], color="C3", ls="--", label="command")
        axes.set_ylabel(label)
    rows[0].legend(loc="lower right", ncols=3, fontsize="small")
    return figure


def com(log: Columns) -> Figure:
    """Centre of mass, where it is and where it is wanted."""
    figure, rows = _figure(3, "Centre of mass")
    for k, (axes, label) in enumerate(zip(rows, ("x [m]", "y [m]", "height [m]"), strict=True)):
        axes.plot(log["t"], log["com_W"][:, k], label="measured")
        axes.plot(log["t"], log["planned_com_W"][:, k], color="C3", ls="--", label="wanted")
        axes.set_ylabel(label)
    rows[0].legend(loc="lower right", ncols=2, fontsize="small")
    return figure


def contacts(log: Columns) -> Figure:
    """When each limb touches the world, and when it is meant to."""
    limbs = [str(name) for name in log["limb"]]
    figure, (axes,) = _figure(1, "Contacts: wide where planned, dark where they happen")
    for k, _ in enumerate(limbs):
        for column, height, color in (("limb_planned", 0.7, "0.85"), ("limb_touching", 0.35, f"C{k}")):
            axes.broken_barh(_stretches(log["t"], log[column][:, k]), (k - height / 2, height), color=color)
    axes.set_yticks(range(len(limbs)), [name.replace("_", " ") for name in limbs])
    axes.set_ylim(len(limbs) - 0.5, -0.5)  # the first limb on top
    return figure


def forces(log: Columns) -> Figure:
    """Vertical and horizontal force on each limb that carries any: planned, distributed, measured."""
    sources = {"planned": "limb_force_planned_W", "distributed": "limb_force_distributed_W", "measured": "limb_force_W"}
    used = [k for k in range(len(log["limb"])) if np.abs(log["limb_force_W"][:, k]).max() > 0.0]
    figure, rows = _figure(2 * max(len(used), 1), "Forces on the character")
    for axes, k in zip(rows[::2], used, strict=False):
        _force_row(axes, log, sources, k, lambda force: force[:, 2], "up [N]")
    for axes, k in zip(rows[1::2], used, strict=False):
        _force_row(axes, log, sources, k, lambda force: np.linalg.norm(force[:, :2], axis=1), "sideways [N]")
    rows[0].legend(loc="upper right", ncols=3, fontsize="small")
    return figure


def _force_row(
    axes: matplotlib.axes.Axes,
    log: Columns,
    sources: Mapping[str, str],
    limb: int,
    part: Callable[[Array], Array],
    label: str,
) -> None:
    styles = {"planned": ("C0", 1.5), "distributed": ("C4", 1.0), "measured": ("C3", 0.6)}
    for name, column in sources.items():
        color, width = styles[name]
        axes.plot(log["t"], part(log[column][:, limb]), color=color, lw=width, label=name)
    axes.set_ylabel(f"{str(log['limb'][limb]).replace('_', ' ')}\n{label}")


def torques(log: Columns) -> Figure:
    """Torque of every motor with its limits."""
    names, limits = [str(name) for name in log["joint"]], log["torque_limit"]
    columns = 4
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(1.5 * _WIDTH, 0.8 * _ROW * rows), layout="constrained")
    figure.suptitle("Torques [N m] over time [s], and the motors' limits")
    grid = figure.subplots(rows, columns, sharex=True, squeeze=False).ravel()
    for axes, name, limit, tau in zip(grid, names, limits, log["tau"].T, strict=False):
        axes.plot(log["t"], tau, lw=0.6)
        for sign in (-1.0, 1.0):
            axes.axhline(sign * limit, color="C3", lw=0.8, ls="--")
        axes.set_title(name.replace("_", " "), fontsize="small")
    for axes in grid[len(names) :]:
        axes.set_axis_off()
    return figure


def times(log: Columns) -> Figure:
    """How long ticks and plans took."""
    planned, milliseconds = log["planned"], 1e3 * log["tick_time"]
    figure, (axes,) = _figure(1, "Time of the clock that ticks took")
    axes.plot(log["t"][~planned], milliseconds[~planned], ".", ms=1, label="ticks")
    axes.plot(log["t"][planned], milliseconds[planned], "C3.", ms=4, label="ticks with a new plan")
    axes.set_yscale("log")
    axes.set_ylabel("[ms]")
    axes.legend(loc="upper right", fontsize="small")
    return figure


FIGURES: Mapping[str, Callable[[Columns], Figure]] = {
    "velocity": velocity,
    "com": com,
    "contacts": contacts,
    "forces": forces,
    "torques": torques,
    "times": times,
}


def _figure(rows: int, title: str) -> tuple[Figure, list[matplotlib.axes.Axes]]:
    """A figure with rows that share the time axis."""
    figure = Figure(figsize=(_WIDTH, _ROW * rows + 0.6), layout="constrained")
    figure.suptitle(title)
    grid = list(figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0])
    grid[-1].set_xlabel("time [s]")
    for axes in grid:
        axes.grid(alpha=0.3)
    return figure, grid


def _smooth(values: Array, t: Array) -> Array:
    """Moving mean over `_SMOOTHING` seconds; the ends have less to average over."""
    window = max(int(_SMOOTHING / max(t[1] - t[0], 1e-9)), 1) if len(t) > 1 else 1
    ones = np.ones(min(window, len(values)))
    return np.convolve(values, ones, "same") / np.convolve(np.ones_like(values), ones, "same")


def _stretches(t: Array, mask: Array) -> list[tuple[float, float]]:
    """Start and length of every stretch of time in which the mask holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    period = t[1] - t[0] if len(t) > 1 else 0.0
    return [(float(t[a]), float(t[b - 1] - t[a] + period)) for a, b in edges.reshape(-1, 2)]
