"""A run as one HTML file that needs nothing else, not even a network: viser's player with everything in it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hmpc.app.progress import busy
from hmpc.app.records.frames import Puppet
from hmpc.app.records.stage import Stage

if TYPE_CHECKING:
    import mujoco

    from hmpc.app.records.frames import Frame

_RATE = 20.0  # [1/s] of frames: smooth enough to follow, and half the size of a film


class HtmlSink:
    """Keeps every frame as the messages that a browser would have got."""

    rate = _RATE

    def __init__(self, stage: Stage, model: mujoco.MjModel, overlays: Sequence[str]):
        self._stage, self._puppet, self._overlays = stage, Puppet(model), overlays
        self._messages = stage.server.get_scene_serializer()

    def add(self, frame: Frame) -> None:
        self._puppet.pose(frame)
        self._stage.show(self._puppet, frame, self._overlays)
        self._messages.insert_sleep(1.0 / _RATE)

    def page(self) -> str:
        """The file's content."""
        return str(self._messages.as_html())


@contextlib.contextmanager
def html(path: Path, model: mujoco.MjModel, overlays: Sequence[str]) -> Iterator[HtmlSink]:
    """A sink that writes its file at the end."""
    with Stage.open(model) as stage:
        sink = HtmlSink(stage, model, overlays)
        yield sink
        with busy("writing the page"):
            path.write_text(sink.page(), encoding="utf-8")
