"""Does the character keep time while many look and talk? `make crowd`, or with another number of seconds.

A demo in real time, two tabs of a real browser, and a WebSocket client that sends a new velocity 100 times a second.
The log has the time that every tick took; one that took longer than its control period missed it. The browser draws in
software and shares the processor, so this is the slow case.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright
from websockets.sync.client import connect

from hmpc.app.records.log import read_log
from tests.browser.demo_process import FLAGS, PATIENCE, find_chromium, running_demo

SECONDS = 60.0
TABS = 2
COMMAND_PORT = 28971
_PERIOD = 0.01  # [s] between two commands
_SPEED, _SWAY, _TURN = 0.4, 0.2, 0.3  # [m/s] mean and amplitude forward, [rad/s] amplitude


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = Path(folder) / "log"
        options = ("--listen", str(COMMAND_PORT), "--log", str(log))
        with running_demo(Path(folder), 28970, *options) as demo:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
            for _ in range(TABS):
                page = browser.new_page(viewport={"width": 500, "height": 400}, device_scale_factor=0.3)
                page.set_default_timeout(PATIENCE)
                page.goto(demo.url)
                page.get_by_text("standing").first.wait_for()  # kernels are compiled by now
            sent, state = command_for(seconds)
            browser.close()
        ticks = [read_log(run) for run in sorted(log.iterdir())][-1]
    took = 1e3 * ticks["tick_time"]
    period = 1e3 * float(np.median(np.diff(ticks["t"])))
    missed = int((took > period).sum())
    print(f"{len(took)} ticks, {sent} commands, fallen: {state['fallen']}")
    print(f"a tick takes {np.median(took):.2f} ms (median), {np.quantile(took, 0.999):.2f} ms (99.9 %)")
    print(f"{missed} ticks took longer than {period:.0f} ms ({100.0 * missed / len(took):.2f} %)")


def command_for(seconds: float) -> tuple[int, dict[str, object]]:
    """Commands in a row, each a little different; how many they were, and how the character is at the end."""
    sent, end = 0, time.monotonic() + seconds
    with connect(f"ws://127.0.0.1:{COMMAND_PORT}") as character:
        while (now := time.monotonic()) < end:
            phase = 0.5 * now
            wish = {"vx": _SPEED + _SWAY * math.sin(phase), "yaw_rate": _TURN * math.cos(phase)}
            character.send(json.dumps({"type": "command", **wish}))
            sent += 1
            time.sleep(max(0.0, now + _PERIOD - time.monotonic()))
        character.send('{"type": "state"}')
        return sent, json.loads(character.recv())


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
