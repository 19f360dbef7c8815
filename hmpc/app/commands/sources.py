"""The sources of commands beside the window: each is opened if the command line asks for it, and closed at the end."""

from __future__ import annotations

import contextlib
import secrets
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hmpc.app.cli import Demo
    from hmpc.app.session import Session

_EVERYWHERE = ("0.0.0.0", "::")  # hosts to listen on, but not to send to


def check_sources(arguments: Demo) -> None:
    """Raise `InputError` for an address that makes no sense, before anything is built for it."""
    if arguments.listen:
        from hmpc.app.viewers.server import free_port

        free_port(arguments.host, arguments.listen)
    if arguments.ros:
        from hmpc.app.commands.ros import host_and_port

        host_and_port(arguments.ros)


@contextlib.contextmanager
def command_sources(arguments: Demo, current: Callable[[], Session]) -> Iterator[None]:
    """Let the session that `current` returns be commanded by others as long as the context lasts."""
    with contextlib.ExitStack() as stack:
        if arguments.listen:
            _open_network(stack, arguments, current)
        if arguments.gamepad:
            from hmpc.app.commands.gamepad import open_gamepad

            stack.enter_context(open_gamepad(current))
            print("Gamepad: left stick walks, right stick turns.")
        if arguments.ros:
            from hmpc.app.commands.ros import RosBridge

            stack.enter_context(RosBridge(current, arguments.ros, arguments.ros_topic))
            print(f"ROS: listening to {arguments.ros_topic} through the rosbridge at {arguments.ros}.")
        yield


def _open_network(stack: contextlib.ExitStack, arguments: Demo, current: Callable[[], Session]) -> None:
    from hmpc.app.commands.network import CommandServer
    from hmpc.app.viewers.server import free_port, is_loopback

    host = arguments.host
    token = None if is_loopback(host) else arguments.token or secrets.token_urlsafe(16)
    server = stack.enter_context(CommandServer(current, host, free_port(host, arguments.listen), token))
    reached_at = socket.gethostname() if host in _EVERYWHERE else host
    options = "".join(
        f" --{name} {value}"
        for name, value, default in (
            ("host", reached_at, "127.0.0.1"),
            ("port", server.port, 8765),
            ("token", token, None),
        )
        if value != default
    )
    print(f"Commands by WebSocket on port {server.port}: hmpc send{options} --vx 0.5 --for 3")
