"""The `hmpc` command. Exit codes: 0 success, 1 the run ended without it, 2 bad input.

Nothing heavy is imported before it is clear what to do, so that --help answers at once.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import sys
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Literal

import tyro
from tyro.conf import DisallowNone, Positional, UseAppendAction, arg

from hmpc.app.experiments.options import Bench, Doctor, New, Sweep
from hmpc.app.records.options import File, Flag, Folder, Number, PictureOptions, Plot, Replay, Word
from hmpc.app.signals import end_at_once, orderly_end
from hmpc.app.threads import use_one_blas_thread
from hmpc.errors import HmpcError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

BAD_INPUT = 2
COMMAND_PORT = 8765
_NOT_WHOLE = re.compile(r"Error parsing (\S+): invalid literal for int\(\) with base 10:")
_NO_NUMBER = re.compile(r"Error parsing (\S+): could not convert string to float:")
_ABOUT = """Hierarchical model-predictive control for simulated humanoids. Begin with `hmpc demo`; `hmpc COMMAND --help`
tells what a command can do, `hmpc --version` which version this is."""


@dataclass(frozen=True, kw_only=True)
class SessionOptions:
    """What `run` and `demo` have in common."""

    robot: str = "humanoid"
    """a name from `hmpc list robots`, or package.module:NAME"""
    vx: float = 0.0
    """forward velocity [m/s]"""
    vy: float = 0.0
    """velocity to the left [m/s]"""
    yaw_rate: float = 0.0
    """counter-clockwise [rad/s]"""
    body_height: float = 1.0
    """of the COM, as a fraction of its standing height"""
    seed: int = 0
    """of everything random"""
    control_rate: float = 500.0
    """[Hz]"""
    qp: str = "newton"
    """solver of the contact forces: newton, or a qpsolvers backend"""
    pd: Literal["implicit", "explicit"] = "implicit"
    """posture control"""
    plan: Literal["frb", "lip"] = "frb"
    """medium-term planner: floating rigid body, or the pendulums as they are"""
    clock: Literal["lockstep", "realtime"] = "lockstep"
    """plan between ticks (the same seed gives the same bits), or beside the simulation, in time with the clock"""
    height_error: float = 0.0
    """[m] by which the heights of the ground that the planners believe may be wrong"""
    config: File = None
    """YAML file of parameters"""


@dataclass(frozen=True, kw_only=True)
class Run(PictureOptions, SessionOptions):
    """Simulate without a window and report. `--env.PARAM VALUE` sets a parameter of the environment (see `hmpc list
    envs`), `--frb.iterations 100` any parameter of the controller."""

    env: Annotated[Positional[str | None], arg(metavar="ENV", help_behavior_hint="")] = None
    """a name from `hmpc list envs`, or package.module:Name"""
    commands: File = None
    """CSV or YAML file: rows of time,vx,vy,yaw_rate,body_height,step_duration,...; a row holds from its time on"""
    tape: Folder = None
    """folder of a recorded run, to be done again bit for bit; ENV only if it is not installed by name"""
    push: Annotated[UseAppendAction[tuple[str, ...]], arg(metavar="T,IMPULSE,DIRECTION[,DURATION]")] = ()
    """at T s, IMPULSE N s, DIRECTION degrees (0 forward, 90 to the left), over DURATION s (0.1)"""
    seconds: Number = None
    """simulated seconds; 10, unless the environment needs more"""
    log: Folder = None
    """folder for every tick, the plans, the summary and what is needed to do it again"""
    json: Flag = False
    """print one JSON object"""


@dataclass(frozen=True, kw_only=True)
class Demo(SessionOptions):
    """Watch, push and steer the character, in the browser or in a desktop window."""

    env: Annotated[Positional[str], arg(metavar="[ENV]")] = "flat"
    """a name from `hmpc list envs`, or package.module:Name"""
    clock: Literal["lockstep", "realtime"] = "realtime"
    """plan beside the simulation, which never keeps the picture waiting, or between ticks as in `hmpc run`"""
    port: int = 8080
    """of the web server; the next free one if it is taken"""
    host: str = "127.0.0.1"
    """address of the web server; 0.0.0.0 lets other machines in"""
    listen: int = COMMAND_PORT
    """port of the command interface (WebSocket, see `hmpc send`), or the next free one; 0: none"""
    token: Word = None
    """that other machines have to know to send commands; without one it is made up and printed"""
    gamepad: Flag = False
    """steer with a gamepad (needs hmpc[gamepad])"""
    ros: Annotated[str | None, arg(metavar="HOST:PORT", help_behavior_hint="")] = None
    """rosbridge server whose Twist messages steer the character (needs hmpc[ros])"""
    ros_topic: str = "/cmd_vel"
    """of these messages"""
    viewer: Literal["browser", "native"] = "browser"
    """where to show it"""
    seconds: Number = None
    """end by itself after so long"""
    log: Folder = None
    """folder for every tick and plan, a folder in it from each start to the next; without it only tapes are kept"""


@dataclass(frozen=True, kw_only=True)
class Send:
    """A command to a running demo; velocities that are left out are zero, so `hmpc send` alone stops the character."""

    vx: float = 0.0
    """forward velocity [m/s]"""
    vy: float = 0.0
    """velocity to the left [m/s]"""
    yaw_rate: float = 0.0
    """counter-clockwise [rad/s]"""
    body_height: Number = None
    """of the COM, as a fraction of its standing height"""
    step_duration: Number = None
    """[s]; 0 chooses it from the speed"""
    hold: Annotated[float, arg(name="for")] = 1.0
    """how long [s] of simulated time; then the character stops, and the command returns"""
    task: Word = None
    """begin a task such as stand_up instead, and wait until it is over"""
    push: Annotated[str | None, arg(metavar="IMPULSE,DIRECTION[,DURATION]", help_behavior_hint="")] = None
    """push the character instead: N s, degrees (0 forward, 90 to the left), s (0.1)"""
    port: int = COMMAND_PORT
    """of the command interface, as the demo prints it"""
    host: str = "127.0.0.1"
    """of the demo"""
    token: Word = None
    """that a demo on another machine asks for"""


@dataclass(frozen=True, kw_only=True)
class List:
    """What there is: environments with their parameters, robots, tasks, demos."""

    what: Annotated[Positional[Literal["envs", "robots", "tasks", "demos"]], arg(metavar="envs|robots|tasks|demos")]
    """kind of thing"""
    json: Flag = False
    """print JSON"""


Command = Run | Demo | Send | Replay | Plot | Sweep | New | Doctor | List | Bench
COMMANDS = {
    "run": Run,
    "demo": Demo,
    "send": Send,
    "replay": Replay,
    "plot": Plot,
    "sweep": Sweep,
    "new": New,
    "doctor": Doctor,
    "list": List,
    "bench": Bench,
}


def main(argv: list[str] | None = None) -> int:
    """Entry point of the console script."""
    use_one_blas_thread()
    if "" not in sys.path:
        sys.path.append("")  # so that `hmpc run my_file:MyEnvironment` finds a file in the folder where it is run
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without the letter shows a question mark
    logging.basicConfig(format="%(message)s", stream=sys.stderr, force=True)
    argv = sys.argv[1:] if argv is None else argv
    if argv == ["--version"]:
        print(f"hmpc {version('hmpc')}")
        return 0
    try:
        if not argv:
            others = ", ".join(name for name in COMMANDS if name != "demo")
            raise InputError(f"Begin with `hmpc demo`; there are also {others}, and `hmpc --help`.")
        arguments, dotted = split_dotted(argv)
        command = parse(arguments)
        with end_at_once(exit_code=1):  # libraries make errors of their own of an exit in the middle of their import
            work = work_of(command, dotted, argv)
        with orderly_end():
            return work()
    except HmpcError as error:
        print(f"hmpc: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 1
    except BrokenPipeError:  # the reader of our output has gone: nobody to tell
        sys.stderr.close()
        return 1


def work_of(command: Command, dotted: dict[str, str], argv: list[str]) -> Callable[[], int]:
    """What was asked for; the work lives in modules of its own, which are imported here."""
    if isinstance(command, PictureOptions) and command.video and sys.platform == "linux":
        os.environ.setdefault("MUJOCO_GL", "egl")  # has to be known before MuJoCo is imported
    if isinstance(command, Run):
        from hmpc.app.run import run

        return lambda: run(command, dotted, argv)
    if isinstance(command, Demo):
        from hmpc.app.demo import demo

        return lambda: demo(command, dotted, argv)
    if dotted:
        raise InputError(f"Unrecognized options: {', '.join('--' + name for name in dotted)}.")
    if isinstance(command, Send):
        from hmpc.app.send import send

        return lambda: send(command)
    if isinstance(command, Replay):
        from hmpc.app.records.replay import replay

        return lambda: replay(command)
    if isinstance(command, Plot):
        from hmpc.app.records.plots import plot

        return lambda: plot(command)
    if isinstance(command, Sweep):
        from hmpc.app.experiments.sweep import sweep

        return lambda: sweep(command)
    if isinstance(command, New):
        from hmpc.app.experiments.new import new

        return lambda: new(command)
    if isinstance(command, Doctor):
        from hmpc.app.experiments.doctor import doctor

        return lambda: doctor(command)
    if isinstance(command, List):
        from hmpc.app.listing import show

        return lambda: show(command.what, command.json)
    from hmpc.app.bench import bench

    return lambda: bench(command.name, command.part, quick=command.quick, as_json=command.json, results=command.results)


def split_dotted(argv: list[str]) -> tuple[list[str], dict[str, str]]:
    """The arguments without `--a.b VALUE` and `--a.b=VALUE`, and those as a dictionary."""
    plain: list[str] = []
    dotted: dict[str, str] = {}
    rest = iter(argv)
    for token in rest:
        name, equals, value = token.removeprefix("--").partition("=")
        if not token.startswith("--") or "." not in name:
            plain.append(token)
            continue
        if not equals:
            value = next(rest, "")
            if value == "" or value.startswith("--"):
                raise InputError(f"--{name} needs a value.")
        dotted[name.replace("-", "_")] = value
    return plain, dotted


def parse(argv: list[str]) -> Command:
    """Arguments to one of `COMMANDS`; what is wrong with them is said in one sentence."""
    messages = io.StringIO()
    try:
        with contextlib.redirect_stderr(messages):
            parsed: Command = tyro.extras.subcommand_cli_from_dict(
                COMMANDS,  # type: ignore[arg-type]
                prog="hmpc",
                description=_ABOUT,
                config=(DisallowNone,),
                args=argv,
            )
            return parsed
    except SystemExit as stop:
        if stop.code != BAD_INPUT:
            raise
    raise InputError(one_sentence(messages.getvalue()))


def one_sentence(box: str) -> str:
    """The message in one of tyro's boxes: a title, then sections between rules."""
    sections: list[list[str]] = [[]]
    for line in box.splitlines()[1:-1]:
        text = line.strip("│ ")
        if text and not text.strip("─-"):  # the latter where stdout knows nothing but ASCII
            sections.append([])
        else:
            sections[-1].append(text)
    told = [" ".join(" ".join(section).split()) for section in sections]
    wanted = [
        text.rstrip(".") + "."
        for text in told
        if text and not text.startswith(("Argument helptext", "For full helptext"))
    ]
    sentence = _NOT_WHOLE.sub(r"\1 needs a whole number, got", " ".join(wanted))
    return _NO_NUMBER.sub(r"\1 needs a number, got", sentence)
