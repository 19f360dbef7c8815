"""Does the demo leak? An hour of people who come and go, in minutes: `make soak`, or with another number of rounds.

Each round opens a tab, steers, pushes, swaps the world, reloads, and closes the tab. The memory of the demo's
processes is read after each; once everything has been used (a third of the rounds), it has to stay where it is.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.demo_process import FLAGS, PATIENCE, find_chromium, running_demo

ROUNDS = 60  # somebody comes every minute
ALLOWED = 1.05  # growth of the memory over the last two thirds; what is freed is not given back to the byte
PLACES = ("flat", "stairs", "chair", "slope")


def main(rounds: int) -> int:
    """0 if the memory stays where it is."""
    memory = []
    with (
        tempfile.TemporaryDirectory() as folder,
        running_demo(Path(folder), port=28990) as demo,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        for number in range(rounds):
            visit(browser, demo.url, PLACES[(number + 1) % len(PLACES)])
            memory.append(megabytes(demo.pid))
            print(f"round {number + 1}: {memory[-1]:.0f} MB", flush=True)
        browser.close()
    settled, end = max(memory[: rounds // 3]), max(memory[-(rounds // 3) :])
    print(f"{settled:.0f} MB after a third of the rounds, {end:.0f} MB at the end; the demo ended cleanly")
    return 0 if end <= ALLOWED * settled else 1


def visit(browser: Browser, url: str, place: str) -> None:
    """What somebody does who looks in."""
    page = browser.new_page(viewport={"width": 500, "height": 400}, device_scale_factor=0.3)
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    page.get_by_text("late plans").wait_for()
    page.keyboard.press("i")
    page.get_by_role("button", name="Push", exact=True).click(force=True, no_wait_after=True)
    page.get_by_role("tab", name="World").click(force=True, no_wait_after=True)
    page.get_by_label("environment").click(force=True, no_wait_after=True)
    page.get_by_role("option", name=place, exact=True).click(force=True, no_wait_after=True)
    expect(page.get_by_text(f"{place}, ")).to_be_attached(timeout=PATIENCE)
    page.reload()
    page.get_by_text("late plans").wait_for()
    page.close()


def megabytes(pid: int) -> float:
    """Resident memory of a process and of its children, without what they share with others."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    total = 0
    for process in (pid, *map(int, children)):
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024.0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
