"""Benches: found by their file, measured, printed as a table or as JSON."""

from __future__ import annotations

import pytest

from hmpc.app.bench import benches
from hmpc.app.bench.pd import RATES, joint_acceleration, lowest_stable, standing
from hmpc.app.bench.stopwatch import Stopwatch
from hmpc.app.bench.table import as_text
from hmpc.app.bench.tasks import Climb
from hmpc.app.bench.tick import moving_session, parts_of


def test_every_bench_is_found_by_its_file() -> None:
    assert {"tick", "pd", "footsteps", "qp"} <= set(benches())


def test_a_result_is_an_aligned_table() -> None:
    rows = [{"name": "a", "value": 1.5, "ok": True}, {"name": "longer", "value": None, "ok": False}]
    lines = as_text({"title": rows, "empty": []}).splitlines()
    assert lines[0] == "title"
    assert len({len(line) for line in lines[1:4]}) == 1
    assert "longer" in lines[3] and "-" in lines[3] and "no" in lines[3]
    assert lines[-1].strip() == "(nothing)"


def test_a_plain_climb_is_the_environment_as_it_is_by_itself() -> None:
    assert Climb(3, 0.5, plain=True).parameters() == {"height": 0.5}
    assert Climb(3, 0.5).parameters().keys() == {"height", "friction", "distance", "offset", "turn"}


def test_a_stopwatch_gives_each_part_its_own_time_and_goes_away() -> None:
    class Thing:
        def outer(self) -> int:
            return 1 + self.inner()

        def inner(self) -> int:
            return sum(range(1000))

    thing, watch = Thing(), Stopwatch()
    with watch.watching({"outer": (thing, "outer"), "inner": (thing, "inner")}):
        thing.outer()
        thing.inner()
    assert {name: len(samples) for name, samples in watch.seconds.items()} == {"outer": 1, "inner": 2}
    assert all(seconds >= 0.0 for samples in watch.seconds.values() for seconds in samples)
    thing.outer()
    assert len(watch.seconds["outer"]) == 1 and not vars(thing)


def test_every_part_of_a_tick_is_timed() -> None:
    session = moving_session(0.0, settle=0.01)
    watch = Stopwatch()
    with watch.watching(parts_of(session)):
        session.run(0.02)
    counts = {name: len(samples) for name, samples in watch.seconds.items()}
    assert counts.pop("plan a step") == 0
    assert set(counts.values()) == {10}


@pytest.mark.sim
def test_explicit_pd_falls_where_implicit_pd_stands() -> None:
    """The paper's claim, at its control rate, with the same gains."""
    assert joint_acceleration(standing, "implicit", 500.0, 0.5) is not None
    assert joint_acceleration(standing, "explicit", 300.0, 0.5) is None


def test_bisection_finds_the_lowest_stable_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    for threshold in (0, 750, 4000, 5000):
        monkeypatch.setattr(
            "hmpc.app.bench.pd.joint_acceleration", lambda *args, limit=threshold: 1.0 if args[2] >= limit else None
        )
        expected = next((rate for rate in RATES if rate >= threshold), None)
        assert lowest_stable(standing, "explicit", 1.0, 2.0) == expected
