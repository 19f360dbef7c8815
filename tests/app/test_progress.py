"""Bars are for people: after two seconds, at a terminal, unless they asked for JSON."""

from __future__ import annotations

import io
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from hmpc.app import progress


class Terminal(io.StringIO):
    """Somebody looks at it; `waits_for` is what they look for."""

    waits_for = ""

    def __init__(self) -> None:
        super().__init__()
        self.seen = Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.waits_for in text:
            self.seen.set()
        return super().write(text)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=screen))  # pytest has its own idea of sys.stderr
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_BEAT", 0.001)
    return screen


def test_what_cannot_tell_how_far_it_is_shows_the_time(terminal: Terminal) -> None:
    terminal.waits_for = "measuring 00:0"
    with progress.busy("measuring"):
        assert terminal.seen.wait(10.0)


def test_a_bar_shows_how_far_it_is_and_leaves_nothing_behind(terminal: Terminal) -> None:
    with progress.progress_bar(4, "runs", mininterval=0.0) as bar:
        bar.update(2)
    assert "50%" in terminal.getvalue()
    assert terminal.getvalue().split("\r")[-1].strip() == ""


@pytest.mark.parametrize("reason", ["JSON", "no terminal"])
def test_nobody_sees_a_bar_without_a_terminal_or_with_json(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    screen: Any = terminal
    if reason == "no terminal":
        screen = io.StringIO()
        monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=screen))
    with progress.progress_bar(4, "runs", quiet=reason == "JSON", mininterval=0.0) as bar:
        bar.update(2)
    assert screen.getvalue() == ""
