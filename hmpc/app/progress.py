"""A progress bar for whatever takes longer than two seconds, for people only."""

from __future__ import annotations

import contextlib
import sys
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hmpc.app.session import Session

_PATIENCE = 2.0  # [s] before a bar appears
_BEAT = 0.5  # [s] between two updates of a line that only shows the time
_SECONDS = "{l_bar}{bar}| {n:.1f}/{total:.1f} s [{elapsed}<{remaining}]"


def progress_bar(total: float, word: str, *, quiet: bool = False, **options: Any) -> tqdm[Any]:
    """A bar on stderr that leaves nothing behind; none if `quiet` or if nobody sits at a terminal."""
    screen = sys.stderr
    hidden = quiet or not screen.isatty()
    return tqdm(total=total, desc=word, file=screen, disable=hidden, delay=_PATIENCE, leave=False, **options)


def seconds_bar(total: float, *, quiet: bool) -> tqdm[Any]:
    """A bar over simulated seconds."""
    return progress_bar(total, "simulating", quiet=quiet, bar_format=_SECONDS)


def moving(bar: tqdm[Any], session: Session) -> Callable[[Session], None]:
    """A watcher that moves `bar` with the time of a session."""
    period = session.simulator.control_period
    return lambda _: bar.update(period)


@contextlib.contextmanager
def busy(word: str, *, quiet: bool = False) -> Iterator[None]:
    """A line with the time that has passed, for what cannot tell how far it is."""
    done = Event()
    bar = progress_bar(0, word, quiet=quiet, bar_format="{desc} {elapsed}")

    def tick() -> None:
        done.wait(_PATIENCE)
        while not done.wait(_BEAT):
            bar.refresh()

    ticking = Thread(target=tick, daemon=True)
    ticking.start()
    try:
        yield
    finally:
        done.set()
        ticking.join()
        bar.close()
