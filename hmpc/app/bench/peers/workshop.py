"""Where a peer works: a virtual environment of its own, made once, and one core."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCRIPTS = Path(__file__).parent / "scripts"
_INSTALL_SECONDS = 600.0  # after which an installation is given up
_RUN_SECONDS = 300.0  # the same for a script
_DONE = "installed.json"  # in the environment, once it is complete: what was asked for


class CannotRun(Exception):
    """Why a peer is not in the table, in a sentence."""


@dataclass(frozen=True)
class Peer:
    """Somebody else's program for a job of ours."""

    name: str
    script: str  # in the folder scripts
    needs: tuple[str, ...]  # what pip installs, from wheels alone

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return home / "hmpc" / "peers" / self.name / "bin" / "python"

    def install(self) -> None:
        """Make its environment, if it is not there or not for these needs. Raises `CannotRun`."""
        folder = self.python.parents[1]
        done = folder / _DONE
        if done.exists() and json.loads(done.read_text()) == list(self.needs):
            return
        print(f"installing {self.name} into {folder} ...", file=sys.stderr, flush=True)
        try:
            venv.create(folder, clear=True, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise CannotRun(f"no environment for {self.name}: {error}") from None
        pip = [str(self.python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *self.needs]
        _output(pip, _INSTALL_SECONDS, f"{self.name} cannot be installed")
        done.write_text(json.dumps(self.needs))

    def run(self, *arguments: str) -> Mapping[str, Any]:
        """What its script measured: seconds by name, its `version` and a `note`. Raises `CannotRun`."""
        command = [str(self.python), "-I", str(_SCRIPTS / self.script), *arguments]
        lines = _output(command, _RUN_SECONDS, f"{self.name} does not run here").strip().splitlines()
        try:
            measured: Mapping[str, Any] = json.loads(lines[-1])
        except (IndexError, ValueError):
            raise CannotRun(f"{self.name} gave no result") from None
        return measured


def _output(command: Sequence[str], seconds: float, complaint: str) -> str:
    """What a command prints on stdout; `CannotRun` with its last words if it fails."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment, check=False)
    except subprocess.TimeoutExpired:
        raise CannotRun(f"{complaint}: not done after {seconds:.0f} s") from None
    if done.returncode == 0:
        return done.stdout
    if done.returncode < 0:
        raise CannotRun(f"{complaint}: ended by signal {-done.returncode}")
    words = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    raise CannotRun(f"{complaint}: {words[-1]}")


@contextmanager
def one_core() -> Iterator[None]:
    """This process and those it starts on a single core, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
