"""The demo as a person uses it: open the page, press keys, pull sliders, look."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from hmpc.app.config import read_config
from tests.browser.conftest import click
from tests.browser.demo_process import PATIENCE, choose


def assert_says(page: Page, words: str) -> None:
    """The page has text that matches a regular expression, now or before patience ends; otherwise the test fails."""
    expect(page.locator("body")).to_contain_text(re.compile(words), use_inner_text=True, timeout=PATIENCE)


def test_keys_change_the_command_and_the_character_goes(page: Page) -> None:
    for key in ("i", "i", "i", "i", "j"):
        page.keyboard.press(key)
    assert_says(page, r"asked \(keys\)\s+0\.40\s+0\.00\s+0\.10")
    assert_says(page, "walking")
    assert_says(page, r"goes\s+0\.[2-6]")
    page.keyboard.press("h")
    assert_says(page, r"asked \(keys\)\s+0\.00\s+0\.00\s+0\.00")
    assert_says(page, "standing")


def test_a_slider_is_a_command_too(page: Page) -> None:
    box = page.get_by_text("forward [m/s]").locator("xpath=ancestor::*[.//input][1]").locator("input").last
    box.fill("0.25")
    box.press("Enter")
    assert_says(page, r"asked \(sliders\)\s+0\.25")


def test_a_push_gets_a_score(page: Page) -> None:
    click(page.get_by_role("button", name="Push", exact=True))
    assert_says(page, r"15 N s towards 0")
    assert_says(page, r"recovered in .* score \d+")


def test_who_is_pushed_over_is_told_to_get_up(page: Page) -> None:
    impulse = page.get_by_text("impulse [N s]").locator("xpath=ancestor::*[.//input][1]").locator("input").last
    impulse.fill("80")
    impulse.press("Enter")
    click(page.get_by_role("button", name="Push", exact=True))
    assert_says(page, r"Fallen after .* Press Reset or Get up")
    click(page.get_by_role("button", name="Get up"))
    assert_says(page, "get up: moving")
    impulse.fill("15")
    impulse.press("Enter")


def test_slow_motion(page: Page) -> None:
    speed = page.get_by_text("speed", exact=True).locator("xpath=ancestor::*[.//input][1]").locator("input").last
    speed.fill("0.2")
    speed.press("Enter")
    assert_says(page, r"0\.[12]\d x real time")
    speed.fill("1")
    speed.press("Enter")


def test_another_seed_begins_again(page: Page) -> None:
    page.keyboard.press("i")
    assert_says(page, r"asked \(keys\)\s+0\.10")
    click(page.get_by_role("tab", name="World"))
    seed = page.get_by_label("seed")
    seed.fill("7")
    seed.press("Enter")
    assert_says(page, r"asked \(nobody\)\s+0\.00")
    seed.fill("0")
    seed.press("Enter")


def test_a_button_begins_a_task(page: Page) -> None:
    click(page.get_by_role("tab", name="World"))
    choose(page, "environment", "chair")
    assert_says(page, r"chair, \d")
    click(page.get_by_role("tab", name="Drive"))
    assert_says(page, "stand up")
    assert_says(page, "standing")
    click(page.get_by_role("button", name="Sit down"))
    assert_says(page, "sit down: ")
    click(page.get_by_role("tab", name="World"))
    choose(page, "environment", "flat")
    assert_says(page, r"flat, \d")
    click(page.get_by_role("tab", name="Drive"))


def test_pause_and_single_steps(page: Page) -> None:
    click(page.get_by_role("button", name="Pause"))
    assert_says(page, "paused")
    time = page.get_by_text("paused").inner_text()
    click(page.get_by_text("One tick"))
    click(page.get_by_role("button", name="Play"))
    assert_says(page, "x real time")
    assert time not in page.locator("body").inner_text()


def test_a_layer_that_is_switched_off_disappears(page: Page) -> None:
    switch = page.get_by_label("contact timeline")
    timeline = page.locator("svg").filter(has_text="left foot")
    expect(timeline).to_be_attached(timeout=PATIENCE)
    switch.press("Space")
    expect(timeline).not_to_be_attached(timeout=PATIENCE)
    switch.press("Space")
    expect(timeline).to_be_attached(timeout=PATIENCE)


@pytest.mark.parametrize("layer", ["safe regions", "measured forces"])
def test_a_layer_of_the_picture_can_be_seen(page: Page, layer: str) -> None:
    """In pixels: the picture of a paused character changes with the switch, and changes back."""
    click(page.get_by_role("button", name="Pause"))
    assert_says(page, "paused")
    click(page.get_by_role("tab", name="View"))
    switch = page.get_by_label(layer)
    was_on = switch.is_checked()
    shown = {}
    for state in (not was_on, was_on):
        switch.set_checked(state, force=True)
        shown[state] = picture(page, unlike=shown.get(not state))
    assert (shown[True] != shown[False]).any(axis=2).mean() > 0.0005
    click(page.get_by_role("tab", name="Drive"))
    click(page.get_by_role("button", name="Play"))


def test_panels_can_be_dark(page: Page) -> None:
    click(page.get_by_role("tab", name="View"))
    for dark, scheme in ((True, "dark"), (False, "light")):
        page.get_by_label("dark panels").set_checked(dark, force=True)
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme, timeout=PATIENCE)
    click(page.get_by_role("tab", name="Drive"))


def picture(page: Page, unlike: np.ndarray | None) -> np.ndarray:
    """The middle, once two pictures in a row are the same and not as `unlike`; a few are drawn in a second."""
    last = None
    for _ in range(60):
        shot = page.screenshot(clip={"x": 345, "y": 100, "width": 200, "height": 500})  # between plots and controls
        now = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"))
        if last is not None and (now == last).all() and (unlike is None or (now != unlike).any()):
            return now
        last = now
    raise AssertionError("the picture does not come to rest, or does not change")


def test_the_world_is_swapped_without_a_restart(page: Page) -> None:
    click(page.get_by_role("tab", name="World"))
    choose(page, "environment", "stairs")
    assert_says(page, r"stairs, \d")
    expect(page.get_by_text("riser [m]")).to_be_visible()
    choose(page, "environment", "flat")
    assert_says(page, r"flat, \d")
    expect(page.get_by_text("riser [m]")).not_to_be_visible()


def test_a_tuned_parameter_is_saved_and_can_be_loaded(page: Page, tmp_path: Path) -> None:
    click(page.get_by_role("tab", name="Tune"))
    number = page.get_by_label("kp_force")
    number.fill("3500")
    number.press("Enter")
    with page.expect_download() as download:
        click(page.get_by_role("button", name="Save as YAML"))
    file = tmp_path / "hmpc.yaml"
    download.value.save_as(file)
    assert yaml.safe_load(file.read_text()) == {"tracking": {"kp_force": 3500}}
    assert read_config(file) == {"tracking.kp_force": 3500}
    click(page.get_by_text("All", exact=True))
    expect(number).to_have_value("4000")


def test_errors_appear_in_the_page(page: Page) -> None:
    click(page.get_by_role("tab", name="Tune"))
    with page.expect_file_chooser() as chooser:
        click(page.get_by_role("button", name="Load YAML"))
    chooser.value.set_files({"name": "bad.yaml", "mimeType": "text/yaml", "buffer": b"tracking: {kp_farce: 1}"})
    assert_says(page, r"Unknown parameter 'tracking.kp_farce'")


def test_tabs_reloads_and_closed_tabs_leave_the_character_alone(page: Page, browser: Browser, url: str) -> None:
    page.keyboard.press("i")
    assert_says(page, r"asked \(keys\)\s+0\.10")
    other = browser.new_page()
    problems: list[str] = []
    other.on("pageerror", lambda error: problems.append(str(error)))
    other.on("request", lambda request: problems.append(request.url) if is_outside(request.url, url) else None)
    other.goto(url)
    assert_says(other, r"asked \(keys\)\s+0\.10")
    other.reload()
    assert_says(other, r"asked \(keys\)\s+0\.10")
    other.keyboard.press("k")
    assert_says(page, r"asked \(keys\)\s+0\.00")
    other.close()
    page.keyboard.press("i")
    assert_says(page, r"asked \(keys\)\s+0\.10")
    assert not problems


def is_outside(address: str, url: str) -> bool:
    return not address.startswith((url, url.replace("http", "ws"), "data:", "blob:"))
