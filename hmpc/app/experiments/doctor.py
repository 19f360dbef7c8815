"""`hmpc doctor`: what works on this machine, and what to install where something does not."""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hmpc.app.progress import progress_bar

if TYPE_CHECKING:
    from hmpc.app.experiments.options import Doctor

_LIBRARIES = ("hmpc", "mujoco", "numpy", "numba", "cma", "viser", "mjviser")
_EXTRAS = {  # what `pip install hmpc[...]` adds -> the module that shows whether it is there
    "dask": ("distributed", "hmpc sweep --dask"),
    "gamepad": ("pygame", "hmpc demo --gamepad"),
    "meshes": ("trimesh", "regions of meshes"),
    "ros": ("roslibpy", "hmpc demo --ros"),
}
_PORT = 8080  # where `hmpc demo` and `hmpc replay` begin to look
_PATIENCE = 60.0  # [s] that a graphics driver gets
_DRAW = "import mujoco; mujoco.Renderer(mujoco.MjModel.from_xml_string('<mujoco/>'), 16, 16).render()"

State = Literal["ok", "missing", "broken"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    state: State  # missing: something optional is not there; broken: what should work does not
    found: str
    advice: str = ""


def doctor(arguments: Doctor) -> int:
    """Print the findings; 1 if something is broken."""
    with progress_bar(len(CHECKS), "trying", quiet=arguments.json, unit="checks") as bar:
        findings: list[Finding] = []
        for check in CHECKS:
            findings += check()
            bar.update()
    if arguments.json:
        print(json.dumps([asdict(finding) for finding in findings]))
    else:
        for finding in findings:
            advice = f"\n{'':17}-> {finding.advice}" if finding.advice else ""
            print(f"{finding.state:8} {finding.name:8} {finding.found}{advice}")
    return int(any(finding.state == "broken" for finding in findings))


def versions() -> Iterator[Finding]:
    """Python and the libraries that results depend on."""
    found = [f"{name} {importlib.metadata.version(name)}" for name in _LIBRARIES]
    yield Finding("versions", "ok", f"Python {platform.python_version()}, {', '.join(found)}")


def machine() -> Iterator[Finding]:
    """Cores and threads."""
    cores, threads = os.cpu_count() or 1, os.environ.get("OPENBLAS_NUM_THREADS", "1")
    advice = "" if threads == "1" else "unset OPENBLAS_NUM_THREADS: one thread is faster for matrices of this size"
    yield Finding("machine", "ok", f"{platform.system()}, {cores} cores, {threads} BLAS thread", advice)


def graphics() -> Iterator[Finding]:
    """Whether MuJoCo can draw off screen."""
    chosen = os.environ.get("MUJOCO_GL", "egl" if sys.platform == "linux" else "")
    if reason := trouble_drawing(chosen):
        advice = "Debian, Ubuntu: apt install libegl1 libgl1-mesa-dri; or try MUJOCO_GL=osmesa with libosmesa6"
        yield Finding("graphics", "broken", f"--video cannot draw with MUJOCO_GL={chosen}: {reason}", advice)
    else:
        yield Finding("graphics", "ok", f"--video draws with MUJOCO_GL={chosen or 'the default'}")


def trouble_drawing(backend: str) -> str:
    """What MuJoCo says if it cannot draw, in a process of its own: a driver may take its process with it."""
    environment = {**os.environ, "MUJOCO_GL": backend}
    try:
        done = subprocess.run(
            [sys.executable, "-c", _DRAW], env=environment, capture_output=True, text=True, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {_PATIENCE:g} s"
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it crashed"])[-1]


def display() -> Iterator[Finding]:
    """Whether a desktop window can be opened."""
    from hmpc.app.viewers.native import has_display

    if has_display():
        yield Finding("display", "ok", "--viewer native opens a window")
    else:
        found = "no display: --viewer native uses the browser instead"
        yield Finding("display", "missing", found, "a desktop session, or ssh -X")


def port() -> Iterator[Finding]:
    """Whether the usual port is free."""
    from hmpc.app.viewers.server import free_port

    found = free_port("127.0.0.1", _PORT)
    taken = "" if found == _PORT else f"{_PORT} is taken; "
    yield Finding("port", "ok", f"{taken}the browser will be served on {found}")


def encoder() -> Iterator[Finding]:
    """ffmpeg, which comes as a wheel."""
    import imageio_ffmpeg

    try:
        yield Finding("ffmpeg", "ok", f"{imageio_ffmpeg.get_ffmpeg_version()}, in the package imageio-ffmpeg")
    except (RuntimeError, OSError) as error:
        advice = "pip install --force-reinstall imageio-ffmpeg"
        yield Finding("ffmpeg", "broken", f"--video cannot encode: {error}", advice)


def caches() -> Iterator[Finding]:
    """Compiled kernels are kept beside the code, or in numba's folder if that cannot be written to."""
    code = Path(str(importlib.resources.files("hmpc")))
    kernels = len(list(code.glob("**/__pycache__/*.nbi")))
    place = Path(os.environ.get("NUMBA_CACHE_DIR", code))
    found = f"{kernels} compiled kernels" if kernels else "no kernels yet: the first run compiles for a minute"
    if os.access(place, os.W_OK):
        yield Finding("caches", "ok", f"{found}, in {place}")
    else:
        advice = f"export NUMBA_CACHE_DIR={Path(tempfile.gettempdir()) / 'numba'} if every start compiles anew"
        yield Finding("caches", "missing", f"{place} cannot be written to", advice)


def extras() -> Iterator[Finding]:
    """What is optional."""
    for name, (module, use) in _EXTRAS.items():
        there = importlib.util.find_spec(module) is not None
        advice = "" if there else f"pip install 'hmpc[{name}]'"
        yield Finding(name, "ok" if there else "missing", f"{use}{' works' if there else ''}", advice)


def plug_ins() -> Iterator[Finding]:
    """Environments and robots that can be loaded."""
    from hmpc.registry import list_environments, list_robots

    names = [info.name for info in list_environments()]
    yield Finding("plug-ins", "ok", f"{len(names)} environments, {len(list_robots())} robot(s): {', '.join(names)}")


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    versions, machine, graphics, display, port, encoder, caches, plug_ins, extras,
)  # fmt: skip
