"""`hmpc demo`: a session that you watch, push and steer."""

from __future__ import annotations

import contextlib
import logging
import math
from typing import TYPE_CHECKING

from hmpc.app.commands.sources import command_sources
from hmpc.app.records.recorder import writable_folder
from hmpc.app.records.takes import Takes
from hmpc.app.run import controller_options, make_session, preparing
from hmpc.app.session import Session
from hmpc.app.viewers.live import Interrupt, play
from hmpc.app.viewers.stage import NoticeHandler, Setting, Stage
from hmpc.errors import InputError
from hmpc.sim.parameters import parameters_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hmpc.app.cli import Demo
    from hmpc.app.commands.hub import CommandHub
    from hmpc.params import Params

_COMPILING = "Preparing: the very first time, kernels are compiled for a minute. The character stands meanwhile."

_log = logging.getLogger(__name__)


def demo(arguments: Demo, dotted: dict[str, str], argv: list[str]) -> int:
    """Show the stage until the window is closed or Ctrl-C."""
    seconds = math.inf if arguments.seconds is None else arguments.seconds
    if not seconds > 0.0:
        raise InputError(f"--seconds must be positive, got {seconds}.")
    takes = Takes(argv, writable_folder(arguments.log) if arguments.log else None)
    with opened_stage(arguments, dotted, takes) as stage, Interrupt() as interrupt:
        with command_sources(arguments, lambda: stage.session):
            if not (arguments.viewer == "native" and shown_on_desktop(stage, seconds, interrupt)):
                show_in_browser(stage, arguments.host, arguments.port, seconds, interrupt)
        if interrupt.wanted:
            print("Bye.")
    if takes.last:
        print(f"The last of it again: hmpc run --tape {takes.last}")
    return 0


@contextlib.contextmanager
def opened_stage(arguments: Demo, dotted: dict[str, str], takes: Takes) -> Iterator[Stage]:
    """The stage with the session that the command line describes; ended at the end, whichever session it is then."""
    with preparing():
        first = make_session(arguments, dotted)

    def make(setting: Setting, params: Params, hub: CommandHub) -> Session:
        return Session(
            setting.environment,
            setting.robot,
            parameters=setting.parameters,
            seed=setting.seed,
            params=params,
            hub=hub,
            **controller_options(arguments),
        )

    values = {item.name: getattr(first.environment, item.name) for item in parameters_of(first.environment)}
    defaults = {item.name: item.default for item in parameters_of(first.environment)}
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    stage = Stage(first, Setting(arguments.env, changed, arguments.robot, arguments.seed), make, takes)
    handler = NoticeHandler(stage)
    logging.getLogger("hmpc").addHandler(handler)
    try:
        yield stage
    finally:
        logging.getLogger("hmpc").removeHandler(handler)
        stage.cut()
        stage.session.close()


def shown_on_desktop(stage: Stage, seconds: float, interrupt: Interrupt) -> bool:
    """Show the stage in a desktop window; False if there is no display to open it on."""
    from hmpc.app.viewers.native import has_display, native_window

    if not has_display():
        _log.warning("There is no display for a desktop window here: using the browser instead.")
        return False
    with native_window(stage) as window:
        play(stage, window, seconds, interrupt)
    return True


def show_in_browser(stage: Stage, host: str, port: int, seconds: float, interrupt: Interrupt) -> None:
    """Serve the stage to browsers; the URL is the only line that starts with http."""
    from hmpc.app.commands.network import is_loopback
    from hmpc.app.viewers.browser import browser_window, free_port

    found = free_port(host, port)
    if found != port:
        print(f"Port {port} is taken; using {found}.")
    if not is_loopback(host):
        _log.warning("Whoever can reach port %d of this machine can steer the character: there is no password.", found)
    with browser_window(stage, host, found) as window:
        print(f"{stage.session.environment.name}: open this address in a browser; Ctrl-C ends it.")
        print(f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{found}", flush=True)
        stage.preparing = _COMPILING
        window.show(stage)
        with preparing():
            stage.session.warm_up()
        stage.preparing = ""
        play(stage, window, seconds, interrupt)
