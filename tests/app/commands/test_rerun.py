"""A recorded run is done again bit for bit, and what cannot be done again is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from hmpc.app.cli import main
from hmpc.app.commands.deeds import Begin
from hmpc.app.commands.hub import HOLD
from hmpc.app.commands.request import Request
from hmpc.app.commands.rerun import read_run
from hmpc.app.commands.tape import CommandTape
from hmpc.app.config import with_overrides
from hmpc.app.records import takes
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
        if tick == 60:
            now.retune(with_overrides(now.params, {"tracking.kp_force": 3500.0, "wholebody.ik_iterations": 4}))
        if tick == 70:
            now.hub.post(Push(now.time, 5.0, -1.0))
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
    rows = (tmp_path / "commands.csv").read_text().splitlines()
    assert len(rows) == 8  # header, start, three commands, two pushes, new parameters


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
        ({"controller": 3}, "cannot be done again"),
        ({"seconds": "long"}, "seconds"),
        ({"seconds": float("inf")}, "seconds"),
        ({"environment": {"name": "nowhere", "class": "nowhere"}}, "nowhere"),
        ({"environment": {"name": "evil:World", "class": "evil:World"}}, "if you trust it, name it"),
        ({"environment": {"name": "stand", "class": "evil:World"}}, "if you trust it, name it"),
        ({"robot": "evil:ROBOT"}, "not installed by name"),
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


@pytest.mark.parametrize("more", [["--vx", "1"], ["--seed", "2"], ["--frb.iterations", "3"]])
def test_options_that_the_tape_decides_are_refused(tmp_path: Path, capsys: Output, more: list[str]) -> None:
    assert main(["run", *more, "--tape", str(tmp_path)]) == 2
    assert "leave out" in capsys.readouterr().err


def test_a_killed_run_keeps_its_commands(tmp_path: Path) -> None:
    session = Session("stand")
    recorder = Recorder(tmp_path, session, [], seconds=1.0)
    session.ask("slider", Request(body_height=0.9))
    session.run(0.01, recorder)  # ... and neither close nor save
    assert commands_of(tmp_path).at(0.5).body_height == 0.9


def commands_of(folder: Path) -> CommandTape:
    tape = read_run(folder).session(None, None, folder).agenda.tape
    assert tape is not None
    return tape


def test_only_the_user_can_name_code_that_is_not_installed(tmp_path: Path, capsys: Output) -> None:
    record_meddling(tmp_path)
    expected = yaml.safe_load((tmp_path / "config.yaml").read_text())["environment"]["class"]
    assert main(["run", "flat", "--tape", str(tmp_path)]) == 2
    assert f"was made in {expected}, not in flat" in capsys.readouterr().err
    for named in ("stand", expected):
        assert summary(capsys, named, "--tape", str(tmp_path))["env"] == "stand"


def test_a_run_in_real_time_can_be_tried_in_lock_step(tmp_path: Path, capsys: Output) -> None:
    record_meddling(tmp_path)
    config = yaml.safe_load((tmp_path / "config.yaml").read_text())
    config["controller"]["clock"], config["seconds"] = "realtime", None
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    assert main(["run", "--tape", str(tmp_path), "--json"]) == 0
    output = capsys.readouterr()
    assert "made in real time" in output.err and json.loads(output.out)["seconds"] == 0.3


def test_every_run_keeps_a_tape_that_does_it_again(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(takes, "KEPT", 2)
    first = summary(capsys, "stand", "--seconds", "0.1", "--seed", "4", "--push", "0.02,5,90")
    (folder,) = takes.tapes_folder().iterdir()
    again = summary(capsys, "--tape", str(folder))
    assert again["state_hash"] == first["state_hash"]
    for _ in range(3):
        summary(capsys, "stand", "--seconds", "0.002")
    assert len(list(takes.tapes_folder().iterdir())) == 2, "old ones go"


def test_a_run_does_without_a_tape_where_none_can_be_kept(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert summary(capsys, "stand", "--seconds", "0.002")["success"]


@pytest.mark.sim
def test_tasks_are_part_of_the_tape(tmp_path: Path, capsys: Output) -> None:
    """Standing up is the place's own; what is asked for in the middle of it comes from the file, then from the tape."""
    asked = tmp_path / "asked.yaml"
    asked.write_text(
        "- {time: 0.3, task: stand_up}\n- {time: 0.5, push: 4, push_direction: 1.5, push_duration: 0.05}\n"
    )
    options = ["--commands", str(asked), "--seconds", "1", "--tasks.iterations", "30"]
    first = summary(capsys, "chair", *options, "--log", str(tmp_path / "run"))
    again = summary(capsys, "--tape", str(tmp_path / "run"))
    assert first["state_hash"] == again["state_hash"] != summary(capsys, "chair", *options[2:])["state_hash"]
    assert commands_of(tmp_path / "run").deeds[0] == (pytest.approx(0.3), Begin("stand_up"))
