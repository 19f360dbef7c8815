"""The controls that drive the character: velocity, height, step duration, posture; pause, slow motion, pushes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from hmpc.app.commands.request import AUTOMATIC, NO_FOOT, Request, as_request
from hmpc.app.viewers.keys import OTHERS, STEERING, press

if TYPE_CHECKING:
    import viser

    from hmpc.app.session import Session
    from hmpc.app.viewers.stage import Stage
    from hmpc.app.viewers.wishes import Wishes
    from hmpc.types import Command

SOURCE = "sliders"
_DIGITS = 4  # of what is compared: sliders round
_MAX_IMPULSE = 80.0  # [N s]
_DEGREES = math.degrees(1.0)
_USUAL_STEP = 0.55  # [s] where the slider stands while the duration is chosen from the speed
_KEY_NAMES = {" ": "space"}
_KEYS = (
    '<div style="padding:0 0.9em 0.4em;font-size:0.75em;line-height:1.5;opacity:0.65">'
    "<b>I K</b> forward, <b>J L</b> turn, <b>U O</b> sideways, <b>H</b> stop, <b>Ctrl-K</b> all</div>"
)


class _Control(NamedTuple):
    """A slider or list, and the field of a `Request` that it is about."""

    handle: Any
    scale: float = 1.0  # what the slider shows per unit of the field


class DrivePanel:
    """Sliders that hold what they are set to, and follow when somebody else commands."""

    def __init__(self, gui: viser.GuiApi, wishes: Wishes, session: Session):
        self._controls: dict[str, _Control] = {}
        self._shown: dict[str, Any] = {}  # values that the session knows of
        limits, robot = session.robot.limits, session.robot
        with gui.add_folder("Velocity"):
            self._slider(gui, "vx", "forward [m/s]", limits.forward, 0.05, hint="keys I and K")
            self._slider(gui, "vy", "left [m/s]", (-limits.sideways, limits.sideways), 0.05, hint="keys U and O")
            self._slider(gui, "yaw_rate", "turn [rad/s]", (-limits.yaw_rate, limits.yaw_rate), 0.05, hint="keys J, L")
            stop = gui.add_button("Stop", color="red", hint="key H")
            wishes.on_click(stop, lambda stage: press("H", stage))
            gui.add_html(_KEYS)
        with gui.add_folder("Gait"):
            self._slider(gui, "body_height", "body height", limits.body_height, 0.01, hint="1: standing upright")
            self._automatic: Any = gui.add_checkbox("automatic steps", True, hint="step duration chosen from the speed")
            self._step: Any = gui.add_slider(
                "step [s]",
                min=limits.step_duration[0],
                max=limits.step_duration[1],
                step=0.01,
                initial_value=_USUAL_STEP,
                disabled=True,
                hint="duration of a step",
            )
        with gui.add_folder("Posture", expand_by_default=False):
            yaw, (low, high) = limits.trunk_yaw * _DEGREES, (angle * _DEGREES for angle in limits.trunk_pitch)
            self._slider(gui, "trunk_yaw", "trunk yaw [°]", (-yaw, yaw), 1.0, _DEGREES, hint="left positive")
            self._slider(gui, "trunk_pitch", "trunk pitch [°]", (low, high), 1.0, _DEGREES, hint="forward positive")
            feet = tuple(limb.name for limb in robot.limbs if limb.is_foot)
            self._controls["arms"] = _Control(gui.add_dropdown("arms", options=tuple(robot.arm_poses)))
            self._controls["lifted_foot"] = _Control(gui.add_dropdown("lift foot", options=(NO_FOOT, *feet)))
        self._robot = robot
        self._follow(session.command)

    def _slider(
        self,
        gui: viser.GuiApi,
        field: str,
        label: str,
        span: tuple[float, float],
        step: float,
        scale: float = 1.0,
        hint: str = "",
    ) -> None:
        low, high = span
        value = min(max(0.0, low), high)
        handle = gui.add_slider(label, min=low, max=high, step=step, initial_value=value, hint=hint)
        self._controls[field] = _Control(handle, scale)

    def listen(self, stage: Stage) -> None:
        """Ask for what the sliders say, when they have moved."""
        values = self._values()
        if values != self._shown:
            self._shown = values
            stage.session.hub.put(SOURCE, Request(**values))

    def show(self, stage: Stage) -> None:
        """Let the sliders follow what somebody else has asked for."""
        self._step.disabled = self._automatic.value
        if self._values() == self._shown and _as_values(stage.session.command) != self._shown:
            self._follow(stage.session.command)

    def _values(self) -> dict[str, Any]:
        """Fields of a `Request`, as the controls stand."""
        values = {name: _rounded(control.handle.value, control.scale) for name, control in self._controls.items()}
        return {**values, "step_duration": AUTOMATIC if self._automatic.value else _rounded(self._step.value)}

    def _follow(self, command: Command) -> None:
        values = _as_values(command)
        for name, control in self._controls.items():
            value = values[name]
            control.handle.value = value if isinstance(value, str) else round(value * control.scale, _DIGITS)
        self._automatic.value = values["step_duration"] == AUTOMATIC
        if not self._automatic.value:
            self._step.value = values["step_duration"]
        self._shown = self._values()


def _rounded(value: Any, scale: float = 1.0) -> Any:
    return value if isinstance(value, str) else round(value / scale, _DIGITS)


def _as_values(command: Command) -> dict[str, Any]:
    request = as_request(command)
    names = ("vx", "vy", "yaw_rate", "body_height", "step_duration", "trunk_yaw", "trunk_pitch", "arms", "lifted_foot")
    return {name: _rounded(getattr(request, name)) for name in names}


class PlaybackPanel:
    """Pause, single steps, slow motion, reset."""

    def __init__(self, gui: viser.GuiApi, wishes: Wishes):
        self._pause = gui.add_button("Pause", hint="space bar")
        wishes.on_click(self._pause, lambda stage: press(" ", stage))
        group = gui.add_button_group("simulation", ("One tick", "Reset"), hint="keys N and R")
        group.on_click(lambda _: wishes.put(lambda stage: press("N" if group.value == "One tick" else "R", stage)))
        self._speed = gui.add_slider(
            "speed", min=0.05, max=2.0, step=0.05, initial_value=1.0, hint="simulated seconds per second; below 1: slow"
        )

    def listen(self, stage: Stage) -> None:
        stage.speed = self._speed.value

    def show(self, stage: Stage) -> None:
        self._pause.label = "Play" if stage.paused else "Pause"


class PushPanel:
    """A push by direction and impulse, and how well it was taken."""

    def __init__(self, gui: viser.GuiApi, wishes: Wishes):
        with gui.add_folder("Push"):
            self._impulse = gui.add_slider("impulse [N s]", min=0.0, max=_MAX_IMPULSE, step=1.0, initial_value=15.0)
            self._direction = gui.add_slider(
                "direction [°]", min=-180.0, max=180.0, step=5.0, initial_value=0.0, hint="0 forward, 90 to the left"
            )
            button = gui.add_button("Push", color="orange", hint="key G pushes forward")
            self._result = gui.add_markdown("")
        wishes.on_click(button, self._push)

    def _push(self, stage: Stage) -> None:
        stage.push(self._impulse.value, math.radians(self._direction.value))

    def show(self, stage: Stage) -> None:
        self._result.content = "" if stage.recovery is None else str(stage.recovery)


def add_keys(gui: viser.GuiApi, wishes: Wishes) -> None:
    """The keys of every window; in the browser they are also listed by Ctrl-K."""
    meanings = {**{key: step.meaning for key, step in STEERING.items()}, **OTHERS}
    for key, meaning in meanings.items():
        words = meaning[0].upper() + meaning[1:]  # not capitalize(), which makes "n s" of N s
        command: Any = gui.add_command(words, hotkey=_KEY_NAMES.get(key, key))  # type: ignore[arg-type]
        command.on_trigger(lambda _, key=key: wishes.put(lambda stage: press(key, stage)))
