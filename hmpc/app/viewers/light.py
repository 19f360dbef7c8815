"""The light on a scene in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import viser

_FROM = ((2.0, -1.5, 1.5), (0.5, -2.0, 0.3), (2.0, 2.0, 1.0), (-2.0, 0.0, 1.5), (0.0, 0.0, -1.0))  # directions
_INTENSITY = 1.1  # of each, beside viser's own lights, which cast the shadow


def light(scene: viser.SceneApi) -> None:
    """Light from all sides, by a few lamps instead of the panorama that mjviser brings.

    To blur a panorama for every roughness takes a browser without a graphics card ten seconds, before which it shows
    nothing; the character looks the same.
    """
    scene.configure_environment_map(None)
    for number, direction in enumerate(_FROM):
        scene.add_light_directional(f"/light/{number}", intensity=_INTENSITY, position=direction)
