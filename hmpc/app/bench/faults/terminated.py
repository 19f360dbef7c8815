"""SIGTERM at any time: while a run starts, while it walks, while it writes."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from hmpc.app.bench.table import Cell
from hmpc.app.records.log import read_log
from hmpc.app.signals import TERMINATED
from hmpc.errors import InputError

_LONGEST_LIFE = 8.0  # [s] of a process before the signal; it begins to walk after a few
_PATIENCE = 30.0  # [s] in which it has to end
_NOT_YET = -15  # the process ended by the signal itself, before Python could listen


def terminated_runs(count: int, seed: int = 0) -> dict[str, Cell]:
    """How many of `count` recorded runs end at once, without a traceback, with a log that can be read."""
    rng = np.random.default_rng(seed)
    orderly = written = readable = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            log = Path(folder) / str(k)
            ended, told = _terminated(log, rng.uniform(0.0, _LONGEST_LIFE))
            orderly += ended in (TERMINATED, _NOT_YET) and "Traceback" not in told
            if any(log.glob("log*.npz")):
                written += 1
                with contextlib.suppress(InputError):
                    readable += len(read_log(log)["t"]) > 0
    return {"signals": count, "orderly": orderly, "logs": written, "readable": readable}


def _terminated(log: Path, delay: float) -> tuple[int, str]:
    """Exit code and last words of a run that gets a SIGTERM after `delay` seconds."""
    command = [sys.executable, "-m", "hmpc", "run", "stand", "--seconds", "1000", "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        process.terminate()
        try:
            _, told = process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            _, told = process.communicate()
        return process.returncode, told
