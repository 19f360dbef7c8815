"""`hmpc demo`: a session that you watch, push and steer.

The web server comes first and the address is printed at once. While the browser opens, the character is built and
shown; then the controller is imported, which takes as long again.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import math
from typing import TYPE_CHECKING

from hmpc.app.arguments import controller_options, resolve
from hmpc.app.commands.sources import check_sources, command_sources
from hmpc.app.interrupt import Interrupt
from hmpc.app.memory import give_back_large_blocks
from hmpc.app.signals import end_at_once
from hmpc.errors import InputError, code_of
from hmpc.registry import find_robot

if TYPE_CHECKING:
    from collections.abc import Iterator

    import viser

    from hmpc.app.cli import Demo
    from hmpc.app.records.takes import Takes
    from hmpc.app.viewers.live import Window
    from hmpc.app.viewers.picture import Picture
    from hmpc.app.viewers.stage import Stage
    from hmpc.robot.spec import RobotSpec
    from hmpc.sim.environment import Environment

_BYE = "Bye."
_COMPILING = "Preparing: the very first time, kernels are compiled for a minute. The character stands meanwhile."

_log = logging.getLogger(__name__)


def demo(arguments: Demo, dotted: dict[str, str], argv: list[str]) -> int:
    """Show the stage until the window is closed or Ctrl-C."""
    seconds = math.inf if arguments.seconds is None else arguments.seconds
    if not seconds > 0.0:
        raise InputError(f"--seconds must be positive, got {seconds}.")
    environment, _ = resolve(arguments, dotted)
    robot = find_robot(arguments.robot)
    check_sources(arguments)
    give_back_large_blocks()  # of worlds that are swapped for others
    with contextlib.ExitStack() as stack:
        interrupt = stack.enter_context(Interrupt())  # before anybody can see the page and change their mind
        with end_at_once(0, _BYE):  # kernels may be compiled
            picture = None
            if not wants_desktop(arguments):
                picture = first_picture(stack.enter_context(served(arguments)), environment, robot)
            from hmpc.app.records.recorder import writable_folder
            from hmpc.app.records.takes import Takes
            from hmpc.app.viewers.live import play

            takes = Takes(argv, writable_folder(arguments.log) if arguments.log else None)
            stage = stack.enter_context(opened_stage(arguments, dotted, takes))
            window = stack.enter_context(opened_window(stage, picture))
            stack.enter_context(command_sources(arguments, lambda: stage.session))  # once it can do what it is told
        gc.freeze()  # what is loaded stays: the collector finds old worlds sooner, and does not hold up a tick for it
        play(stage, window, seconds, interrupt)
    if interrupt.wanted:
        print(_BYE)
    if takes.last:
        print(f"The last of it again: hmpc run --tape {takes.last}")
    return 0


def wants_desktop(arguments: Demo) -> bool:
    """Whether the stage is to be shown in a desktop window, and can be."""
    if arguments.viewer != "native":
        return False
    from hmpc.app.viewers.native import has_display

    if not has_display():
        _log.warning("There is no display for a desktop window here: using the browser instead.")
        return False
    return True


@contextlib.contextmanager
def served(arguments: Demo) -> Iterator[viser.ViserServer]:
    """The web server, whose URL is the only line that starts with http."""
    from hmpc.app.viewers.server import free_port, is_loopback, web_server

    host, port = arguments.host, free_port(arguments.host, arguments.port)
    if port != arguments.port:
        print(f"Port {arguments.port} is taken; using {port}.")
    if not is_loopback(host):
        _log.warning("Whoever can reach port %d of this machine can steer the character: there is no password.", port)
    with web_server(host, port) as server:
        print(f"{arguments.env}: open this address in a browser; Ctrl-C ends it.")
        print(f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}", flush=True)
        yield server


def first_picture(server: viser.ViserServer, environment: Environment, robot: RobotSpec) -> Picture:
    """The character at its start."""
    from hmpc.app.viewers.picture import Picture
    from hmpc.sim.simulator import Simulator

    with code_of(f"Environment {environment.name!r}"):
        simulator = Simulator(environment, robot)
    return Picture(server, simulator)


@contextlib.contextmanager
def opened_stage(arguments: Demo, dotted: dict[str, str], takes: Takes) -> Iterator[Stage]:
    """The stage with the session that the command line describes; ended at the end, whichever session it is then."""
    from hmpc.app.commands.hub import CommandHub
    from hmpc.app.run import make_session, preparing
    from hmpc.app.session import Session
    from hmpc.app.viewers.stage import NoticeHandler, Setting, Stage
    from hmpc.params import Params
    from hmpc.sim.parameters import parameters_of

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


@contextlib.contextmanager
def opened_window(stage: Stage, picture: Picture | None) -> Iterator[Window]:
    """The stage around the picture, or else in a desktop window; the character stands while kernels compile."""
    from hmpc.app.run import preparing

    if picture is None:
        from hmpc.app.viewers.native import NativeWindow

        window: Window = NativeWindow(stage)
    else:
        from hmpc.app.viewers.browser import BrowserWindow

        window = BrowserWindow(stage, picture)
    try:
        stage.preparing = _COMPILING
        window.show(stage)
        with preparing():
            stage.session.warm_up()
        stage.preparing = ""
        yield window
    finally:
        window.close()
