"""Options of the commands about recorded runs; nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import FlagCreatePairsOff, Positional, arg

# Options that may be left out; that nothing is their default goes without saying.
File = Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="")]
Folder = Annotated[Path | None, arg(metavar="DIR", help_behavior_hint="")]
Number = Annotated[float | None, arg(help_behavior_hint="")]
Word = Annotated[str | None, arg(help_behavior_hint="")]
Flag = Annotated[FlagCreatePairsOff[bool], arg(help_behavior_hint="")]


@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """Films and pages, of a run or of its recording."""

    video: File = None
    """file for a film: .mp4, .mkv, .mov, .webp or .gif"""
    html: File = None
    """file for a page with a player in it, which opens in any browser without a server or a network"""
    quality: Literal["low", "medium", "high"] = "medium"
    """of a film: 480x352 at 15 frames/s, 640x480 at 30, or 1280x720 at 30 with shadows"""
    overlay: str = ""
    """what is drawn over it: all, or some of footsteps,alternatives,trajectory,planned-forces,distributed-forces,
    measured-forces"""


@dataclass(frozen=True, kw_only=True)
class Replay(PictureOptions):
    """Show a recorded run again: in the browser, or as a film or page."""

    folder: Annotated[Positional[Path], arg(metavar="DIR")]
    """of `hmpc run --log DIR`"""
    env: Word = None
    """package.module:Name of its environment, if that is not installed by name"""
    robot: Word = None
    """package.module:NAME of its robot, if that is not installed by name"""
    port: int = 8080
    """of the web server, on this machine only; the next free one if it is taken"""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Draw a recorded run: velocity, COM, contacts, forces, torques and times."""

    folder: Annotated[Positional[Path], arg(metavar="DIR")]
    """of `hmpc run --log DIR`"""
    out: Folder = None
    """folder for the pictures; DIR/plots if left out"""
    format: Literal["png", "pdf"] = "png"
    """of the pictures"""
