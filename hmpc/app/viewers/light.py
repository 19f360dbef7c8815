"""The sky and the light over a scene in the browser, and the shadows."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import viser
    from numpy.typing import NDArray

_FROM = ((2.0, -1.5, 1.5), (0.5, -2.0, 0.3), (2.0, 2.0, 1.0), (-2.0, 0.0, 1.5), (0.0, 0.0, -1.0))  # directions
_INTENSITY = 0.6  # of each, beside viser's own lights, which cast the shadow
_FIRST_PICTURE = 3.0  # [s] that a browser gets to draw one before shadows are asked of it


def light(scene: viser.SceneApi) -> None:
    """A sky, and light from all sides, by a few lamps instead of a panorama.

    To blur a panorama for every roughness takes a browser without a graphics card ten seconds, before which it shows
    nothing; the character looks the same.
    """
    scene.configure_environment_map(None)
    for number, direction in enumerate(_FROM):
        scene.add_light_directional(f"/light/{number}", intensity=_INTENSITY, position=direction)
    scene.set_background_image(_sky())


def _sky() -> NDArray[np.uint8]:
    """Pale, so that it meets the white ground at the horizon."""
    depth = np.linspace(0.0, 2.0, 256).clip(max=1.0)[:, None, None]
    colors = (1.0 - depth) * np.array([176.0, 204.0, 236.0]) + depth * np.array([250.0, 251.0, 253.0])
    return np.tile(colors, (1, 8, 1)).astype(np.uint8)


class Shadows:
    """A switch for the shadows, which come to each browser when it has shown its first picture.

    Without a graphics card they take a second to prepare, and then two thirds of the time of every picture.
    """

    def __init__(self, gui: viser.GuiApi, clock: Callable[[], float] = time.monotonic):
        self._box = gui.add_checkbox("shadows", True, hint="off is faster without a graphics card")
        self._clock = clock
        self._since: dict[int, float] = {}  # [s] when each browser came
        self._cast: dict[int, bool] = {}  # what each browser was told

    def show(self, browsers: Mapping[int, viser.ClientHandle]) -> None:
        """Tell every browser that does not know yet."""
        now = self._clock()
        self._since = {number: self._since.get(number, now) for number in browsers}
        self._cast = {number: cast for number, cast in self._cast.items() if number in browsers}
        for number, browser in browsers.items():
            wanted = self._box.value and now >= self._since[number] + _FIRST_PICTURE
            if wanted != self._cast.get(number, False):
                browser.scene.configure_default_lights(cast_shadow=wanted)
                self._cast[number] = wanted
