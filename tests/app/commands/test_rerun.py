"""A recorded run is done again bit for bit, and what cannot be done again is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from hmpc.app.cli import main
from hmpc.app.commands.hub import HOLD
from hmpc.app.commands.request import Request
from hmpc.app.commands.rerun import read_run
from hmpc.app.records.recorder import Recorder
from hmpc.app.session import Session
from hmpc.sim.simulator import Push

Output = pytest.CaptureFixture[str]


def summary(capsys: Output, *arguments: str) -> dict[str, Any]:
    main(["run", *arguments, "--json"])
    record: dict[str, Any] = json.loads(capsys.readouterr().out)
    return record


def record_meddling(folder: Path) -> str:
    """A run with pushes and commands from several sources at odd times; the hash of its final state."""
    session = Session("stand", parameters={"hand_load": 2.0}, seed=5, control_rate=400.0, pd="explicit")
    session.push(Push(0.02, 7.0, 1.0))
    recorder = Recorder(folder, session, ["run"], seconds=0.3)

    def meddle(now: Session) -> None:
        recorder(now)
        tick = round(now.time * 400.0)
        if tick == 20:
            now.hub.put("slider", Request(body_height=1.0 / 1.1, trunk_yaw=0.1, arms="bent"))
        if tick == 50:
            now.hub.put("keys", Request(head_yaw=1.0 / 3.0, lifted_foot="left_foot"), HOLD)
        if tick == 80:
            now.hub.put("network", Request(lifted_foot="none", body_height=0.123), HOLD)

    result = session.run(0.3, meddle)
    recorder.close()
    recorder.save(result)
    return result.state_hash


def test_commands_from_anywhere_are_reproduced_bit_for_bit(tmp_path: Path, capsys: Output) -> None:
    expected = record_meddling(tmp_path)
    again = summary(capsys, "--tape", str(tmp_path))
    assert again["state_hash"] == expected and again["seed"] == 5
    assert (tmp_path / "commands.csv").read_text().count("\n") == 5  # header, start, three commands


@pytest.mark.sim
def test_a_walk_through_the_command_line_is_reproduced_bit_for_bit(tmp_path: Path, capsys: Output) -> None:
    tape = tmp_path / "commands.yaml"
    tape.write_text("- {time: 0, vx: 0.4}\n- {time: 1.3, vx: 0.6, yaw_rate: 0.2, step_duration: 0.55}\n")
    options = ["--commands", str(tape), "--seed", "3", "--push", "1,10,90", "--seconds", "2", "--frb.iterations", "40"]
    recorded = summary(capsys, "flat", *options, "--log", str(tmp_path / "run"))
    again = summary(capsys, "--tape", str(tmp_path / "run"), "--log", str(tmp_path / "again"))
    assert again["state_hash"] == recorded["state_hash"] and again["steps"] == recorded["steps"] > 0
    commands = [(tmp_path / folder / "commands.csv").read_text() for folder in ("run", "again")]
    assert commands[0] == commands[1]


def test_another_outcome_than_the_recorded_one_is_said(tmp_path: Path, capsys: Output) -> None:
    record_meddling(tmp_path)
    config = yaml.safe_load((tmp_path / "config.yaml").read_text())
    config["seed"] += 1
    config["versions"]["numpy"] = "1.0"
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    main(["run", "--tape", str(tmp_path), "--json"])
    error = capsys.readouterr().err
    assert "the final states differ" in error and "numpy 1.0" in error


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"controller": {"clock": "realtime"}}, "lock-step"),
        ({"controller": 3}, "cannot be done again"),
        ({"seconds": None}, "seconds"),
        ({"seconds": float("inf")}, "seconds"),
        ({"pushes": [{"impulse": 3}]}, "cannot be done again"),
        ({"environment": {"name": "nowhere", "class": "nowhere"}}, "nowhere"),
        ({"params": {"frb": {"magic": 1}}}, "magic"),
        ({"seed": "one"}, "cannot be done again"),
    ],
)
def test_a_folder_that_does_not_tell_enough_is_refused(
    tmp_path: Path, capsys: Output, change: dict[str, Any], words: str
) -> None:
    record_meddling(tmp_path)
    config = yaml.safe_load((tmp_path / "config.yaml").read_text())
    (tmp_path / "config.yaml").write_text(yaml.safe_dump({**config, **change}))
    assert main(["run", "--tape", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and words in error


@pytest.mark.parametrize("content", [None, "", "[1, 2]", "a: [", "seed: 1"])
def test_what_is_no_run_is_refused(tmp_path: Path, capsys: Output, content: str | None) -> None:
    if content is not None:
        (tmp_path / "config.yaml").write_text(content)
    assert main(["run", "--tape", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("more", [["stand"], ["--vx", "1"], ["--seed", "2"], ["--frb.iterations", "3"]])
def test_options_that_the_tape_decides_are_refused(tmp_path: Path, capsys: Output, more: list[str]) -> None:
    assert main(["run", *more, "--tape", str(tmp_path)]) == 2
    assert "leave out" in capsys.readouterr().err


def test_a_killed_run_keeps_its_commands(tmp_path: Path) -> None:
    session = Session("stand")
    recorder = Recorder(tmp_path, session, [], seconds=1.0)
    session.ask("slider", Request(body_height=0.9))
    session.run(0.01, recorder)  # ... and neither close nor save
    assert read_run(tmp_path).session(tmp_path).tape.at(0.5).body_height == 0.9  # type: ignore[union-attr]
