"""Rates of rare events, sweeps that describe themselves, and curves of cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from hmpc.app.bench import scale, soak
from hmpc.app.bench.soak import described, fall_rate
from hmpc.app.experiments.design import read_design
from hmpc.frb.planner import PlanSearch
from hmpc.params import FrbParams


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


@pytest.mark.parametrize("env", ["flat", "course"])
def test_a_soak_is_a_sweep_that_is_the_same_every_time(tmp_path: Path, env: str) -> None:
    first, again = ([job.key for job in read_design(described(tmp_path, env, 3, 20.0))] for _ in range(2))
    assert len(set(first)) == 3 and first == again


def test_a_soak_that_is_stopped_tells_how_far_it_got(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Path] = []

    def stopped(file: Path, out: Path) -> None:
        begun.append(out)
        raise KeyboardInterrupt

    monkeypatch.setattr(soak, "run_what_is_missing", stopped)
    monkeypatch.chdir(tmp_path)
    (rows,) = soak.measure(quick=True).values()
    assert len(begun) == 1
    assert [row["env"] for row in rows] == ["flat", "course"] and all(row["finished"] == 0 for row in rows)


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
