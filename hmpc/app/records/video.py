"""A run as a film, drawn off screen."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import mujoco
import numpy as np

from hmpc.app.records.frames import Puppet
from hmpc.app.records.overlays import OVERLAYS
from hmpc.app.records.scene import add_drawing
from hmpc.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.app.records.frames import Frame
    from hmpc.types import Array

_CODECS: Mapping[str, list[str]] = {  # what ffmpeg is told for each kind of file
    ".mp4": [],
    ".mkv": [],
    ".mov": [],
    ".webp": ["-loop", "0", "-compression_level", "2", "-quality", "70"],
    ".gif": ["-loop", "0"],
}
_DISTANCE, _AZIMUTH, _ELEVATION = 3.2, 125.0, -12.0  # [m], [deg], [deg] of a camera that follows the character
_FOLLOWING = 0.4  # [s] time constant of the camera: it glides where the body bobs

Quality = Literal["low", "medium", "high"]


class Level(NamedTuple):
    """How good the pictures are."""

    width: int
    height: int
    rate: float  # [1/s]
    shadows: bool


LEVELS: Mapping[Quality, Level] = {
    "low": Level(480, 352, 15.0, False),  # small enough for a README
    "medium": Level(640, 480, 30.0, False),
    "high": Level(1280, 720, 30.0, True),
}


class Painter:
    """Draws frames off screen, with a camera that follows the character."""

    def __init__(self, model: mujoco.MjModel, level: Level, overlays: Sequence[str] = ()):
        self._puppet, self._rate, self._overlays = Puppet(model), level.rate, overlays
        model.vis.global_.offwidth = max(model.vis.global_.offwidth, level.width)
        model.vis.global_.offheight = max(model.vis.global_.offheight, level.height)
        _draw_without_display()
        self._renderer = mujoco.Renderer(model, level.height, level.width)
        for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
            self._renderer.scene.flags[flag] = level.shadows
        self._camera = mujoco.MjvCamera()
        self._camera.distance, self._camera.azimuth, self._camera.elevation = _DISTANCE, _AZIMUTH, _ELEVATION
        self._options = mujoco.MjvOption()
        # The arrows of forces run along the legs: they are seen only through them.
        see_through = any(name.endswith("forces") for name in overlays)
        self._options.flags[mujoco.mjtVisFlag.mjVIS_TRANSPARENT] = see_through
        self._target: Array | None = None

    def paint(self, frame: Frame) -> NDArray[np.uint8]:
        """(height, width, 3) the next picture."""
        self._puppet.pose(frame)
        self._follow(np.asarray(frame.row["com_W"]))
        self._renderer.update_scene(self._puppet.data, self._camera, self._options)
        for name in self._overlays:
            add_drawing(self._renderer.scene, OVERLAYS[name](frame))
        return np.asarray(self._renderer.render())

    def _follow(self, com_W: Array) -> None:
        share = 1.0 if self._target is None else 1.0 - np.exp(-1.0 / (self._rate * _FOLLOWING))
        before = com_W if self._target is None else self._target
        self._target = before + share * (com_W - before)
        self._camera.lookat[:] = self._target

    def close(self) -> None:
        self._renderer.close()


def _draw_without_display() -> None:
    """MuJoCo decides when it is imported how it draws, and on Linux for a display; where there is none, EGL does.

    MUJOCO_GL counts also when it was set later than that.
    """
    has_display = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    wanted = os.environ.get("MUJOCO_GL") or ("" if has_display else "egl")
    if sys.platform != "linux" or wanted != "egl":
        return
    from mujoco.egl import GLContext
    from mujoco.rendering.classic import gl_context

    gl_context.GLContext = GLContext


class VideoSink:
    """Draws every frame and hands it to the encoder."""

    def __init__(self, painter: Painter, writer: Any, rate: float):
        self.rate, self._painter, self._writer = rate, painter, writer

    def add(self, frame: Frame) -> None:
        self._writer.send(self._painter.paint(frame))

    def close(self) -> None:
        self._painter.close()
        self._writer.close()


def writable_video(path: Path) -> Path:
    """`path` as a file that a video can be written to."""
    *others, last = _CODECS
    if path.suffix.lower() not in _CODECS:
        raise InputError(f"Video {str(path)!r} must end in {', '.join(others)} or {last}.")
    return writable_file(path, "Video")


def writable_file(path: Path, kind: str) -> Path:
    """`path`, if a file can be written there."""
    try:
        path.open("ab").close()
    except OSError as error:
        raise InputError(f"{kind} {str(path)!r} cannot be written: {error.strerror}.") from None
    return path


@contextlib.contextmanager
def video(path: Path, model: mujoco.MjModel, quality: Quality, overlays: Sequence[str]) -> Iterator[VideoSink]:
    """A sink whose file is complete at the end."""
    import imageio_ffmpeg

    level, kind = LEVELS[quality], path.suffix.lower()
    codec = {".webp": "libwebp_anim", ".gif": "gif"}.get(kind, "libx264")
    writer = imageio_ffmpeg.write_frames(
        str(path),
        (level.width, level.height),
        fps=level.rate,
        codec=codec,
        quality=5 if codec == "libx264" else None,  # the others have theirs in _CODECS
        pix_fmt_out="rgb8" if kind == ".gif" else "yuv420p",
        output_params=_CODECS[kind],
        macro_block_size=16,
    )
    try:
        writer.send(None)  # starts the encoder
        sink = VideoSink(Painter(model, level, overlays), writer, level.rate)
    except Exception as error:  # whatever the graphics driver or the encoder has to say
        raise InputError(f"No video can be made here: {error} `hmpc doctor` says more.") from error
    try:
        yield sink
    finally:
        sink.close()
