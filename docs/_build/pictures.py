"""The moving pictures of the documentation: `make pictures`, or `python docs/_build/pictures.py stairs` for one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "pictures"
SHOWN = {  # environment -> what the character does in its picture; others walk slowly
    "beam": ["--vx", "0.4", "--seconds", "6"],
    "chair": ["--seconds", "5"],
    "course": ["--vx", "0.6", "--seconds", "8"],
    "flat": ["--vx", "0.8", "--seconds", "4"],
    "gap": ["--vx", "0.8", "--seconds", "6"],
    "rough": ["--vx", "0.6", "--seconds", "6"],
    "slope": ["--vx", "0.6", "--seconds", "6"],
    "stairs": ["--vx", "0.5", "--seconds", "7"],
    "stand": ["--env.lift", "left", "--push", "3,8,0", "--seconds", "5"],
    "stones": ["--vx", "0.6", "--seconds", "6"],
}
_OTHERS = ["--vx", "0.5", "--seconds", "6"]


def picture_command(name: str) -> list[str]:
    """The arguments of `hmpc` that make the picture of an environment."""
    return ["run", name, *SHOWN.get(name, _OTHERS), "--quality", "low", "--video", f"{name}.webp"]


def main(names: list[str]) -> None:
    """Make these pictures, one after the other; a fall is shown as it is."""
    for name in names:
        print(f"{name} ...", flush=True)
        subprocess.run([sys.executable, "-m", "hmpc", *picture_command(name)], cwd=FOLDER, check=False)


if __name__ == "__main__":
    main(sys.argv[1:] or sorted(SHOWN))
