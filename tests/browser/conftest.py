"""A demo, and a real browser in front of it.

Chromium is the distribution's; where it is missing and may be installed, it is. Its WebGL runs in software and draws a
few pictures a second, so everything is waited for and nothing is asserted about speed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browser.demo_process import FLAGS, PATIENCE, find_chromium, running_demo

_INSTALL = "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser; installed if need be and possible, otherwise these tests are skipped with the reason."""
    found = find_chromium()
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["sh", "-c", _INSTALL], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        found = find_chromium()
    if found is None:
        pytest.skip(f"NO BROWSER: the demo's page is NOT TESTED. Install chromium (as root: {_INSTALL}).")
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a demo that runs for as long as the tests do, and ends cleanly on Ctrl-C."""
    with running_demo(tmp_path_factory.mktemp("demo"), port=28980) as demo:
        yield demo.url


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
    """The page with the first tab open, the character standing at the start, and no field that keys would go to.

    Not by clicks at a place: while the page is built its head gets shorter, and what is below it moves up.
    """
    shared_page.get_by_role("tab", name="Drive").dispatch_event("click")
    shared_page.get_by_text("Reset", exact=True).dispatch_event("click")
    shared_page.get_by_text("(nobody)").wait_for()
    shared_page.evaluate("document.activeElement.blur()")
    return shared_page
