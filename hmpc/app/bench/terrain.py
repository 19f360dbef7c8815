"""Terrain as a physical simulation: slopes, rough ground, stairs, gaps, stones; success rates and speeds.

`--part` runs one of the parts alone. A trial succeeds if the environment says so: beyond the goal without a fall; on
slopes and rough ground, no fall. Every seed starts from another state, searches with other random numbers and, where
the ground is random, walks on another one; it comes to gaps and stairs from another distance. `low` and `high` are
Wilson's 95 % interval of the rate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.trials import Trial, in_parallel, rate_cells, walk
from hmpc.app.metrics import Summary

_SEEDS, _QUICK_SEEDS = 10, 2
_STONES, _QUICK_STONES = 50, 4
_RANDOM = ("rough", "stones")  # environments whose ground has a seed
# [m] to the first edge, and by how much more with every seed: strides meet it anywhere
_RUN_UP = {"gap": (3.0, 0.2), "stairs": (1.5, 0.1)}


def measure(quick: bool) -> Result:
    """One table of all parts."""
    rows = [row for part in PARTS.values() for table in part(quick).values() for row in table]
    return {"terrain": rows}


def slopes(quick: bool) -> Result:
    """Uphill and downhill."""
    seconds, length = (12.0, 15.0) if quick else (60.0, 50.0)
    kinds = {
        f"slope {angle:+g} deg": _trial("slope", 0.8, seconds, angle=angle, length=length) for angle in (15.0, -15.0)
    }
    return success_rates("slopes", kinds, _QUICK_SEEDS if quick else _SEEDS)


def rough(quick: bool) -> Result:
    """Tilted slabs with bumps that the planners do not see; the same with wrong beliefs about their heights."""
    # Nobody steers: over a minute the walk drifts by a metre or two, and the ground should not end there.
    seconds, length, width = (12.0, 15.0, 5.0) if quick else (60.0, 55.0, 8.0)
    bumps = _trial("rough", 0.8, seconds, bump=0.04, length=length, width=width)
    kinds = {"rough 4 cm": bumps, "rough 4 cm, heights wrong by 2 cm": replace(bumps, options={"height_error": 0.02})}
    return success_rates("rough ground", kinds, _QUICK_SEEDS if quick else _SEEDS)


def stairs(quick: bool) -> Result:
    """Eight steps without hands."""
    risers = (0.15, 0.20) if quick else (0.10, 0.15, 0.20, 0.25)
    kinds = {
        f"stairs {direction} {riser:g} m": _trial("stairs", 0.6, 16.0, riser=riser, direction=direction)
        for direction in ("up", "down")
        for riser in risers
    }
    for riser, tread in () if quick else ((0.30, 0.40), (0.35, 0.45)):
        what = f"stairs up {riser:g} m, treads {tread:g} m"
        kinds[what] = _trial("stairs", 0.6, 17.0, riser=riser, tread=tread)
    return success_rates("stairs without hands", kinds, _QUICK_SEEDS if quick else _SEEDS)


def rails(quick: bool) -> Result:
    """Eight steps between two handrails, with hands that may not use them, and with one rail."""
    steps = ((0.20, 0.30),) if quick else ((0.20, 0.30), (0.25, 0.30), (0.30, 0.40))
    kinds = {
        f"stairs up {riser:g} m, treads {tread:g} m, rails {holds}": _trial(
            "stairs", 0.6, 16.0, riser=riser, tread=tread, rails="both", holds=holds
        )
        for riser, tread in steps
        for holds in ("used", "forbidden")
    }
    kinds |= {
        f"stairs up 0.2 m, rail {side}": _trial("stairs", 0.6, 16.0, riser=0.2, rails=side)
        for side in ("left", "right")
    }
    return success_rates("stairs with hands", kinds, _QUICK_SEEDS if quick else _SEEDS)


def high_stairs(quick: bool) -> Result:
    """Eight steps that are too high to walk up, climbed one by one between two handrails."""
    steps = ((0.50, 0.50),) if quick else ((0.35, 0.45), (0.40, 0.50), (0.50, 0.50))
    kinds = {
        f"stairs up {riser:g} m, treads {tread:g} m, rails used": _trial(
            "stairs", 0.6, 97.0, riser=riser, tread=tread, rails="both"
        )
        for riser, tread in steps
    }
    return success_rates("high stairs with hands", kinds, _QUICK_SEEDS if quick else _SEEDS)


def gaps(quick: bool) -> Result:
    """From a walk: with a step or, the wider ones, a leap."""
    all_of_them = product((0.3, 0.5, 0.8, 1.1), (0.6, 1.0, 1.2, 1.5))
    kinds = {
        f"gap {width:g} m at {vx:g} m/s": _trial("gap", vx, 4.0 + 8.0 / vx, width=width)
        for width, vx in (((0.5, 0.8), (0.8, 1.2), (1.1, 1.5)) if quick else all_of_them)
    }
    return success_rates("gaps", kinds, _QUICK_SEEDS if quick else _SEEDS)


def stones(quick: bool) -> Result:
    """10 m of stones of 0.3 m, 0.2 to 0.5 m apart."""
    kinds = {"stones at 1 m/s": _trial("stones", 1.0, 25.0)}
    return success_rates("stepping stones", kinds, _QUICK_STONES if quick else _STONES)


def barriers(quick: bool) -> Result:
    """What cannot be passed: success is to stand before it."""
    kinds = {
        "gap 3 m at 0.8 m/s": _trial("gap", 0.8, 12.0, width=3.0),
        "gap 3 m at 1.4 m/s": _trial("gap", 1.4, 12.0, width=3.0),
        "riser 1 m": _trial("stairs", 0.6, 12.0, riser=1.0),
    }
    return success_rates("barriers", kinds, _QUICK_SEEDS if quick else _SEEDS, stopped=True)


def _trial(env: str, vx: float, seconds: float, **parameters: Cell) -> Trial:
    return Trial(env=env, velocity=(vx, 0.0, 0.0), seconds=seconds, parameters=parameters)


def success_rates(title: str, kinds: Mapping[str, Trial], seeds: int, *, stopped: bool = False) -> Result:
    """A row for each kind of trial, repeated with that many seeds."""
    trials = [_seeded(trial, seed) for trial in kinds.values() for seed in range(seeds)]
    summaries = in_parallel(walk, trials)
    rows = [_row(kind, summaries[seeds * k : seeds * (k + 1)], stopped) for k, kind in enumerate(kinds)]
    return {title: rows}


def _seeded(trial: Trial, seed: int) -> Trial:
    ground: Mapping[str, Cell] = {"seed": seed} if trial.env in _RANDOM else {}
    if trial.env in _RUN_UP:
        nearest, further = _RUN_UP[trial.env]
        ground = {"run_up": nearest + further * seed}
    return replace(trial, seed=seed, parameters={**trial.parameters, **ground})


def _row(kind: str, summaries: Sequence[Summary], stopped: bool) -> Mapping[str, Cell]:
    good = [_stopped(s) if stopped else s.success for s in summaries]
    return {
        "what": kind,
        **rate_cells(sum(good), len(good)),
        "falls": sum(s.fell for s in summaries),
        "mean_vx": float(np.mean([s.mean_velocity[0] for s in summaries])),
        "flight_s": float(np.mean([s.flight_time for s in summaries])),
        "hand_N": float(np.mean([s.hand_force_mean for s in summaries])),
        "saturation": float(np.mean([s.torque_saturation for s in summaries])),
        "real_time": float(np.mean([s.real_time_factor for s in summaries])),
    }


def _stopped(summary: Summary) -> bool:
    return not summary.fell and "It stopped" in summary.reason


PARTS = {
    "slopes": slopes,
    "rough": rough,
    "stairs": stairs,
    "rails": rails,
    "high_stairs": high_stairs,
    "gaps": gaps,
    "stones": stones,
    "barriers": barriers,
}
