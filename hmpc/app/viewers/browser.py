"""The session in a web browser, with mjviser and viser."""

from __future__ import annotations

import contextlib
import errno
import io
import socket
from typing import TYPE_CHECKING

from hmpc.app.viewers.panel import Panel
from hmpc.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hmpc.app.session import Session
    from hmpc.app.viewers.live import Playback

_PORTS_TRIED = 100
_CAMERA = (3.0, -2.2, 0.9)  # [m] from the tracked body, which stays at the origin


class BrowserWindow:
    """A picture and a panel that any number of browsers can look at."""

    def __init__(self, session: Session, host: str, port: int):
        import viser
        from mjviser import ViserMujocoScene

        with _quietly():
            self._server = viser.ViserServer(host=host, port=port, label="hmpc", verbose=False)
        self._server.initial_camera.position = _CAMERA
        self._server.initial_camera.look_at = (0.0, 0.0, 0.0)
        self._scene = ViserMujocoScene(self._server, session.simulator.model, num_envs=1)
        self._panel = Panel(self._server, session)

    def listen(self, session: Session, playback: Playback) -> bool:
        self._panel.listen(session, playback)
        return True

    def show(self, session: Session, playback: Playback) -> None:
        self._scene.update_from_mjdata(session.simulator.data)
        self._panel.show(session, playback)

    def close(self) -> None:
        with _quietly():
            self._server.stop()


@contextlib.contextmanager
def browser_window(session: Session, host: str, port: int) -> Iterator[BrowserWindow]:
    """A window that is closed at the end."""
    window = BrowserWindow(session, host, port)
    try:
        yield window
    finally:
        window.close()


def _quietly() -> contextlib.redirect_stdout[io.StringIO]:
    """viser announces itself on stdout, whatever it is told; that is for the caller to do."""
    return contextlib.redirect_stdout(io.StringIO())


def free_port(host: str, port: int) -> int:
    """`port`, or the next one that nobody listens on."""
    if not 1 <= port <= 65535:
        raise InputError(f"A port must be from 1 to 65535, got {port}.")
    for candidate in range(port, min(port + _PORTS_TRIED, 65536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
            except PermissionError as error:
                raise InputError(f"Port {candidate} on {host} cannot be opened: {error.strerror}.") from None
            except socket.gaierror:
                raise InputError(f"Host {host!r} is not known here.") from None
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise InputError(f"Port {candidate} on {host} cannot be opened: {error.strerror}.") from None
                continue
            return candidate
    raise InputError(f"All ports from {port} to {port + _PORTS_TRIED - 1} on {host} are taken.")
