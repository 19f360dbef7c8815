"""A demo as a user starts it, and a real browser in front of it.

Chromium is the distribution's; where it is missing and may be installed, it is. Its WebGL runs in software and draws a
few pictures a second, so everything is waited for and nothing is asserted about speed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, sync_playwright

ROOT = Path(__file__).parents[2]
PATIENCE = 120_000  # [ms] for anything to appear, on a machine that is busy with other things
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_INSTALL = "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium"
_FLAGS = ("--no-sandbox", "--enable-unsafe-swiftshader")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser; installed if need be and possible, otherwise these tests are skipped with the reason."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["sh", "-c", _INSTALL], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        found = shutil.which("chromium")
    if found is None:
        pytest.skip(f"NO BROWSER: the demo's page is NOT TESTED. Install chromium (as root: {_INSTALL}).")
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(_FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a demo that runs for as long as the tests do, and ends cleanly on Ctrl-C."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'envs'}"}
    command = [sys.executable, "-m", "hmpc", "demo", "--port", "28980", "--listen", "0"]
    folder = tmp_path_factory.mktemp("demo")
    with (
        (folder / "errors").open("w+") as errors,
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as demo,
    ):
        assert demo.stdout is not None
        yield next(line for line in demo.stdout if line.startswith("http")).strip()
        demo.send_signal(signal.SIGINT)
        try:
            demo.wait(timeout=60)
        except subprocess.TimeoutExpired:
            demo.kill()
            raise
        errors.seek(0)
        assert demo.returncode == 0 and "Traceback" not in errors.read()


@pytest.fixture(scope="session")
def shared_page(browser: Browser, url: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 900, "height": 640}, device_scale_factor=0.5)
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    page.get_by_text("standing").wait_for()
    yield page
    page.close()


def click(target: Locator) -> None:
    """With the mouse, but without waiting until nothing moves any more: the picture always does."""
    target.click(force=True, no_wait_after=True)


@pytest.fixture
def page(shared_page: Page) -> Page:
    """The page with the first tab open and the character standing at the start."""
    click(shared_page.get_by_role("tab", name="Drive"))
    click(shared_page.get_by_text("Reset", exact=True))
    shared_page.get_by_text("(nobody)").wait_for()
    return shared_page
