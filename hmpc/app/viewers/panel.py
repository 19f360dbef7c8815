"""The controls beside the picture in the browser: what the character should do, and pushes."""

from __future__ import annotations

import math
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from hmpc.sim.simulator import Push
from hmpc.types import Posture

if TYPE_CHECKING:
    from collections.abc import Callable

    import viser

    from hmpc.app.session import Session
    from hmpc.app.viewers.live import Playback
    from hmpc.types import Command

_TRUNK_YAW, _TRUNK_PITCH = 40.0, (-15.0, 40.0)  # [deg] ranges of the sliders
_MAX_IMPULSE = 80.0  # [N s]
_NO_FOOT = "none"
_SPEEDS = ("0.1", "0.25", "0.5", "1", "2")


class Panel:
    """Sliders hold what they are set to; buttons take effect once, between two ticks."""

    def __init__(self, server: viser.ViserServer, session: Session):
        self._clicks: SimpleQueue[Callable[[Session, Playback], None]] = SimpleQueue()
        gui = server.gui
        self._status = gui.add_markdown("")
        self._pause = gui.add_button("Pause")
        self._on_click(self._pause, self._toggle_pause)
        self._on_click(gui.add_button("Reset"), self._reset)
        self._speed = gui.add_dropdown("Speed", options=_SPEEDS, initial_value="1")
        with gui.add_folder("Velocity"):
            self._add_velocity(gui, session)
        with gui.add_folder("Posture"):
            self._add_posture(gui, session)
        with gui.add_folder("Push"):
            self._impulse = gui.add_slider("impulse [N s]", min=0.0, max=_MAX_IMPULSE, step=1.0, initial_value=15.0)
            self._direction = gui.add_slider("direction [deg]", min=-180.0, max=180.0, step=5.0, initial_value=0.0)
            self._on_click(gui.add_button("Push"), self._push)
        self._wanted: Command | None = None

    def _add_velocity(self, gui: viser.GuiApi, session: Session) -> None:
        limits, command = session.robot.limits, session.command
        low, high = limits.forward
        vx, vy = (float(v) for v in command.velocity_H)
        side, turn = limits.sideways, limits.yaw_rate
        self._vx = gui.add_slider("forward [m/s]", min=low, max=high, step=0.05, initial_value=vx)
        self._vy = gui.add_slider("left [m/s]", min=-side, max=side, step=0.05, initial_value=vy)
        self._yaw_rate = gui.add_slider("turn [rad/s]", min=-turn, max=turn, step=0.05, initial_value=command.yaw_rate)
        self._on_click(gui.add_button("Stop"), self._stop)

    def _add_posture(self, gui: viser.GuiApi, session: Session) -> None:
        low, high = session.robot.limits.body_height
        posture = session.command.posture
        feet = [limb.name for limb in session.robot.limbs if limb.is_foot]
        self._height = gui.add_slider(
            "body height", min=low, max=high, step=0.01, initial_value=session.command.body_height
        )
        self._trunk_yaw = gui.add_slider(
            "trunk yaw [deg]",
            min=-_TRUNK_YAW,
            max=_TRUNK_YAW,
            step=1.0,
            initial_value=round(math.degrees(posture.trunk_yaw)),
        )
        self._trunk_pitch = gui.add_slider(
            "trunk pitch [deg]",
            min=_TRUNK_PITCH[0],
            max=_TRUNK_PITCH[1],
            step=1.0,
            initial_value=round(math.degrees(posture.trunk_pitch)),
        )
        self._arms = gui.add_dropdown("arms", options=tuple(session.robot.arm_poses), initial_value=posture.arms)
        self._foot = gui.add_dropdown(
            "lift foot", options=(_NO_FOOT, *feet), initial_value=posture.lifted_foot or _NO_FOOT
        )

    # ----- once a frame, in the thread of the simulation

    def listen(self, session: Session, playback: Playback) -> None:
        """Do what was clicked, and ask the session for what the sliders say."""
        while True:
            try:
                self._clicks.get_nowait()(session, playback)
            except Empty:
                break
        playback.speed = float(self._speed.value)
        wanted = self._command(session.command)
        if self._wanted is None or _differs(wanted, self._wanted):
            session.command = self._wanted = wanted

    def show(self, session: Session, playback: Playback) -> None:
        """Say how it goes."""
        self._status.content = status(session, playback)

    def _command(self, command: Command) -> Command:
        foot = self._foot.value
        posture = Posture(
            trunk_yaw=math.radians(self._trunk_yaw.value),
            trunk_pitch=math.radians(self._trunk_pitch.value),
            arms=self._arms.value,
            lifted_foot=None if foot == _NO_FOOT else foot,
            lift_height=command.posture.lift_height,
        )
        return replace(
            command,
            velocity_H=np.array([self._vx.value, self._vy.value]),
            yaw_rate=self._yaw_rate.value,
            body_height=self._height.value,
            posture=posture,
        )

    # ----- buttons

    def _on_click(self, button: viser.GuiButtonHandle, action: Callable[[Session, Playback], None]) -> None:
        button.on_click(lambda _: self._clicks.put(action))

    def _toggle_pause(self, session: Session, playback: Playback) -> None:
        playback.paused = not playback.paused
        self._pause.label = "Play" if playback.paused else "Pause"

    def _reset(self, session: Session, playback: Playback) -> None:
        session.reset()
        self._wanted = None

    def _stop(self, session: Session, playback: Playback) -> None:
        self._vx.value = self._vy.value = self._yaw_rate.value = 0.0  # type: ignore[misc]

    def _push(self, session: Session, playback: Playback) -> None:
        session.push(Push(session.time, self._impulse.value, math.radians(self._direction.value)))


def _differs(a: Command, b: Command) -> bool:
    same = (a.yaw_rate, a.body_height) == (b.yaw_rate, b.body_height) and (a.velocity_H == b.velocity_H).all()
    fields = Posture.__dataclass_fields__
    return not (same and all(getattr(a.posture, name) == getattr(b.posture, name) for name in fields))


def status(session: Session, playback: Playback) -> str:
    """How the session goes, in Markdown."""
    if session.fault is not None:
        health = f"**Stopped.** {session.fault} Press *Reset*."
    elif session.fall is not None:
        health = f"**Fallen** after {session.fall.t:.1f} s: {session.fall.reason}. Press *Reset*."
    else:
        health = "upright"
    pace = "paused" if playback.paused else f"{playback.real_time_factor:.2f} x real time"
    return f"{session.environment.name}, {session.time:.1f} s, {pace}  \n{health}"
