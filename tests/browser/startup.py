"""How long until something can be seen? `make startup`: from `hmpc demo` to the character in a browser that is open.

Each round starts a demo and looks at it in a new tab; kernels have been compiled before by a short walk. The page is
not disturbed: a script in it counts the triangles of every picture and notes when the first one with a character in it
has been drawn, to its last pixel. A browser without a graphics card draws in software and shares the processor with the
demo, so this is the slow case; on a machine that is busy with other things the numbers are those of the other things.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from tests.browser.demo_process import FLAGS, PATIENCE, find_chromium, running_demo

ROUNDS = 3
_WATCH = """
const CHARACTER = 5000;  // triangles of a picture with a character in it; sky and ground have 4
const gl = WebGL2RenderingContext.prototype;
let triangles = 0, drawn_on = null;
for (const [name, at] of [["drawElements", 1], ["drawArrays", 2],
                          ["drawElementsInstanced", 1], ["drawArraysInstanced", 2]]) {
  const draw = gl[name];
  gl[name] = function (...how) {
    const copies = name.endsWith("Instanced") ? how[how.length - 1] : 1;
    triangles += how[at] / 3 * copies;
    drawn_on = this;
    return draw.apply(this, how);
  };
}
function afterPicture() {
  if (triangles > CHARACTER) {
    drawn_on.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));  // waits for the drawing
    window.characterShown = (performance.timeOrigin + performance.now()) / 1000;
    return;
  }
  triangles = 0;
  requestAnimationFrame(afterPicture);
}
requestAnimationFrame(afterPicture);
"""


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
    page.add_init_script(_WATCH)
    began = time.time()
    with tempfile.TemporaryDirectory() as folder, running_demo(Path(folder), port) as demo:
        yield "address", time.time() - began
        page.goto(demo.url, wait_until="commit")
        page.wait_for_selector("canvas")
        yield "page", time.time() - began
        page.wait_for_function("window.characterShown", polling=50)
        yield "character", page.evaluate("window.characterShown") - began
        page.get_by_text("standing").first.wait_for()
        yield "controls, ready to walk", time.time() - began
        page.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
