"""Rates of rare events, sweeps that describe themselves, and curves of cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from hmpc.app.bench import resumable, scale, soak
from hmpc.app.bench.soak import fall_rate
from hmpc.app.session import Session
from hmpc.frb.planner import PlanSearch
from hmpc.params import FrbParams
from hmpc.types import Command


def test_no_fall_in_an_hour_bounds_the_rate_by_less_than_four() -> None:
    rate = fall_rate(0, 1.0)
    assert rate["falls_per_hour"] == rate["low"] == 0.0
    assert rate["high"] == pytest.approx(3.69, abs=0.01)  # the textbook's value


def test_the_interval_holds_the_rate_and_narrows_with_time() -> None:
    short, long = fall_rate(3, 1.0), fall_rate(300, 100.0)
    for rate in (short, long):
        assert isinstance(rate["low"], float) and isinstance(rate["high"], float)
        assert rate["low"] < 3.0 < rate["high"]
    assert long["high"] < short["high"]  # type: ignore[operator]
    assert fall_rate(0, 0.0)["falls_per_hour"] is None


def test_a_soak_tells_how_far_it_got_and_goes_on_with_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def stopped_after_one(missing: Sequence[soak.Tape], perform: object) -> Iterator[tuple[str, dict[str, object]]]:
        begun.append(missing[0].key)
        yield missing[0].key, record(missing[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(resumable, "_performed", stopped_after_one)
    monkeypatch.chdir(tmp_path)
    for walked in (1, 2, 3):
        flat, course = next(iter(soak.measure(quick=True).values()))
        assert flat["finished"] + course["finished"] == walked  # type: ignore[operator]
    assert begun == ["flat-0-30", "flat-1-30", "course-0-30"]


def record(tape: soak.Tape) -> dict[str, object]:
    return {"env": tape.env, "seed": tape.seed, "seconds": 30.0, "steps": 50, "fell": False, "process": 1, "peak_MB": 9}


def test_memory_is_told_process_by_process() -> None:
    first, second = ({"process": k, "peak_MB": 100.0 * k, "seconds": 1800.0} for k in (1, 2))
    assert soak.memory([first, second, {**first, "peak_MB": 101.0}]) == [
        {"hours": 1.0, "tapes": 2, "first_MB": 100.0, "last_MB": 101.0},
        {"hours": 0.5, "tapes": 1, "first_MB": 200.0, "last_MB": 200.0},
    ]


@pytest.mark.sim
def test_somebody_who_leads_along_a_path_leads_back_to_its_middle() -> None:
    session = Session("flat")
    session.command = Command(velocity_H=np.array([0.5, 0.3]))
    session.run(4.0)
    before = abs(float(session.state.body.com_W[1]))
    session.run(8.0, soak.Steering(seed=0))
    assert session.fall is None
    assert abs(float(session.state.body.com_W[1])) < 0.5 * before
    assert session.state.body.com_W[0] > 2.0


def test_growth_is_the_exponent_of_a_power_law() -> None:
    rows = [{"size": n, "us": 5.0 * n**1.5} for n in (2, 4, 8)]
    assert scale.growth(rows) == pytest.approx(1.5)
    assert scale.growth(rows[:1]) is None


@pytest.mark.parametrize("count", [1, 6])
def test_the_problem_that_is_scaled_is_one_that_tier_2_takes(count: int) -> None:
    search = PlanSearch(scale.walk(count, 0.5), FrbParams(), seed=0)
    before = search.cost
    search.iterate(1)
    assert search.dimension > 0 and search.cost <= before


def test_the_curves_are_drawn(tmp_path: Path) -> None:
    rows = [{"size": 1, "us": 2.0}, {"size": 2, "us": 3.0}]
    scale.plot({name: rows for name in scale.CURVES}, tmp_path)
    assert (tmp_path / "scale.png").stat().st_size > 1000
