"""Does the demo leak while somebody just looks? `make vigil`: an hour of walking, one open tab, or so many minutes.

The character walks in circles; once a minute the memory of the demo, of its planner and of the page is read, and
whether it still walks: who has fallen begins again. Then the tab is closed, and it walks for a while on its own.
`make soak` is about people who come and go.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from tests.browser.demo_process import FLAGS, PATIENCE, find_chromium, running_demo
from tests.browser.soak import ALLOWED, children, megabytes

MINUTES = 60
_WALK = "iiiijj"  # 0.4 m/s, 0.2 rad/s to the left
_ALONE = 0.15  # of the minutes, when nobody looks any more
_WARM = 0.25  # of the minutes, until everything has been loaded and the heap has its holes


def main(minutes: int) -> int:
    """0 if the memory stays where it is."""
    demo_memory, page_memory, alone, falls = [], [], [], 0
    with (
        tempfile.TemporaryDirectory() as folder,
        running_demo(Path(folder), port=28995) as demo,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 500, "height": 400}, device_scale_factor=0.3)
        page.set_default_timeout(PATIENCE)
        page.goto(demo.url)
        page.get_by_text("standing").first.wait_for()
        walk(page)
        began, minute = time.monotonic(), 0.0
        while minute < minutes:
            time.sleep(60)
            minute = (time.monotonic() - began) / 60.0  # where the browser is slow, looking takes a while
            if page.get_by_text("Fallen").count():
                falls += 1
                page.keyboard.press("r")
                walk(page)
            demo_memory.append(megabytes(demo.pid))
            page_memory.append(page.evaluate("performance.memory.usedJSHeapSize") / 2**20)
            planner = sum(megabytes(child) for child in children(demo.pid))
            files = len(list(Path(f"/proc/{demo.pid}/fd").iterdir()))
            print(f"{minute:.0f} min: demo {demo_memory[-1]:.1f} MB, planner {planner:.1f} MB", end=", ")
            print(f"page {page_memory[-1]:.0f} MB, {files} open files, {falls} falls", flush=True)
        browser.close()
        for number in range(max(2, round(_ALONE * minutes))):
            time.sleep(60)
            alone.append(megabytes(demo.pid))
            print(f"{number + 1} min without a tab: demo {alone[-1]:.1f} MB", flush=True)
    grown, grown_alone = growth(demo_memory), alone[-1] / alone[0] - 1.0
    print(f"{100 * grown:.2f} % more in the second half of the time, page {100 * growth(page_memory):.0f} % more")
    print(f"{100 * grown_alone:.2f} % more without a tab. The demo ended cleanly.")
    return 0 if max(grown, grown_alone) <= ALLOWED else 1


def walk(page: Page) -> None:
    """Begin to walk in circles."""
    for key in _WALK:
        page.keyboard.press(key)


def growth(memory: list[float]) -> float:
    """From the first to the second half of what comes after the warm-up."""
    earlier, later = np.array_split(memory[int(_WARM * len(memory)) :], 2)
    return float(later.mean() / earlier.mean() - 1.0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else MINUTES))
