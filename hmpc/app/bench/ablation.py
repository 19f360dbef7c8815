"""What each part of the hierarchy is worth: walking and planning with one of them replaced at a time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from hmpc.app.bench.force_parameters import force_parameters
from hmpc.app.bench.table import Cell, Result
from hmpc.app.bench.terrain import success_rates
from hmpc.app.bench.trials import Trial, in_parallel, steady_cells, walk
from hmpc.sim.simulator import Push

_VARIANTS: Mapping[str, Trial] = {
    "everything": Trial(),
    "tier 2 replaced by the pendulum": Trial(options={"plan": "lip"}),
    "cold start instead of the old half-plan": Trial(overrides={"frb.warm_start": False}),
    "equal split between the feet": Trial(options={"sharing": "equal"}),
    "tier 3 off: planned forces as they are": Trial(options={"sharing": "planned"}),
}
_SPEEDS = (0.6, 1.0, 1.25)  # [m/s]
_PUSH_TIME, _PUSH_IMPULSE, _PUSH_SIDES = 5.0, 30.0, 4  # [s], [N s]
_PUSH_SECONDS = 10.0  # [s]


def measure(quick: bool) -> Result:
    return {title: rows for part in PARTS.values() for title, rows in part(quick).items()}


def walking(quick: bool) -> Result:
    """Steady walking, and walking on after a push."""
    seeds, seconds = (1, 12.0) if quick else (5, 30.0)
    speeds = _SPEEDS[:2] if quick else _SPEEDS
    steady = [
        replace(trial, velocity=(speed, 0.0, 0.0), seed=seed, seconds=seconds)
        for (trial, speed, seed) in product(_VARIANTS.values(), speeds, range(seeds))
    ]
    summaries = in_parallel(walk, steady)
    rows: list[Mapping[str, Cell]] = []
    for k, (name, speed) in enumerate(product(_VARIANTS, speeds)):
        group = summaries[seeds * k : seeds * (k + 1)]
        cells = steady_cells((speed, 0.0, 0.0), group)
        first_fall = min((s.fell_at for s in group if s.fell_at is not None), default=None)
        rows.append({"variant": name, **cells, "first_fall_s": first_fall})
    return {f"walking for {seconds:g} s": rows, f"a push of {_PUSH_IMPULSE:g} N s at 1 m/s": _pushed(seeds)}


def _pushed(seeds: int) -> Sequence[Mapping[str, Cell]]:
    pushes = [Push(_PUSH_TIME, _PUSH_IMPULSE, 2.0 * math.pi * k / _PUSH_SIDES) for k in range(_PUSH_SIDES)]
    trials = [
        replace(trial, velocity=(1.0, 0.0, 0.0), seed=seed, push=push, seconds=_PUSH_SECONDS)
        for trial, seed, push in product(_VARIANTS.values(), range(seeds), pushes)
    ]
    summaries = in_parallel(walk, trials)
    each = seeds * len(pushes)
    return [
        {"variant": name, "pushes": each, "survived": sum(not s.fell for s in summaries[each * k : each * (k + 1)])}
        for k, name in enumerate(_VARIANTS)
    ]


def terrain(quick: bool) -> Result:
    """Where a pendulum knows too little: a long flight, and footholds that leave no choice."""
    grounds = {
        "gap of 1.1 m at 1.5 m/s": Trial(env="gap", parameters={"width": 1.1}, velocity=(1.5, 0.0, 0.0), seconds=9.0),
        "stepping stones at 1.0 m/s": Trial(env="stones", velocity=(1.0, 0.0, 0.0), seconds=18.0),
    }
    kinds = {
        f"{ground}, {name}": replace(trial, options=_VARIANTS[name].options)
        for (ground, trial), name in product(grounds.items(), ("everything", "tier 2 replaced by the pendulum"))
    }
    return success_rates("terrain", kinds, seeds=1 if quick else 5)


PARTS = {"walking": walking, "terrain": terrain, "forces": force_parameters}
