"""The command line: exit codes, one sentence for bad input, nothing but JSON on stdout with --json."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from hmpc.app.cli import main

Output = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]


def test_a_run_prints_one_json_object_and_nothing_else(capsys: Output) -> None:
    assert main(["run", "stand", "--seconds", "0.1", "--json"]) == 0
    output = capsys.readouterr()
    record = json.loads(output.out)
    assert record["seconds"] == pytest.approx(0.1)
    assert output.err == ""


def test_a_run_prints_a_report_for_people(capsys: Output) -> None:
    assert main(["run", "stand", "--seconds", "0.05"]) == 0
    report = capsys.readouterr().out
    assert "did not fall" in report and "drift      COM" in report
    assert main(["run", "flat", "--vx", "0.2", "--seconds", "0.05"]) == 0
    assert "drift      heading" in capsys.readouterr().out, "who walks is meant to leave"


@pytest.mark.sim
def test_a_fall_is_exit_code_one(capsys: Output) -> None:
    assert main(["run", "stand", "--seconds", "3", "--push", "0.1,80,0", "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["fell"] is True and record["success"] is False and 0.1 < record["fell_at"] < 3.0


def test_parameters_of_environment_and_controller_by_dotted_path(capsys: Output, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("tracking: {kp_force: 3000, kd_force: 900}\n")
    log = tmp_path / "log"
    arguments = ["run", "stand", "--seconds", "0.05", "--json", "--env.hand-load=2", "--env.arms", "bent"]
    more = ["--config", str(config), "--tracking.kp-force", "3500", "--log", str(log)]
    assert main(arguments + more) == 0
    import yaml

    saved = yaml.safe_load((log / "config.yaml").read_text())
    assert saved["environment"]["hand_load"] == 2.0 and saved["environment"]["arms"] == "bent"
    assert saved["params"]["tracking"]["kp_force"] == 3500.0  # the command line wins over the file
    assert saved["params"]["tracking"]["kd_force"] == 900.0
    assert json.loads((log / "summary.json").read_text()) == json.loads(capsys.readouterr().out)
    with np.load(log / "log.npz") as ticks:
        assert len(ticks["t"]) == len(ticks["qpos"]) == len(ticks["limb_force_W"]) == 25


def test_runs_are_reproducible_through_the_command_line(capsys: Output) -> None:
    hashes = []
    for _ in range(2):
        main(["run", "stand", "--seconds", "0.1", "--seed", "3", "--push", "0.02,5,90", "--json"])
        hashes.append(json.loads(capsys.readouterr().out)["state_hash"])
    assert hashes[0] == hashes[1]


def test_a_command_tape_is_followed(capsys: Output, tmp_path: Path) -> None:
    tape = tmp_path / "tape.csv"
    tape.write_text("time,body_height\n0,1.0\n0.02,0.9\n")
    assert main(["run", "stand", "--seconds", "0.05", "--commands", str(tape), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["success"] is True


BAD = {
    "no such environment": (["run", "stnd"], "Did you mean 'stand'"),
    "no such robot": (["run", "stand", "--robot", "atlas"], "Available: humanoid"),
    "no such solver": (["run", "stand", "--qp", "magic"], "newton"),
    "no such PD": (["run", "stand", "--pd", "magic"], "implicit"),
    "no such parameter": (["run", "stand", "--env.size", "3"], "hand_load"),
    "parameter out of range": (["run", "stand", "--env.yaw", "500"], "from -40 to 40 deg"),
    "parameter without value": (["run", "stand", "--env.yaw"], "needs a value"),
    "no such group": (["run", "stand", "--magic.power", "3"], "tracking"),
    "no such controller parameter": (["run", "stand", "--frb.iteration", "3"], "frb.iterations"),
    "velocity is not a number": (["run", "stand", "--vx", "nan"], "finite"),
    "velocity is text": (["run", "stand", "--vx", "fast"], "--vx"),
    "negative seconds": (["run", "stand", "--seconds", "-1"], "positive"),
    "endless seconds": (["run", "stand", "--seconds", "inf"], "positive"),
    "negative seed": (["run", "stand", "--seed", "-1"], "seed"),
    "control rate": (["run", "stand", "--control-rate", "0"], "control rate"),
    "push": (["run", "stand", "--push", "1,2"], "T,IMPULSE,DIRECTION"),
    "push with too much": (["run", "stand", "--push", "1,2,3,4,5"], "at most four"),
    "push of infinity": (["run", "stand", "--push", "1,inf,0"], "finite"),
    "commands file": (["run", "stand", "--commands", "/nowhere.csv"], "/nowhere.csv"),
    "config file": (["run", "stand", "--config", "/nowhere.yaml"], "/nowhere.yaml"),
    "log folder": (["run", "stand", "--log", "/proc/nowhere"], "cannot be written"),
    "video folder": (["run", "stand", "--video", "/nowhere/a.mp4"], "No such file"),
    "video format": (["run", "stand", "--video", "a.xyz"], ".mp4, .mkv, .mov, .webp or .gif"),
    "page folder": (["run", "stand", "--html", "/nowhere/a.html"], "No such file"),
    "page that is a folder": (["run", "stand", "--html", "/"], "Is a directory"),
    "no such overlay": (["run", "stand", "--overlay", "footstep"], "Did you mean 'footsteps'"),
    "no such quality": (["run", "stand", "--quality", "best"], "medium"),
    "replay of nothing": (["replay", "/nowhere"], "no folder '/nowhere'"),
    "plot of nothing": (["plot", "/nowhere"], "no folder '/nowhere'"),
    "unknown option": (["run", "stand", "--fly"], "--fly"),
    "no environment": (["run"], "ENV"),
    "nothing": ([], "Begin with `hmpc demo`"),
    "no such command": (["dance"], "Available subcommands"),
    "no such list": (["list", "dances"], "envs"),
    "no such bench": (["bench", "dance"], "tick"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_exit_code_two(capsys: Output, case: str) -> None:
    arguments, message = BAD[case]
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("hmpc: ") and output.err.count("\n") == 1
    assert message in output.err


def test_a_broken_plug_in_is_named(capsys: Output) -> None:
    assert main(["run", "no_such_package.module:Name"]) == 2
    assert "no_such_package" in capsys.readouterr().err


def test_a_plug_in_whose_code_fails_is_told_where(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "swamp.py").write_text(
        "from hmpc_envs.flat import Flat\n\n\n"
        "class Swamp(Flat):\n    name = 'swamp'\n\n    def blocks(self):\n        raise ValueError('no ground')\n"
    )
    (tmp_path / "judge.py").write_text(
        "from hmpc_envs.flat import Flat\n\n\n"
        "class Judge(Flat):\n    name = 'judge'\n\n    def metrics(self, facts):\n        return {'grace': 'much'}\n"
    )
    (tmp_path / "leaver.py").write_text("import sys\n\nsys.exit(0)\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["run", "swamp:Swamp"]) == 2
    words = "hmpc: Environment 'swamp' failed with ValueError('no ground') in swamp.py, line 8.\n"
    assert capsys.readouterr().err == words
    assert main(["run", "judge:Judge", "--seconds", "0.01"]) == 2
    assert "Environment 'judge' failed" in capsys.readouterr().err
    assert main(["run", "leaver:Leaver"]) == 2
    assert "cannot be loaded" in capsys.readouterr().err


def test_what_is_no_number_is_said_so(capsys: Output) -> None:
    assert main(["run", "flat", "--vx", "fast"]) == 2
    assert capsys.readouterr().err == "hmpc: --vx needs a number, got 'fast'.\n"
    assert main(["demo", "--seed", "1.5"]) == 2
    assert capsys.readouterr().err == "hmpc: --seed needs a whole number, got '1.5'.\n"


def test_a_demo_that_cannot_be_says_so_before_it_shows_an_address(capsys: Output) -> None:
    for wrong in (["--listen", "70000"], ["--ros", "nowhere"], ["--vx", "nan"]):
        assert main(["demo", *wrong]) == 2
        assert "http" not in capsys.readouterr().out


@pytest.mark.parametrize("what", ["envs", "robots", "tasks", "demos"])
def test_lists_for_programs(capsys: Output, what: str) -> None:
    assert main(["list", what, "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert entries and all(entry["name"] and entry["description"] for entry in entries)


def test_lists_for_people(capsys: Output) -> None:
    assert main(["list", "envs"]) == 0
    output = capsys.readouterr().out
    assert "stand" in output and "--env.hand-load" in output and "0 to 10 kg" in output


def test_the_version_is_told(capsys: Output) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"hmpc {version('hmpc')}\n"


def test_help_is_help_and_exit_code_zero(capsys: Output) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["run", "--help"])
    assert stop.value.code == 0
    assert "--push" in capsys.readouterr().out


def test_help_and_mistakes_are_readable_where_there_is_only_ascii() -> None:
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'envs'}", "PYTHONIOENCODING": "ascii"}
    for words, code, told in ((["--help"], 0, "replay"), (["run", "flat", "--vx", "fast"], 2, "needs a number")):
        command = [sys.executable, "-m", "hmpc", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code and told in done.stdout + done.stderr
        assert "Traceback" not in done.stderr and "---" not in done.stderr


def test_asking_for_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from hmpc.app.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('numpy', 'mujoco', 'numba', 'scipy', 'cma', 'viser', 'matplotlib') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_command_uses_one_blas_thread_unless_told_otherwise() -> None:
    script = "import os\nfrom hmpc.app.cli import main\nmain([])\nprint(os.environ['OPENBLAS_NUM_THREADS'])\n"
    for chosen, used in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")):
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, env=chosen, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == [used]


@pytest.mark.sim
def test_the_command_works_from_a_shell(tmp_path: Path) -> None:
    path = f"{ROOT}:{ROOT / 'envs'}"
    command = [sys.executable, "-m", "hmpc", "run", "stand", "--seconds", "1", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={"PYTHONPATH": path}, check=True)
    assert json.loads(done.stdout)["success"] is True
    assert not list(tmp_path.iterdir())
