"""`hmpc demo`: a session that you watch, push and steer."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from hmpc.app.commands.sources import command_sources
from hmpc.app.run import make_session, preparing
from hmpc.app.viewers.live import Interrupt, Playback, play
from hmpc.errors import InputError

if TYPE_CHECKING:
    from hmpc.app.cli import Demo
    from hmpc.app.session import Session

_log = logging.getLogger(__name__)


def demo(arguments: Demo, dotted: dict[str, str]) -> int:
    """Show the session until the window is closed or Ctrl-C."""
    seconds = math.inf if arguments.seconds is None else arguments.seconds
    if not seconds > 0.0:
        raise InputError(f"--seconds must be positive, got {seconds}.")
    with preparing():
        session = make_session(arguments, dotted)
    try:
        with Interrupt() as interrupt, command_sources(arguments, lambda: session):
            if not (arguments.viewer == "native" and shown_on_desktop(session, seconds, interrupt)):
                show_in_browser(session, arguments.host, arguments.port, seconds, interrupt)
        if interrupt.wanted:
            print("Bye.")
    finally:
        session.close()
    return 0


def shown_on_desktop(session: Session, seconds: float, interrupt: Interrupt) -> bool:
    """Show the session in a desktop window; False if there is no display to open it on."""
    from hmpc.app.viewers.native import has_display, native_window

    if not has_display():
        _log.warning("There is no display for a desktop window here: using the browser instead.")
        return False
    with native_window(session) as window:
        play(session, window, seconds, interrupt)
    return True


def show_in_browser(session: Session, host: str, port: int, seconds: float, interrupt: Interrupt) -> None:
    """Serve the session to browsers; the URL is the only line that starts with http."""
    from hmpc.app.viewers.browser import browser_window, free_port

    found = free_port(host, port)
    if found != port:
        print(f"Port {port} is taken; using {found}.")
    with browser_window(session, host, found) as window:
        print(f"{session.environment.name}: open this address in a browser; Ctrl-C ends it.")
        print(f"http://{host}:{found}", flush=True)
        window.show(session, Playback())
        with preparing():
            session.warm_up()
        play(session, window, seconds, interrupt)
