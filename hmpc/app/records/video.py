"""A run as a video, drawn off screen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hmpc.errors import InputError

if TYPE_CHECKING:
    from hmpc.app.session import Session

FRAME_RATE = 30.0  # [1/s]
_WIDTH, _HEIGHT = 640, 480  # what MuJoCo's offscreen buffer holds without being asked
_FORMATS = (".mp4", ".mkv", ".mov")  # that can hold H.264
_DISTANCE, _AZIMUTH, _ELEVATION = 3.5, 125.0, -12.0  # [m], [deg], [deg] of a camera that follows the character


class VideoRecorder:
    """Draws a frame whenever one is due; called after every tick."""

    def __init__(self, session: Session, writer: Any):
        import mujoco

        self._writer = writer
        self._renderer = mujoco.Renderer(session.simulator.model, _HEIGHT, _WIDTH)
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_TRACKING
        self._camera.trackbodyid = session.simulator.robot.root
        self._camera.distance, self._camera.azimuth, self._camera.elevation = _DISTANCE, _AZIMUTH, _ELEVATION
        self._frames = 0

    def __call__(self, session: Session) -> None:
        if session.time * FRAME_RATE < self._frames:
            return
        self._renderer.update_scene(session.simulator.data, self._camera)
        self._writer.send(self._renderer.render())
        self._frames += 1

    def close(self) -> None:
        self._renderer.close()
        self._writer.close()


def writable_video(path: Path) -> Path:
    """`path` as a file that a video can be written to."""
    if path.suffix.lower() not in _FORMATS:
        raise InputError(f"Video {str(path)!r} must end in {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}.")
    try:
        path.touch()
    except OSError as error:
        raise InputError(f"Video {str(path)!r} cannot be written: {error.strerror}.") from None
    return path


@contextlib.contextmanager
def video_recorder(session: Session, path: Path) -> Iterator[VideoRecorder]:
    """A recorder whose file is complete at the end."""
    import imageio_ffmpeg

    writer = imageio_ffmpeg.write_frames(str(path), (_WIDTH, _HEIGHT), fps=FRAME_RATE, macro_block_size=16)
    try:
        writer.send(None)  # starts the encoder
        recorder = VideoRecorder(session, writer)
    except Exception as error:  # whatever the graphics driver or the encoder has to say
        raise InputError(f"No video can be made here: {error}") from error
    try:
        yield recorder
    finally:
        recorder.close()
