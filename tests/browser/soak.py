"""Does the demo leak? An hour of people who come and go, in minutes: `make soak`, or with another number of rounds.

Each round opens a tab, steers, pushes, swaps the world, reloads, and closes the tab. The memory of the demo's process
is read after each, and once everything has been used it has to stay where it is; a world takes what it takes, so rounds
that end in the same world are compared. The planner's process, of which every world has its own, is only reported: it
may be starting or at work when it is looked at.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.demo_process import FLAGS, PATIENCE, choose, find_chromium, running_demo

ROUNDS = 60  # somebody comes every minute
ALLOWED = 0.01  # growth from the first half of the rounds to the second
UNUSED = 3  # visits to each world, until everything has been loaded and the heap has its holes
PLACES = ("stairs", "chair", "slope", "flat")


def main(rounds: int) -> int:
    """0 if the memory stays where it is."""
    memory: dict[str, list[float]] = {place: [] for place in PLACES}
    with (
        tempfile.TemporaryDirectory() as folder,
        running_demo(Path(folder), port=28990) as demo,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        for number in range(rounds):
            place = PLACES[number % len(PLACES)]
            visit(browser, demo.url, place)
            memory[place].append(megabytes(demo.pid))
            planner = sum(megabytes(child) for child in children(demo.pid))
            print(f"round {number + 1}, {place}: {memory[place][-1]:.1f} MB, planner {planner:.0f} MB", flush=True)
        browser.close()
    grown = growth(memory)
    print(f"{100 * grown:.2f} % more in the second half of the rounds; the demo ended cleanly")
    return 0 if grown <= ALLOWED else 1


def growth(memory: Mapping[str, Sequence[float]]) -> float:
    """From the first to the second half of the visits to each world, mean over the worlds."""
    halves = [np.array_split(visits[UNUSED:], 2) for visits in memory.values()]
    return float(np.mean([later.mean() / earlier.mean() - 1.0 for earlier, later in halves]))


def visit(browser: Browser, url: str, place: str) -> None:
    """What somebody does who looks in."""
    page = browser.new_page(viewport={"width": 500, "height": 400}, device_scale_factor=0.3)
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    page.get_by_text("late plan").wait_for()
    page.keyboard.press("i")
    page.get_by_role("button", name="Push", exact=True).click(force=True, no_wait_after=True)
    page.get_by_role("tab", name="World").click(force=True, no_wait_after=True)
    choose(page, "environment", place)
    expect(page.get_by_text(f"{place}, ")).to_be_attached(timeout=PATIENCE)
    page.reload()
    page.get_by_text("late plan").wait_for()
    page.close()


def megabytes(pid: int) -> float:
    """What a process has allocated, in or out of core; libraries, which it shares with others, do not count."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):  # the planner of a world that was left is on its way out
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Anonymous:", "Swap:"))) / 1024.0


def children(pid: int) -> list[int]:
    """Processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
