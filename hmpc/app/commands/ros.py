"""ROS 2 velocity commands (geometry_msgs/Twist), through a rosbridge server and roslibpy: no ROS is needed here.

ros2 launch rosbridge_server rosbridge_websocket_launch.xml
hmpc demo flat --ros localhost:9090
ros2 topic pub /cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.5}}' -r 10
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from hmpc.app.commands.hub import HOLD
from hmpc.app.commands.request import Request
from hmpc.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hmpc.app.session import Session

SOURCE = "ROS"
TYPE = "geometry_msgs/msg/Twist"
_TIMEOUT = 5.0  # [s] for the first connection; later ones are tried again and again

_log = logging.getLogger(__name__)


class RosBridge:
    """Subscribes to a topic of twists and commands the session that `current` returns; a context manager."""

    def __init__(self, current: Callable[[], Session], address: str, topic: str):
        self._current, self._topic_name = current, topic
        self._host, self._port = host_and_port(address)
        self._refused = False

    def __enter__(self) -> RosBridge:
        roslibpy = _roslibpy()
        self._ros = roslibpy.Ros(self._host, self._port)
        try:
            self._ros.run(timeout=_TIMEOUT)
        except Exception as error:  # roslibpy raises whatever its transport does
            self._ros.close()
            raise InputError(f"No rosbridge answers at {self._host}:{self._port}: {error}.") from None
        self._topic = roslibpy.Topic(self._ros, self._topic_name, TYPE)
        self._topic.subscribe(self.receive)
        return self

    def __exit__(self, *_: object) -> None:
        self._topic.unsubscribe()
        self._ros.close()

    def receive(self, twist: dict[str, Any]) -> None:
        """Ask for the velocities of a twist; one that makes no sense is reported once and ignored."""
        try:
            self._current().hub.put(SOURCE, as_request(twist), HOLD)
        except InputError as error:
            if not self._refused:
                _log.warning("ROS topic %s: %s", self._topic_name, error)
            self._refused = True


def as_request(twist: dict[str, Any]) -> Request:
    """The part of a twist that a walking character can follow."""
    try:
        linear, angular = twist["linear"], twist["angular"]
        return Request(vx=linear["x"], vy=linear["y"], yaw_rate=angular["z"])
    except (KeyError, TypeError):
        raise InputError(f"A Twist has linear and angular parts, got {str(twist)[:80]!r}.") from None


def host_and_port(address: str) -> tuple[str, int]:
    """The parts of HOST:PORT."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise InputError(f"--ros needs HOST:PORT such as localhost:9090, got {address!r}.")
    return host, int(port)


def _roslibpy() -> Any:
    try:
        import roslibpy
    except ImportError:
        raise InputError("--ros needs roslibpy: pip install 'hmpc[ros]'.") from None
    return roslibpy
