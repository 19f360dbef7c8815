"""How long until something can be seen? `make startup`: from `hmpc demo` to the character in a browser that is open.

Each round starts a demo and looks at it in a new tab; kernels have been compiled before by a short walk. A browser
without a graphics card draws in software and shares the processor with the demo, so this is the slow case; on a machine
that is busy with other things the numbers are those of the other things.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.demo_process import FLAGS, PATIENCE, find_chromium, running_demo

ROUNDS = 3
_CONTRAST = 25.0  # [0 to 255] standard deviation of the middle with a character in it; sky and ground have 1
_MIDDLE = {"x": 345, "y": 100, "width": 200, "height": 500}  # [px] between plots and controls


def main(rounds: int) -> None:
    """Print when each moment came: the median over the rounds, and all of them."""
    subprocess.run([sys.executable, "-m", "hmpc", "run", "flat", "--vx", "0.5"], check=True, stdout=subprocess.DEVNULL)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        moments = [dict(first_moments(browser, port=28960 + k)) for k in range(rounds)]
        browser.close()
    for moment in moments[0]:
        seconds = [round_[moment] for round_ in moments]
        print(f"{moment}: {np.median(seconds):.1f} s ({', '.join(f'{s:.1f}' for s in seconds)})")


def first_moments(browser: Browser, port: int) -> Iterator[tuple[str, float]]:
    """What can be seen for the first time, and how many seconds after the start."""
    page = browser.new_page(viewport={"width": 900, "height": 640})
    page.set_default_timeout(PATIENCE)
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder, running_demo(Path(folder), port) as demo:
        yield "address", perf_counter() - began
        page.goto(demo.url, wait_until="commit")
        page.wait_for_selector("canvas")
        yield "page", perf_counter() - began
        while not shows_character(page):
            page.wait_for_timeout(50.0)
        yield "character", perf_counter() - began
        page.get_by_text("standing").first.wait_for()
        yield "controls, ready to walk", perf_counter() - began
        page.close()


def shows_character(page: Page) -> bool:
    """Whether there is more in the middle of the picture than sky and ground."""
    shot = Image.open(io.BytesIO(page.screenshot(clip=_MIDDLE)))  # type: ignore[arg-type]
    return float(np.asarray(shot.convert("L")).std()) > _CONTRAST


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
