"""A log holds every tick, in columns with units, and survives a kill, a full disk and a bad file."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hmpc.app.records import log as log_module
from hmpc.app.records.columns import COLUMNS
from hmpc.app.records.log import FLUSH_TICKS, LogWriter, read_log
from hmpc.app.records.plans import read_plans
from hmpc.app.records.recorder import Recorder
from hmpc.app.session import Session
from hmpc.errors import InputError
from hmpc.types import Command

CONSTANTS = {"limb": ["left", "right"]}


def row(k: int) -> dict[str, Any]:
    return {"t": 0.002 * k, "qpos": np.full(3, k), "limb_touching": [True, k % 2 == 0]}


def write(folder: Path, ticks: int) -> LogWriter:
    writer = LogWriter(folder, CONSTANTS)
    for k in range(ticks):
        writer.add(row(k))
    return writer


def check(folder: Path, ticks: int) -> None:
    log = read_log(folder)
    np.testing.assert_array_equal(log["qpos"], np.repeat(np.arange(ticks), 3).reshape(-1, 3))
    assert len(log["t"]) == ticks and log["limb_touching"].dtype == bool
    assert list(log["limb"]) == ["left", "right"]


@pytest.mark.parametrize("ticks", [2, FLUSH_TICKS, 2 * FLUSH_TICKS + 7])
def test_every_tick_is_in_one_file_at_the_end(tmp_path: Path, ticks: int) -> None:
    write(tmp_path, ticks).close()
    assert [file.name for file in tmp_path.iterdir()] == ["log.npz"]
    check(tmp_path, ticks)


def test_without_an_end_everything_up_to_the_last_part_is_there(tmp_path: Path) -> None:
    write(tmp_path, 2 * FLUSH_TICKS + 7)
    check(tmp_path, 2 * FLUSH_TICKS)


def test_a_new_run_in_the_same_folder_starts_a_new_log(tmp_path: Path) -> None:
    write(tmp_path, 3 * FLUSH_TICKS)
    write(tmp_path, FLUSH_TICKS)
    check(tmp_path, FLUSH_TICKS)


def test_what_is_not_a_log_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        read_log(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no log"):
        read_log(tmp_path)
    for content in (b"", b"PK\x03\x04 broken", b"\x93NUMPY"):
        (tmp_path / "log.npz").write_bytes(content)
        with pytest.raises(InputError, match="cannot be read"):
            read_log(tmp_path)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    np.savez(tmp_path / "log.npz", t=np.array([print], dtype=object))
    with pytest.raises(InputError, match="pickle"):
        read_log(tmp_path)


def recorded(folder: Path, ticks: int) -> Session:
    session = Session("stand")
    recorder = Recorder(folder, session, ["run", "stand"], seconds=1.0)
    session.run(ticks * session.simulator.control_period, recorder)
    recorder.close()
    return session


def test_columns_are_described_with_units_and_as_many_names_as_numbers(tmp_path: Path) -> None:
    recorded(tmp_path, 3)
    log, described = read_log(tmp_path), json.loads((tmp_path / "columns.json").read_text())
    assert list(described) == list(COLUMNS) and set(COLUMNS) < set(log)
    for name, column in described.items():
        assert column["unit"] and column["about"]
        assert log[name][0].size == max(len(column["components"]), 1), name
    assert "left_knee" in described["tau"]["components"]


def test_distributed_forces_carry_the_weight_of_who_stands(tmp_path: Path) -> None:
    session = recorded(tmp_path, 50)
    weight = session.simulator.robot.mass * 9.81
    log = read_log(tmp_path)
    assert log["limb_force_distributed_W"][-1, :, 2].sum() == pytest.approx(weight, rel=0.1)
    assert np.isnan(log["limb_force_planned_W"]).all()  # nothing was planned


@pytest.mark.sim
def test_plans_and_their_forces_are_recorded_while_walking(tmp_path: Path) -> None:
    session = Session("flat", plan="lip")
    session.command = Command(velocity_H=np.array([0.5, 0.0]))
    recorder = Recorder(tmp_path, session, [], seconds=1.0)
    session.run(2.5, recorder)
    recorder.close()
    log, plans = read_log(tmp_path), read_plans(tmp_path)
    assert len(plans) == log["planned"].sum() >= 3
    walking = log["t"] > plans[1].t
    lift = log["limb_force_planned_W"][walking, :, 2].sum(axis=1)
    assert np.nanmean(lift) == pytest.approx(session.simulator.robot.mass * 9.81, rel=0.15)
    assert plans[-1].footsteps[-1, 0] > plans[0].footsteps[0, 0] + 0.5  # it goes forward


def test_a_full_disk_ends_the_recording_and_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session = Session("stand")
    recorder = Recorder(tmp_path, session, [], seconds=1.0)
    monkeypatch.setattr(log_module, "FLUSH_TICKS", 5)
    session.run(0.02, recorder)  # two parts

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with caplog.at_level(logging.ERROR):
        summary = session.run(0.1, recorder)
        recorder.close()
    assert summary.success and len(caplog.records) == 1 and "No space left" in caplog.text
    assert len(read_log(tmp_path)["t"]) == 10
    assert not list(tmp_path.glob(".log*"))


def test_a_plan_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    line = json.dumps({"t": 1.0, "footsteps": [[0, 0, 0, 0]], "alternatives": [], "com_W": [[0, 0, 1]]})
    (tmp_path / "plans.jsonl").write_text(line + "\n" + line[:20])
    assert [plan.t for plan in read_plans(tmp_path)] == [1.0]
