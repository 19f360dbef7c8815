"""The switches of the layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.app.viewers import overlays

if TYPE_CHECKING:
    import viser

    from hmpc.app.viewers.stage import Stage

_SWITCHES = {  # label -> (on at first, hint)
    "safe regions": (False, "where feet may be planned to stand; handholds in blue"),
    "footsteps": (True, "tier 1: left red, right green; the next best plans in grey"),
    "trajectory": (True, "tier 2: the planned way of the centre of mass, and how the body turns"),
    "planned forces": (False, "tier 2, blue: what its plan wants the contacts to carry"),
    "distributed forces": (False, "tier 3, purple: what each contact point is asked for"),
    "measured forces": (True, "red: what the simulation says"),
}


class LayerSwitches:
    """Draws the layers that are switched on."""

    def __init__(self, gui: viser.GuiApi):
        self._boxes = {
            label: gui.add_checkbox(label, initial_value=on, hint=hint) for label, (on, hint) in _SWITCHES.items()
        }

    def attach(self, scene: viser.SceneApi) -> None:
        """Draw into `scene`, which has a new world."""
        thin, thick = 0.006, 0.009  # [m] radii: what is asked for shows around what is measured
        self._layers: dict[str, overlays.Drawing | overlays.Forces] = {
            "safe regions": overlays.Regions(scene),
            "footsteps": overlays.Footsteps(scene),
            "trajectory": overlays.Trajectory(scene),
            "planned forces": overlays.Forces(scene, "planned", overlays.BLUE, thick, overlays.planned),
            "distributed forces": overlays.Forces(scene, "distributed", overlays.PURPLE, thin, overlays.distributed),
            "measured forces": overlays.Forces(scene, "measured", overlays.RED, thin, overlays.measured),
        }
        self._push = overlays.Forces(scene, "push", overlays.MAGENTA, 2.0 * thick, overlays.pushes)

    def show(self, stage: Stage) -> None:
        """Draw what is switched on."""
        for label, layer in self._layers.items():
            if self._boxes[label].value:
                layer.draw(stage.session)
            else:
                layer.hide()
        self._push.draw(stage.session)
