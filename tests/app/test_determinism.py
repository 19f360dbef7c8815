"""Same seed, configuration and commands: the same bits, in a fresh process and beside busy ones; kills keep the log."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hmpc.app.bench.kills import kill_when
from hmpc.app.cli import main
from hmpc.app.records.log import FLUSH_TICKS, read_log

ROOT = Path(__file__).parents[2]
HMPC = [sys.executable, "-m", "hmpc"]


@contextlib.contextmanager
def busy_neighbour() -> Iterator[None]:
    """A process that wants a whole core."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.sim
def test_the_same_bits_on_a_rerun_in_a_fresh_process_and_under_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "flat", "--vx", "0.5", "--seed", "3", "--seconds", "1.5", "--push", "0.5,4,90", "--json"]
    for name in ("first", "rerun"):
        assert main([*words, "--log", str(tmp_path / name)]) == 0
        summary = json.loads(capsys.readouterr().out)
    with busy_neighbour():
        subprocess.run([*HMPC, *words, "--log", str(tmp_path / "fresh")], cwd=ROOT, check=True, capture_output=True)
    assert summary["steps"] > 0
    first, *others = (read_log(tmp_path / name) for name in ("first", "rerun", "fresh"))
    for other in others:
        for name in set(first) - {"tick_time"}:
            np.testing.assert_array_equal(first[name], other[name], err_msg=name)


@pytest.mark.sim
@pytest.mark.parametrize("parts", [1, 3])
def test_a_killed_run_leaves_a_log_that_can_be_read(tmp_path: Path, parts: int) -> None:
    process = subprocess.Popen([*HMPC, "run", "stand", "--seconds", "1000", "--log", str(tmp_path)], cwd=ROOT)
    kill_when(process, lambda: len(list(tmp_path.glob("log-*.npz"))) >= parts)
    log = read_log(tmp_path)
    assert len(log["t"]) >= parts * FLUSH_TICKS
    np.testing.assert_allclose(np.diff(log["t"]), 0.002)
    assert np.isfinite(log["qpos"]).all() and (tmp_path / "config.yaml").exists()
