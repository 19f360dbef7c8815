"""The moving pictures of the documentation: `make pictures`, or `python docs/_build/pictures.py stairs` for one.

Every environment and every task of the registry has one; what happens in it is said here, or is a slow walk.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
WORLDS = {  # environment -> what the character does in its picture
    "beam": ["--vx", "0.4", "--seconds", "6"],
    "chair": ["--env.layout", "armrests", "--seconds", "5"],
    "course": ["--vx", "0.6", "--seconds", "8"],
    "flat": ["--vx", "0.8", "--seconds", "4"],
    "gap": ["--env.width", "0.8", "--vx", "1.2", "--seconds", "7.5"],
    "ground": ["--seconds", "14"],
    "platform": ["--env.height", "0.4", "--seconds", "24"],
    "rough": ["--vx", "0.6", "--seconds", "6"],
    "slope": ["--vx", "0.6", "--seconds", "6"],
    "stairs": ["--vx", "0.5", "--seconds", "7"],
    "stand": ["--env.lift", "left", "--push", "3,8,0", "--seconds", "5"],
    "stones": ["--vx", "1.0", "--seconds", "9"],
}
TASKS = {  # task -> where it is shown, and how it comes about
    "stand_up": ["chair", "--seconds", "5"],
    "climb": ["platform", "--seconds", "20"],
    "get_up": ["ground", "--seconds", "14"],
    "sit_down": ["chair", "--env.layout", "armrests", "--commands", "sit_down.yaml", "--seconds", "8"],
}
_WALK = ["--vx", "0.5", "--seconds", "6"]
_FILM = ["--quality", "low", "--overlay", "footsteps,trajectory", "--video"]


def world_command(name: str) -> list[str]:
    """The arguments of `hmpc` that make the picture of an environment."""
    return ["run", name, *WORLDS.get(name, _WALK), *_FILM, f"{name}.webp"]


def task_command(name: str) -> list[str] | None:
    """The arguments of `hmpc` that make the picture of a task; None if nobody said where to show it."""
    return ["run", *TASKS[name], *_FILM, f"{name}.webp"] if name in TASKS else None


def main(wanted: list[str]) -> None:
    """Make these pictures, one after the other; a fall is shown as it is."""
    sys.path[:0] = [str(ROOT), str(ROOT / "envs")]
    from hmpc.registry import ENVIRONMENTS, names

    commands = {name: world_command(name) for name in names(ENVIRONMENTS)}
    commands |= {name: command for name in TASKS if (command := task_command(name))}
    for name in wanted or commands:
        print(f"{name} ...", flush=True)
        subprocess.run([sys.executable, "-m", "hmpc", *commands[name]], cwd=FOLDER, check=False)


if __name__ == "__main__":
    main(sys.argv[1:])
