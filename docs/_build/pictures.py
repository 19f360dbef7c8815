"""The pictures of the documentation: `make pictures`, or `python docs/_build/pictures.py stairs` for one.

Every environment and every task of the registry has a moving one; what happens in it is said here, or is a slow walk.
The page of the demo is photographed in a browser.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
WORLDS = {  # environment -> what the character does in its picture
    "beam": ["--vx", "0.4", "--seconds", "6"],
    "chair": ["--env.layout", "armrests", "--seconds", "5"],
    "course": ["--vx", "0.6", "--seconds", "8"],
    "flat": ["--vx", "0.8", "--seconds", "4"],
    "gap": ["--env.width", "0.8", "--vx", "1.2", "--seconds", "7.5"],
    "ground": ["--seconds", "14"],
    "platform": ["--env.height", "0.4", "--seconds", "24"],
    "rough": ["--vx", "0.6", "--seconds", "6"],
    "slope": ["--vx", "0.6", "--seconds", "6"],
    "stairs": ["--vx", "0.5", "--seconds", "7"],
    "stand": ["--env.lift", "left", "--push", "3,8,0", "--seconds", "5"],
    "stones": ["--vx", "1.0", "--seconds", "9"],
}
TASKS = {  # task -> where it is shown, and how it comes about
    "stand_up": ["chair", "--seconds", "5"],
    "climb": ["platform", "--seconds", "24"],
    "get_up": ["ground", "--env.pose", "back", "--seconds", "20"],
    "sit_down": ["chair", "--env.layout", "armrests", "--commands", "sit_down.yaml", "--seconds", "8"],
}
_WALK = ["--vx", "0.5", "--seconds", "6"]
_DEMO = "demo"  # the name of the page's picture
_PAGE = {"width": 1200, "height": 800}  # [px]
_WALKED = 12.0  # [s] until the plots have something to show
_FILM = ["--quality", "low", "--overlay", "footsteps,trajectory", "--video"]


def world_command(name: str) -> list[str]:
    """The arguments of `hmpc` that make the picture of an environment."""
    return ["run", name, *WORLDS.get(name, _WALK), *_FILM, f"{name}.webp"]


def task_command(name: str) -> list[str] | None:
    """The arguments of `hmpc` that make the picture of a task; None if nobody said where to show it."""
    return ["run", *TASKS[name], *_FILM, f"{name}.webp"] if name in TASKS else None


def photograph_page(path: Path) -> None:
    """The page of a demo with a character that walks, in the distribution's chromium."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    from tests.browser.demo_process import FLAGS, PATIENCE, find_chromium, running_demo

    with (
        tempfile.TemporaryDirectory() as folder,
        running_demo(Path(folder), 28980, "--vx", "0.6", "--listen", "0") as demo,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        page = browser.new_page(viewport=_PAGE)  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.goto(demo.url)
        page.get_by_text("walking").first.wait_for()
        page.wait_for_timeout(1e3 * _WALKED)
        for button in page.locator(".mantine-Notification-closeButton").all():
            button.click()
        Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(path, quality=80, method=6)
        browser.close()


def main(wanted: list[str]) -> None:
    """Make these pictures, one after the other; a fall is shown as it is."""
    sys.path[:0] = [str(ROOT), str(ROOT / "envs")]
    from hmpc.registry import ENVIRONMENTS, names

    commands = {name: world_command(name) for name in names(ENVIRONMENTS)}
    commands |= {name: command for name in TASKS if (command := task_command(name))}
    for name in wanted or [*commands, _DEMO]:
        print(f"{name} ...", flush=True)
        if name == _DEMO:
            photograph_page(FOLDER / f"{_DEMO}.webp")
            continue
        subprocess.run([sys.executable, "-m", "hmpc", *commands[name]], cwd=FOLDER, check=False)


if __name__ == "__main__":
    main(sys.argv[1:])
