"""Durations: percentiles to half a per cent, and memory that stays what it is."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from hmpc.app.durations import Durations


def test_percentiles_are_those_of_the_values() -> None:
    seconds = np.random.default_rng(0).lognormal(np.log(5e-4), 1.0, 20_000)
    durations = Durations()
    for part in np.split(seconds, 10):
        durations.add(part)
    p50, p99 = np.percentile(seconds, (50, 99)) * 1e6
    assert durations.percentiles(per_second=1e6) == {
        "p50": pytest.approx(p50, rel=0.01),
        "p99": pytest.approx(p99, rel=0.01),
    }


def test_nothing_has_no_percentiles() -> None:
    durations = Durations()
    durations.add([])
    assert durations.percentiles(per_second=1.0) == {"p50": None, "p99": None}


def test_an_hour_takes_no_more_memory_than_a_second() -> None:
    short, long = Durations(), Durations()
    short.add(np.full(500, 1e-3))
    long.add(np.full(500 * 3600, 1e-3))
    assert len(pickle.dumps(long)) == len(pickle.dumps(short))


def test_what_is_beyond_all_reason_is_counted_too() -> None:
    durations = Durations()
    durations.add([0.0, 1e9])
    assert durations.percentiles(per_second=1.0)["p99"] == pytest.approx(1e3, rel=0.01)
