"""A sweep gives the same results on every backend, survives kills, and sums up honestly."""

from __future__ import annotations

import contextlib
import csv
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hmpc.app.cli import main
from hmpc.app.experiments import sweep as sweep_module
from hmpc.app.experiments.design import Job
from hmpc.app.experiments.results import Results, summary, table, write_csv
from hmpc.app.experiments.sweep import perform

ROOT = Path(__file__).parents[3]
CLOCK = ("real_time_factor", "tick_us", "plan_ms")  # what no two runs have in common


def record(success: bool, **more: Any) -> dict[str, Any]:
    figures = dict.fromkeys(
        ("velocity_error", "distance", "steps", "foot_slip", "torque_saturation", "faults", "real_time_factor"), 1.0
    )
    return {"success": success, "fell": not success, "mean_velocity": [0.1, 0.2, 0.3], **figures, **more}


def jobs(n: int) -> list[Job]:
    return [
        Job({"env": env, "robot": "humanoid"}, seed, ("run", env), f"{env}{seed}") for env in "ab" for seed in range(n)
    ]


def test_rates_come_with_intervals_and_only_what_differs_is_told() -> None:
    many = jobs(4)
    rows = summary(many, {job.key: record(job.factors["env"] == "a" or job.seed == 0) for job in many})
    assert [(row["env"], row["trials"], row["successes"], row["falls"]) for row in rows] == [
        ("a", 4, 4, 0),
        ("b", 4, 1, 3),
    ]
    assert rows[1]["low"] == pytest.approx(0.0456, abs=1e-3) and rows[1]["high"] == pytest.approx(0.699, abs=1e-3)
    assert "robot" not in rows[0]


def test_the_table_has_a_column_for_every_number_and_survives_csv(tmp_path: Path) -> None:
    many = jobs(1)
    rows = table(many, {"a0": record(True, metrics={"height": 0.2}), "b0": record(False)})
    write_csv(tmp_path / "t.csv", rows)
    first, second = csv.DictReader((tmp_path / "t.csv").read_text().splitlines())
    assert (
        first["mean_velocity.yaw_rate"] == "0.3" and first["metrics.height"] == "0.2" and second["metrics.height"] == ""
    )
    assert first["again"] == "hmpc run a"


def test_a_result_is_there_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.add("a", {"x": 1})
    with pytest.raises(TypeError):
        results.add("b", {"x": object()})
    assert results.read("abc") == {"a": {"x": 1}}
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_a_run_that_breaks_is_named_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text("{environments: stand, seconds: 0.02, seeds: 2}")

    def performed(jobs: list[Job], *_: Any) -> Any:
        yield jobs[0].key, "it broke"
        yield perform(jobs[1].key, jobs[1].argv)

    monkeypatch.setattr(sweep_module, "performed", performed)
    assert main(["sweep", str(file), "--out", str(tmp_path / "out"), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["finished"] == 1 and list(report["failures"].values()) == ["it broke"]


def test_a_worker_tells_what_went_wrong_in_words() -> None:
    assert perform("k", ("run", "nowhere")) == ("k", perform("k", ("run", "nowhere"))[1])
    assert "hmpc run nowhere" in perform("k", ("run", "nowhere"))[1]


def reports(folder: Path) -> dict[str, dict[str, Any]]:
    found = {path.name: json.loads(path.read_text()) for path in (folder / "runs").glob("*.json")}
    return {key: {k: v for k, v in report.items() if k not in CLOCK} for key, report in found.items()}


@pytest.mark.sim
def test_the_same_results_from_processes_from_a_dask_cluster_and_from_hmpc_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text("{environments: [stand, flat], seconds: 0.1, seeds: 2}")
    for name, where in (("local", ()), ("dask", ("--dask", "local"))):
        words = ["sweep", str(file), "--out", str(tmp_path / name), "--workers", "2", "--json", *where]
        assert main(words) == 0
        output = capsys.readouterr()
        assert json.loads(output.out)["finished"] == 4 and output.err == ""
    assert reports(tmp_path / "local") == reports(tmp_path / "dask")
    with (tmp_path / "local" / "results.csv").open() as lines:
        row = list(csv.DictReader(lines))[-1]
    assert main([*row["again"].split()[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state_hash"] == row["state_hash"]


@pytest.mark.sim
def test_a_sweep_that_is_killed_goes_on_with_nothing_lost_and_nothing_done_twice(tmp_path: Path) -> None:
    file, out = tmp_path / "sweep.yaml", tmp_path / "out"
    file.write_text("{environments: stand, seconds: 0.3, seeds: 12}")
    words = ["sweep", str(file), "--out", str(out), "--workers"]
    process = subprocess.Popen([sys.executable, "-m", "hmpc", *words, "2"], cwd=ROOT, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(list(out.glob("runs/*.json"))) < 3:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {path: path.stat().st_mtime_ns for path in out.glob("runs/*.json")}
    assert 3 <= len(before) < 12
    assert main([*words, "1"]) == 0
    after = {path: path.stat().st_mtime_ns for path in out.glob("runs/*.json")}
    assert len(after) == 12 and before.items() <= after.items()
    with (out / "results.csv").open() as lines:
        assert sorted(int(row["seed"]) for row in csv.DictReader(lines)) == list(range(12))
