"""What `hmpc new env` makes can be installed, is found by name, and passes its own test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hmpc.app.cli import main

ROOT = Path(__file__).parents[3]


@pytest.mark.sim
def test_the_package_installs_is_found_and_passes_its_test(tmp_path: Path) -> None:
    assert main(["new", "env", "ice-rink", "--out", str(tmp_path)]) == 0
    package, site = tmp_path / "hmpc-ice-rink", tmp_path / "site"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        str(site),
    ]
    subprocess.run([*pip, str(package)], check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT), str(ROOT / "envs")])}
    listed = subprocess.run(
        [sys.executable, "-m", "hmpc", "list", "envs", "--json"], env=environment, capture_output=True, check=True
    )
    assert "ice_rink" in [entry["name"] for entry in json.loads(listed.stdout)]
    pytest_ = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", str(package)]
    done = subprocess.run(pytest_, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/b", "Ice", "1st", "class", "a" * 99, "", ".."])
def test_a_name_that_is_no_word_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["new", "env", name, "--out", str(tmp_path)]) == 2
    assert "a word such as ice_rink" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_nothing_that_exists_is_touched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "env", "flat", "--out", str(tmp_path)]) == 2
    assert "already" in capsys.readouterr().err
    assert main(["new", "env", "moon", "--out", str(tmp_path)]) == 0
    (tmp_path / "hmpc-moon" / "README.md").write_text("mine")
    assert main(["new", "env", "moon", "--out", str(tmp_path)]) == 2
    assert (tmp_path / "hmpc-moon" / "README.md").read_text() == "mine"
