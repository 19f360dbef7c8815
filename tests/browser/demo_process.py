"""A demo as a user starts it, and the browser to look at it with."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
PATIENCE = 120_000  # [ms] for anything to appear, on a machine that is busy with other things
FLAGS = ("--no-sandbox", "--enable-unsafe-swiftshader")  # of a browser in a container, without a graphics card
_NAMES = ("chromium", "chromium-browser", "google-chrome")


class Demo(NamedTuple):
    """A demo that runs."""

    url: str
    pid: int


def find_chromium() -> str | None:
    """Path of the distribution's browser."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def running_demo(folder: Path, port: int, *options: str) -> Iterator[Demo]:
    """A demo that ends on Ctrl-C, with exit code 0 and without a traceback; `options` of `hmpc demo`."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'envs'}"}
    command = [sys.executable, "-m", "hmpc", "demo", "--port", str(port), *(options or ("--listen", "0"))]
    with (
        (folder / "errors").open("w+") as errors,
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as demo,
    ):
        assert demo.stdout is not None
        try:
            yield Demo(next(line for line in demo.stdout if line.startswith("http")).strip(), demo.pid)
            demo.send_signal(signal.SIGINT)
            demo.wait(timeout=60)
        finally:
            demo.kill()
        errors.seek(0)
        assert demo.returncode == 0 and "Traceback" not in errors.read()


def choose(page: Page, label: str, option: str) -> None:
    """Choose from a list; not by a click at a place, where another option is by then if the list still opens."""
    page.get_by_label(label).click(force=True, no_wait_after=True)
    page.get_by_role("option", name=option, exact=True).dispatch_event("click")
