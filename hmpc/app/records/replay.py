"""`hmpc replay`: a recorded run in the browser, as a film or as one HTML file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hmpc.app.progress import progress_bar
from hmpc.app.records.frames import Puppet, Recording
from hmpc.app.records.origin import recorded_environment, recorded_robot
from hmpc.app.records.overlays import OVERLAYS, chosen
from hmpc.app.records.sinks import picture_sinks
from hmpc.app.yaml_file import read_yaml
from hmpc.errors import InputError
from hmpc.sim.simulator import Simulator

if TYPE_CHECKING:
    import mujoco
    import viser

    from hmpc.app.records.options import Replay
    from hmpc.app.records.stage import Stage

_FRAME = 1.0 / 30.0  # [s] between two pictures in the browser
_DIGITS = 4  # of the time that is shown; at the slowest speed a picture takes 0.0033 s
_SPEEDS = ("0.1", "0.25", "0.5", "1", "2")


def replay(arguments: Replay) -> int:
    """Show the run again; it is not simulated again."""
    recording, model = Recording(arguments.folder), recorded_model(arguments.folder, arguments.env, arguments.robot)
    if model.nq != len(recording.at(0.0).row["qpos"]):
        raise InputError(f"The log in {str(arguments.folder)!r} is of another character than its config.yaml tells.")
    if arguments.video is None and arguments.html is None:
        in_browser(recording, model, arguments)
        return 0
    with picture_sinks(arguments)(model) as sinks:
        for sink in sinks:
            count = int(recording.seconds * sink.rate) + 1
            with progress_bar(count, "drawing", unit="frames") as bar:
                for frame in recording.frames(sink.rate):
                    sink.add(frame)
                    bar.update()
    for written in filter(None, (arguments.video, arguments.html)):
        print(written)
    return 0


def recorded_model(folder: Path, env: str | None = None, robot: str | None = None) -> mujoco.MjModel:
    """The world and the character of a recorded run, built anew from its config.yaml; see `origin.py`."""
    path = folder / "config.yaml"
    config: Any = read_yaml(path, "Configuration of a run")
    try:
        character = recorded_robot(config, folder, robot)
        return Simulator(recorded_environment(config, folder, env), character, float(config["control_rate"])).model
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{str(path)!r} does not tell which run this was: {error!r}.") from None


def in_browser(recording: Recording, model: mujoco.MjModel, arguments: Replay) -> None:
    """Serve the run to browsers on this machine until Ctrl-C."""
    from hmpc.app.interrupt import Interrupt
    from hmpc.app.records.stage import HOST, Stage
    from hmpc.app.viewers.server import free_port

    overlays = chosen(arguments.overlay)
    port = free_port(HOST, arguments.port)
    with Interrupt() as interrupt, Stage.open(model, port) as stage:
        print(f"{recording.seconds:.1f} s: open this address in a browser; Ctrl-C ends it.")
        print(f"http://{HOST}:{port}", flush=True)
        player = Player(stage, recording, model, overlays)
        while not interrupt.wanted:
            player.step()
            time.sleep(_FRAME)


class Player:
    """The controls beside the picture."""

    def __init__(self, stage: Stage, recording: Recording, model: mujoco.MjModel, overlays: tuple[str, ...]):
        self._stage, self._recording, self._puppet = stage, recording, Puppet(model)
        gui: viser.GuiApi = stage.server.gui
        self._playing = gui.add_checkbox("play", initial_value=True)
        self._time = gui.add_slider(
            "time [s]", min=0.0, max=max(recording.seconds, _FRAME), step=0.01, initial_value=0.0
        )
        self._speed = gui.add_dropdown("speed", options=_SPEEDS, initial_value="1")
        with gui.add_folder("Layers"):
            self._layers = {name: gui.add_checkbox(name, initial_value=name in overlays) for name in OVERLAYS}
        self._drawn: object = None

    def step(self) -> None:
        """One picture later, or the one that the slider asks for; from the end back to the start."""
        if self._playing.value:
            later = round(self._time.value + _FRAME * float(self._speed.value), _DIGITS)
            self._time.value = later if later <= self._recording.seconds else 0.0  # type: ignore[misc]
        layers = tuple(name for name, box in self._layers.items() if box.value)
        if (wanted := (self._time.value, layers)) == self._drawn:
            return
        frame = self._recording.at(self._time.value)
        self._puppet.pose(frame)
        self._stage.show(self._puppet, frame, layers)
        self._drawn = wanted
