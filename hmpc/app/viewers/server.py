"""The web server of a window. It answers before there is anything to show, so that a browser can open meanwhile."""

from __future__ import annotations

import contextlib
import errno
import io
import ipaddress
import socket
from typing import TYPE_CHECKING, Any

from hmpc.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import viser

_PORTS_TRIED = 100
_LOADING = '<div style="padding:0.2em 0.8em"><b style="color:#f08c00">The character is on its way ...</b></div>'


@contextlib.contextmanager
def web_server(host: str, port: int) -> Iterator[viser.ViserServer]:
    """A server whose page says that it is not ready yet; stopped at the end."""
    import viser

    with _quietly():
        server = viser.ViserServer(host=host, port=port, label="hmpc", verbose=False)
    set_theme(server.gui)
    server.gui.add_html(_LOADING)
    try:
        yield server
    finally:
        with _quietly():
            server.stop()


def set_theme(gui: viser.GuiApi, dark: bool = False) -> None:
    """How the panels look, in every tab."""
    gui.configure_theme(control_width="medium", dark_mode=dark, show_logo=False, show_share_button=False)


def _quietly() -> Any:
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


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
