"""`hmpc run`: a session without a window, and its report."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hmpc.app.arguments import controller_options, duration, parse_push, resolve
from hmpc.app.commands.rerun import RecordedRun, read_run, refuse_other_options
from hmpc.app.commands.tape import read_tape
from hmpc.app.memory import collect_garbage_rarely
from hmpc.app.progress import moving, seconds_bar
from hmpc.app.records.frames import Camera
from hmpc.app.records.recorder import Recorder, TapeRecorder, writable_folder
from hmpc.app.records.sinks import picture_sinks
from hmpc.app.records.takes import new_tape_folder
from hmpc.app.session import Session
from hmpc.app.signals import end_at_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hmpc.app.cli import Demo, Run
    from hmpc.app.metrics import Summary


def run(arguments: Run, dotted: dict[str, str], argv: list[str]) -> int:
    """Simulate, print the report, and say by the exit code whether it was a success."""
    collect_garbage_rarely()
    if arguments.tape:
        refuse_other_options(arguments, dotted)
    recorded = read_run(arguments.tape) if arguments.tape else None
    seconds = recorded.seconds if recorded else duration(arguments, resolve(arguments, dotted)[0])
    folder = writable_folder(arguments.log) if arguments.log else None
    open_sinks = picture_sinks(arguments)
    with preparing(), end_at_once(exit_code=1):
        session = _session(arguments, dotted, recorded, folder or Path())
        session.warm_up()
    recorder = _recorder(folder, session, argv, seconds) if folder or not recorded else None
    with contextlib.ExitStack() as stack:
        bar = stack.enter_context(seconds_bar(seconds, quiet=arguments.json))
        watchers: list[Callable[[Session], None]] = [moving(bar, session)]
        if recorder:
            stack.callback(recorder.close)
            watchers.append(recorder)
        watchers += [Camera(sink) for sink in stack.enter_context(open_sinks(session.simulator.model))]
        stack.callback(session.close)
        summary = session.run(seconds, *watchers)
    if recorder:
        recorder.save(summary)
    if recorded:
        recorded.compare(summary)
    told = [as_text(summary), *(f"picture    {file}" for file in (arguments.video, arguments.html) if file)]
    if recorder:
        told.append(f"again      hmpc run --tape {recorder.folder}")
    print(json.dumps(asdict(summary)) if arguments.json else "\n".join(told))
    return 0 if summary.success else 1


def _session(arguments: Run, dotted: dict[str, str], recorded: RecordedRun | None, fault_folder: Path) -> Session:
    if recorded is None:
        return new_session(arguments, dotted, fault_folder)
    robot = arguments.robot if ":" in arguments.robot else None  # otherwise the folder knows best
    return recorded.session(arguments.env, robot, fault_folder)


def _recorder(folder: Path | None, session: Session, argv: list[str], seconds: float) -> TapeRecorder | None:
    """Every tick if there is a folder for it, at least the tape if not."""
    if folder:
        return Recorder(folder, session, argv, seconds)
    tape = new_tape_folder(session.environment.name)
    return TapeRecorder(tape, session, argv, seconds) if tape else None


@contextlib.contextmanager
def preparing() -> Iterator[None]:
    """A word to a user at a terminal while kernels are compiled or loaded; it goes away by itself."""
    word = "Preparing (the very first time compiles for a minute) ..." if sys.stderr.isatty() else ""
    print(word, end="\r" if word else "", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print(" " * len(word), end="\r" if word else "", file=sys.stderr, flush=True)


def new_session(arguments: Run, dotted: dict[str, str], fault_folder: Path) -> Session:
    """The session of `hmpc run`, with its pushes and its command file."""
    pushes = [parse_push(text) for text in arguments.push]
    session = make_session(arguments, dotted, fault_folder)
    for push in pushes:
        session.push(push)
    if arguments.commands:
        session.follow(read_tape(arguments.commands, session.command))
    return session


def make_session(arguments: Run | Demo, dotted: dict[str, str], fault_folder: Path = Path()) -> Session:
    """The session that the command line describes."""
    environment, params = resolve(arguments, dotted)
    session = Session(
        environment,
        arguments.robot,
        seed=arguments.seed,
        params=params,
        fault_folder=fault_folder,
        **controller_options(arguments),
    )
    velocity, start = (arguments.vx, arguments.vy, arguments.yaw_rate), session.command
    if any(velocity) or arguments.body_height != start.body_height:
        vx, vy, yaw_rate = velocity
        wish = replace(start, velocity_H=np.array([vx, vy]), yaw_rate=yaw_rate, body_height=arguments.body_height)
        session.ask("command line", wish)
    return session


def as_text(summary: Summary) -> str:
    """The report for a human reader."""
    vx, vy, yaw_rate = summary.mean_velocity
    asked_vx, asked_vy, asked_yaw_rate = summary.command
    tick = summary.tick_us
    stayed = "" if any(summary.command) else f"COM {1e3 * summary.com_drift:.1f} mm, "  # who walks is meant to leave
    lines = {
        "success": f"{'yes' if summary.success else 'no'}: {summary.reason}",
        "velocity": f"{vx:.3f} {vy:.3f} m/s, {yaw_rate:.3f} rad/s",
        "asked": f"{asked_vx:.3f} {asked_vy:.3f} m/s, {asked_yaw_rate:.3f} rad/s",
        "distance": f"{summary.distance:.2f} m in {summary.seconds:.2f} s, {summary.steps} steps",
        "drift": f"{stayed}heading {math.degrees(summary.heading_drift):.1f} deg",
        "feet": f"slip {1e3 * summary.foot_slip:.1f} mm, flight {summary.flight_time:.2f} s",
        "motors": f"at their limit in {100 * summary.torque_saturation:.2f} % of the ticks",
        "trouble": f"{summary.faults} faults, {summary.late_plans} late plans, {_contacts(summary.unplanned_by)}",
        "speed": f"{summary.real_time_factor:.1f} x real time, tick {_us(tick['p50'])} (p99 {_us(tick['p99'])})",
        "state": summary.state_hash,
        **{name: f"{value:g}" for name, value in summary.metrics.items()},
    }
    if summary.hand_force_max > 0.0:
        lines["hands"] = f"{summary.hand_force_mean:.0f} N mean, {summary.hand_force_max:.0f} N peak"
    return "\n".join(f"{name:10} {text}" for name, text in lines.items())


def _contacts(unplanned: Mapping[str, int]) -> str:
    named = ", ".join(f"{name} {count}" for name, count in unplanned.items())
    return f"{sum(unplanned.values())} unplanned contacts" + (f" ({named})" if named else "")


def _us(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} us"
