"""Films and pages that the command line asks for."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hmpc.app.records.overlays import chosen
from hmpc.app.records.video import video, writable_file, writable_video

if TYPE_CHECKING:
    import mujoco

    from hmpc.app.records.frames import Sink
    from hmpc.app.records.options import PictureOptions

Opener = Callable[["mujoco.MjModel"], contextlib.AbstractContextManager["list[Sink]"]]


def picture_sinks(arguments: PictureOptions) -> Opener:
    """What opens the sinks for a model; that their files can be written is checked now, before anything runs."""
    overlays = chosen(arguments.overlay)
    film = writable_video(arguments.video) if arguments.video else None
    page = writable_file(arguments.html, "Page") if arguments.html else None

    @contextlib.contextmanager
    def opened(model: mujoco.MjModel) -> Iterator[list[Sink]]:
        with contextlib.ExitStack() as stack:
            sinks: list[Sink] = []
            if film:
                sinks.append(stack.enter_context(video(film, model, arguments.quality, overlays)))
            if page:
                from hmpc.app.records.html import html  # here, because viser takes a while to import

                sinks.append(stack.enter_context(html(page, model, overlays)))
            yield sinks

    return opened
