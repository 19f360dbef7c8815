"""Command tapes: a row holds from its time on; what is wrong with a file is said."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hmpc.app.commands.deeds import Begin, Tune
from hmpc.app.commands.limits import check_posture, clip_command
from hmpc.app.commands.request import as_request
from hmpc.app.commands.tape import TapeWriter, read_tape
from hmpc.errors import InputError, UnknownNameError
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Push
from hmpc.types import Command, Posture


def write(folder: Path, text: str) -> Path:
    path = folder / "commands.csv"
    path.write_text(text)
    return path


def test_a_row_holds_from_its_time_on(tmp_path: Path) -> None:
    tape = read_tape(write(tmp_path, "time,vx,yaw_rate\n0,0.5,0\n2,0.7,0.3\n\n"), Command(body_height=0.9))
    assert [tape.at(t).velocity_H[0] for t in (0.0, 1.998, 2.0, 100.0)] == [0.5, 0.5, 0.7, 0.7]
    assert tape.at(3.0).yaw_rate == 0.3


def test_columns_that_a_tape_lacks_come_from_the_command_line(tmp_path: Path) -> None:
    base = Command(velocity_H=np.array([0.1, 0.2]), body_height=0.9, posture=Posture(arms="forward"))
    command = read_tape(write(tmp_path, "vx,time\n0.5,1\n"), base).at(0.0)
    assert command.velocity_H.tolist() == [0.5, 0.2]
    assert command.body_height == 0.9 and command.posture.arms == "forward"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "header"),
        ("vx\n1\n", "time"),
        ("time,vx\n", "rows"),
        ("time,vx\n1,0\n0.9,0\n", "increasing"),
        ("time,push\n0,hard\n", "line 2.*push needs numbers"),
        ("time,push\n0,nan\n", "finite impulse"),
        ("time,push_direction\n0,1\n", "need a push"),
        ("time,tune\n0,faster\n", "tune must be like"),
        ("time,vx\n0,fast\n", "line 2"),
        ("time,vx\n0,nan\n", "line 2"),
        ("time,vx\n0\n", "expected 2 cells"),
        ("time,speed\n0,1\n", "Unknown column.*'speed'.*Available: arms, body_height.*time, .*vx, vy, yaw_rate"),
        ("time,arms\n,bent\n", "time must be a finite number"),
        ("time,vx\n0,1e999\n", "finite"),
    ],
)
def test_a_tape_that_makes_no_sense_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_tape(write(tmp_path, text), Command())


def test_yaml_says_the_same_as_csv(tmp_path: Path) -> None:
    table = write(tmp_path, "time,vx,arms,lifted_foot,step_duration\n0,0.5,,,\n2,0.7,bent,left_foot,0.5\n")
    rows = tmp_path / "commands.yaml"
    rows.write_text(
        "- {time: 0, vx: 0.5}\n- time: 2\n  vx: 0.7\n  arms: bent\n  lifted_foot: left_foot\n  step_duration: 0.5\n"
    )
    for t in (0.0, 3.0):
        said = [as_request(read_tape(path, Command()).at(t)) for path in (table, rows)]
        assert said[0] == said[1]
    assert said[0].arms == "bent" and said[0].lifted_foot == "left_foot" and said[0].step_duration == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "list of rows"),
        ("time: 0", "list of rows"),
        ("- 3", "list of rows"),
        ("- {vx: 1}", "list of rows"),
        ("- [", "not YAML"),
        ("- {time: 2001-99-99}", "not YAML"),
        ("- {time: 0, vx: fast}", "row 1: vx"),
        ("- {time: .nan, vx: 1}", "row 1: time"),
        ("- {time: 0, vx: .inf}", "row 1: vx"),
        ("- {time: 0, vz: 1}", "row 1: Unknown.*'vz'"),
        ("- {time: 0, 3: 1}", "'3'"),
        ("- {time: 1}\n- {time: 0}", "increasing"),
        ("- !!python/object/apply:os.system [true]", "not YAML"),
    ],
)
def test_yaml_that_makes_no_sense_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "commands.yml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_tape(path, Command())


def test_what_is_written_is_read_back_to_the_last_bit(tmp_path: Path) -> None:
    path, third = tmp_path / "commands.csv", 1.0 / 3.0
    command = Command(velocity_H=np.array([third, -0.0]), yaw_rate=1e-17, posture=Posture(lifted_foot="left_foot"))
    done = [(0.1, Push(0.1, third, 1e-17)), (0.1005, Push(0.1005, 2.0, -third, 0.2)), (0.1, Begin("sit_down"))]
    done += [(0.2, Tune({"executor.swing.height": third, "frb.on": True, "footsteps.factors": (third, 1.0)}))]
    session: Any = SimpleNamespace(simulator=SimpleNamespace(control_period=0.1), agenda=SimpleNamespace(done=done))
    writer = TapeWriter(path)
    for t, asked in ((0.0, Command()), (0.1, command), (0.2, command)):
        session.latest = SimpleNamespace(state=SimpleNamespace(t=t), command=asked)
        writer.add(session)
    writer.close()
    tape = read_tape(path, Command())
    assert tape.times == (0.0, 0.1, 0.1, 0.1, 0.1005, 0.2)
    *others, (at, tune) = tape.deeds
    assert sorted(others, key=str) == sorted(done[:3], key=str)
    assert isinstance(tune, Tune) and at == 0.2
    assert tune.values == {
        "executor.swing.height": repr(third), "frb.on": "True", "footsteps.factors": f"{third!r},1.0"
    }  # fmt: skip
    assert as_request(tape.at(0.2)) == as_request(command) and str(tape.at(0.2).velocity_H[1]) == "-0.0"


def test_a_tape_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.csv"):
        read_tape(tmp_path / "nowhere.csv", Command())


def test_a_command_within_the_limits_passes_as_it_is() -> None:
    command = Command(velocity_H=np.array([0.5, 0.1]))
    assert clip_command(command, HUMANOID) == (command, "")


def test_what_is_cut_off_is_said() -> None:
    clipped, words = clip_command(Command(velocity_H=np.array([9.0, -9.0]), body_height=0.1), HUMANOID)
    assert clipped.velocity_H.tolist() == [HUMANOID.limits.forward[1], -HUMANOID.limits.sideways]
    assert clipped.body_height == HUMANOID.limits.body_height[0]
    assert "forward velocity 9 to" in words and "body height 0.1 to" in words and "yaw" not in words


@pytest.mark.parametrize("posture", [Posture(arms="crossed"), Posture(lifted_foot="left_hand")])
def test_a_posture_that_the_robot_does_not_have_is_refused(posture: Posture) -> None:
    with pytest.raises(UnknownNameError, match="Available"):
        check_posture(Command(posture=posture), HUMANOID)
