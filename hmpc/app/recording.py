"""The folder of a run: every tick, the summary, and everything that is needed to do it again."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.app.config import resolved
from hmpc.errors import InputError
from hmpc.sim.parameters import parameters_of

if TYPE_CHECKING:
    from hmpc.app.metrics import Summary
    from hmpc.app.session import Session


def writable_folder(path: Path) -> Path:
    """`path` as a folder that can be written to, made if need be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InputError(f"Folder {str(path)!r} cannot be written to: {error.strerror}.") from None
    return path


class Recorder:
    """Collects the ticks of a session; `save` writes log.npz, summary.json and config.yaml."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Any]] = {}

    def __call__(self, session: Session) -> None:
        """Keep this tick: arrays are shared with the state, which nobody changes."""
        if session.torques is None:
            return
        state, command, torques = session.state, session.command, session.torques
        limbs = state.limbs.values()
        row = {
            "t": state.t,
            "qpos": state.qpos,
            "qvel": state.qvel,
            "tau": torques.tau,
            "com_W": state.body.com_W,
            "vel_W": state.body.vel_W,
            "R_WB": state.body.R_WB,
            "omega_W": state.body.omega_W,
            "planned_com_W": session.stack.target.body.com_W,
            "planned_vel_W": session.stack.target.body.vel_W,
            "limb_p_W": [limb.p_W for limb in limbs],
            "limb_force_W": [limb.force_W for limb in limbs],
            "limb_touching": [limb.touching for limb in limbs],
            "limb_planned": [name in session.stack.target.support for name in state.limbs],
            "command": (*command.velocity_H, command.yaw_rate, command.body_height),
        }
        for name, value in row.items():
            self._rows.setdefault(name, []).append(value)

    def save(self, folder: Path, session: Session, summary: Summary, argv: list[str]) -> None:
        """Write the folder of a run."""
        import yaml  # here, because only a recorded run needs it

        robot = session.simulator.robot
        content: dict[str, Any] = {"limb": list(robot.limbs), "joint": robot.joint_names, **self._rows}
        np.savez_compressed(folder / "log.npz", **content)
        (folder / "summary.json").write_text(json.dumps(asdict(summary), indent=2) + "\n", encoding="utf-8")
        config = {
            "command_line": ["hmpc", *argv],
            "versions": {name: version(name) for name in ("mujoco", "numpy", "numba", "cma")},
            "environment": {
                "name": session.environment.name,
                **{p.name: getattr(session.environment, p.name) for p in parameters_of(session.environment)},
            },
            "robot": session.robot.name,
            "seed": session.seed,
            "params": resolved(session.params),
        }
        (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
