"""Kept results, the table of the paper's claims made from them, and the ratios that show a loss."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from hmpc.app.bench import claims
from hmpc.app.bench.paper import CLAIMS, NOT_MEASURED, from_results
from hmpc.app.bench.ratios import compared
from hmpc.app.bench.results import command_line, keep, kept_result
from hmpc.app.cli import main
from hmpc.errors import InputError

RATE = {"trials": 10, "successes": 9, "low": 0.6, "high": 0.98}


def test_a_result_that_was_kept_is_read_again(tmp_path: Path) -> None:
    result = {"title": [{"a": 1, "b": None}]}
    keep(tmp_path / "new", "walk", "steady", True, result)
    kept = kept_result(tmp_path / "new", "walk", "steady")
    assert kept is not None and kept.result == result
    assert kept.command == command_line("walk", "steady", True) == "hmpc bench walk --part steady --quick"
    assert kept_result(tmp_path, "walk", None) is None


def test_a_file_that_is_no_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "pd.json").write_text("[1]")
    with pytest.raises(InputError, match=r"pd\.json"):
        kept_result(tmp_path, "pd", None)


def test_the_table_has_a_row_for_every_claim_and_says_what_was_not_measured(tmp_path: Path) -> None:
    folder = tmp_path / "benchmarks"
    keep(folder, "tasks", "stand_up", False, {"stand up": [{"task": "x", **RATE, "real_time": 0.5}]})
    (rows,) = from_results(folder).values()
    ours = {row["claim"]: row["ours"] for row in rows}
    assert len(rows) == len(CLAIMS)
    assert ours["standing up with hand-holds anywhere"] == "9 of 10 (0.60 to 0.98)"
    assert ours["complex motions, planning included"] == "0.50 of real time"
    assert list(ours.values()).count(NOT_MEASURED) == len(CLAIMS) - 2
    page = (tmp_path / "benchmarks.md").read_text()
    assert page.count("\n| ") == len(CLAIMS) + 2 and "`hmpc bench pd`" in page


def test_without_a_folder_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "paper", "--results", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_command_keeps_what_it_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hmpc.app.bench.qp.measure", lambda quick: {"t": [{"quick": quick}]})
    assert main(["bench", "qp", "--quick", "--results", str(tmp_path)]) == 0
    assert json.loads((tmp_path / "qp.json").read_text())["result"] == {"t": [{"quick": True}]}


def test_speeds_count_only_without_a_fall() -> None:
    row = {"vy": 0.0, "yaw_rate": 0.0, "runs": 5, "falls": 0, "mean_vx": 1.0}
    rows = [row, {**row, "mean_vx": -0.5}, {**row, "mean_vx": 2.0, "falls": 1}]
    assert claims.speed_range(rows) == "-0.50 to 1.00 m/s; 1 falls in 15 runs"


def test_the_largest_that_half_of_the_trials_pass() -> None:
    rows = [
        {"what": "gap 0.5 m at 1 m/s", **RATE},
        {"what": "gap 0.8 m at 1 m/s", **RATE, "successes": 5},
        {"what": "gap 1.1 m at 1 m/s", **RATE, "successes": 1},
    ]
    assert claims.largest("gap", "m wide")(rows) == "0.8 m wide: 5 of 10 (0.60 to 0.98); 1.1 fails"
    assert claims.largest("gap", "m wide")(rows[2:]) == "none of those tried"
    climbs = [{"task": "climb 0.5 m", **RATE}, {"task": "climb 0.6 m", **RATE, "successes": 2}]
    assert claims.largest("climb", "m", named="task")(climbs) == "0.5 m: 9 of 10 (0.60 to 0.98); 0.6 fails"


def test_stairs_with_hands_are_those_whose_rails_are_used() -> None:
    row = {"what": "stairs up 0.3 m, treads 0.4 m, rails used", **RATE, "hand_N": 250.0}
    rows = [row, {**row, "what": "stairs up 0.4 m, treads 0.4 m, rails forbidden", "hand_N": 0.0}]
    assert claims.largest("stairs up", "m", claims.RAILS_USED)(rows).startswith("0.3 m: 9 of 10")
    assert claims.hand_force(rows) == "250 N"


def test_every_claim_names_a_bench_that_exists() -> None:
    for claim in CLAIMS:
        module = import_module(f"hmpc.app.bench.{claim.bench}")
        assert claim.part is None or claim.part in module.PARTS


def test_pd_rates_are_those_that_every_motion_needs() -> None:
    rows = [{"implicit_hz": 100, "explicit_hz": 750}, {"implicit_hz": 150, "explicit_hz": None}]
    assert claims.pd_rates(rows) == "150 and above all tried Hz"


def test_points_of_plain_forces_are_compared_by_their_iterations() -> None:
    split = {"vx": 0.6, "forces": "f_l/f_r", "points": 2, "iterations_needed": 60}
    plain = [
        {"vx": 0.6, "forces": "plain force", "points": 2, "iterations_needed": None},
        {"vx": 0.6, "forces": "plain force", "points": 8, "iterations_needed": 120},
    ]
    assert claims.control_points([split, *plain]) == "2 points not at all, 8 points 2.0 times the iterations"


@pytest.mark.parametrize(("now", "verdict"), [(1.0, "as before"), (1.2, "as before"), (1.3, "SLOWER: look")])
def test_a_loss_of_more_than_a_quarter_is_shown(now: float, verdict: str) -> None:
    assert compared("x", now, 1.0)["verdict"] == verdict
    assert compared("x", now, None)["verdict"] == "not recorded before"
