"""The servers of `hmpc demo` under attack: fuzzed WebSocket and HTTP, 50 connections, deaf clients; what it costs."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from hmpc.app.bench import attacks
from hmpc.app.bench.table import Cell, Result

_PATIENCE = 300.0  # [s] in which a demo has to be there: a first one compiles
_PORTS = (28580, 28590)  # where the search for free ones begins
_MB = 1024  # kB
_PAUSE = 5.0  # [s] between two looks at its memory, while it loads what it needs ...
_STILL = 0.5  # [MB] ... until it grows by less


class Target(NamedTuple):
    """A demo that runs, and where it listens."""

    process: subprocess.Popen[str]
    page: int  # port
    commands: int  # port

    def memory(self) -> float:
        """[MB] of its resident memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / _MB


def measure(quick: bool) -> Result:
    many, some = (2_000, 200) if quick else (10_000, 2_000)
    rows: list[Mapping[str, Cell]] = []
    leaks = 0
    with demo() as target:

        def note(attack: str, messages: int, before: float) -> None:
            rows.append(
                {
                    "attack": attack,
                    "messages": messages,
                    "still_well": attacks.is_well(target.commands) and target.process.poll() is None,
                    "growth_MB": target.memory() - before,
                }
            )

        before = _settled(target)
        note("WebSocket messages that mean nothing", attacks.websocket_nonsense(target.commands, many), before)
        for name, port in (("command interface", target.commands), ("page", target.page)):
            before = target.memory()
            sent, leaked = attacks.http_nonsense(port, some)
            leaks += leaked
            note(f"HTTP requests to the {name} that no browser makes", sent, before)
        before = target.memory()
        note("messages of 4 MB", attacks.oversize(target.commands, 20), before)
        before = target.memory()
        with attacks.deaf(target.commands, some) as asked:
            note("4 clients that never read", asked, before)
        before = target.memory()
        with attacks.half_open(target.commands):
            note("50 connections that say nothing", 0, before)
        before = target.memory()
        with attacks.crowd(target.commands) as admitted:
            held = target.memory() - before
        note(f"50 clients at once ({admitted} let in, {held:.1f} MB meanwhile)", attacks.CONNECTIONS, before)
    return {"attacks on hmpc demo, from this machine": rows, "files of this machine in answers": [{"leaks": leaks}]}


def _settled(target: Target) -> float:
    """[MB] that a demo takes once it has loaded everything it needs."""
    before, deadline = target.memory(), time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        time.sleep(_PAUSE)
        if target.memory() < before + _STILL:
            break
        before = target.memory()
    return target.memory()


@contextlib.contextmanager
def demo(env: str = "stand") -> Iterator[Target]:
    """A demo of its own, ready to be asked."""
    page, listen = _PORTS
    command = [sys.executable, "-m", "hmpc", "demo", env, "--port", str(page), "--listen", str(listen)]
    with (
        tempfile.TemporaryDirectory() as folder,  # where it keeps its tape
        subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process,
    ):
        try:
            yield _ready(process)
        finally:
            process.terminate()


def _ready(process: subprocess.Popen[str]) -> Target:
    """Read the ports that the demo prints, and wait until it answers."""
    assert process.stdout is not None
    page = commands = 0
    for line in process.stdout:
        if line.startswith("http"):
            page = int(line.strip().rstrip("/").rpartition(":")[2])
        if "--port" in line:
            commands = int(line.partition("--port")[2].split()[0].strip("`.,"))
        if page and commands:
            break
    deadline = time.monotonic() + _PATIENCE
    while not attacks.is_well(commands):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("The demo that was to be attacked did not start.")
        time.sleep(1.0)
    return Target(process, page, commands)
