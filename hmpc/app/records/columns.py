"""The columns of a log: what is kept of every tick, in which unit, and how its numbers are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import mujoco
import numpy as np

from hmpc.frb.contact_forces import force_history

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hmpc.app.metrics import Tick
    from hmpc.app.session import Session
    from hmpc.types import Array, FrbPlan

_XYZ = ("x", "y", "z")
_JOINT_WORDS = {  # kind of joint -> what its numbers are called, in qpos and in qvel
    mujoco.mjtJoint.mjJNT_FREE: (("x", "y", "z", "qw", "qx", "qy", "qz"), ("vx", "vy", "vz", "wx", "wy", "wz")),
    mujoco.mjtJoint.mjJNT_BALL: (("qw", "qx", "qy", "qz"), ("wx", "wy", "wz")),
    mujoco.mjtJoint.mjJNT_SLIDE: (("",), ("",)),
    mujoco.mjtJoint.mjJNT_HINGE: (("",), ("",)),
}


class Column(NamedTuple):
    """One column; W: world axes, forces act on the character."""

    unit: str
    about: str
    components: str = ""  # what its numbers are called: a key of `component_names`, or "" for a single number


COLUMNS: Mapping[str, Column] = {
    "t": Column("s", "simulated time"),
    "qpos": Column("m, 1 (quaternions), rad", "MuJoCo's positions", "qpos"),
    "qvel": Column("m/s, rad/s", "MuJoCo's velocities", "qvel"),
    "tau": Column("N m", "torque of every motor", "joint"),
    "com_W": Column("m", "centre of mass", "xyz"),
    "vel_W": Column("m/s", "its velocity", "xyz"),
    "R_WB": Column("1", "orientation of the body, a rotation matrix", "matrix"),
    "omega_W": Column("rad/s", "angular velocity of the body", "xyz"),
    "planned_com_W": Column("m", "where the executor wants the centre of mass; NaN after a fall", "xyz"),
    "planned_vel_W": Column("m/s", "... and its velocity", "xyz"),
    "limb_p_W": Column("m", "middle of every contact pad", "limb_xyz"),
    "limb_force_W": Column("N", "force of the world on every limb, measured over the step before", "limb_xyz"),
    "limb_force_distributed_W": Column("N", "... as distributed by tier 3", "limb_xyz"),
    "limb_force_planned_W": Column("N", "... as planned by tier 2; NaN without a plan", "limb_xyz"),
    "limb_touching": Column("bool", "whether the limb touches the world", "limb"),
    "limb_planned": Column("bool", "whether it is meant to", "limb"),
    "command": Column("m/s, m/s, rad/s, 1", "asked for, in the heading frame; height: share of standing", "command"),
    "tick_time": Column("s", "of the clock that the tick took, with physics and plan; NaN after a fall"),
    "planned": Column("bool", "whether a new plan was made"),
}


def component_names(session: Session) -> dict[str, list[str]]:
    """What the numbers of a column are called, in their order when its shape is flattened."""
    robot, model = session.simulator.robot, session.simulator.model
    limbs = list(robot.limbs)
    joints = [(model.joint(j).name, _JOINT_WORDS[mujoco.mjtJoint(model.jnt_type[j])]) for j in range(model.njnt)]
    return {
        "": [],
        "qpos": [f"{name}.{word}".rstrip(".") for name, words in joints for word in words[0]],
        "qvel": [f"{name}.{word}".rstrip(".") for name, words in joints for word in words[1]],
        "joint": robot.joint_names,
        "limb": limbs,
        "limb_xyz": [f"{limb}.{axis}" for limb in limbs for axis in _XYZ],
        "xyz": list(_XYZ),
        "matrix": [row + column for row in _XYZ for column in _XYZ],
        "command": ["vx", "vy", "yaw_rate", "body_height"],
    }


def description(session: Session) -> dict[str, dict[str, Any]]:
    """Unit, meaning and component names of every column, for the file beside a log."""
    names = component_names(session)
    return {
        name: {"unit": column.unit, "about": column.about, "components": names[column.components]}
        for name, column in COLUMNS.items()
    }


class Observer:
    """Reads the columns off a session after a tick."""

    def __init__(self) -> None:
        self._plan: FrbPlan | None = None
        self._planned: Sequence[tuple[str, Array]] = ()

    def row(self, session: Session) -> dict[str, Any] | None:
        """This tick; None if there was no controller at work in it, and no fall. Arrays are shared with the state."""
        state, tick = session.state, session.latest
        if tick is None or (tick.state is not state and not session.falls.down):
            return None
        limbs = state.limbs.values()
        return {
            "t": state.t,
            "qpos": state.qpos,
            "qvel": state.qvel,
            "com_W": state.body.com_W,
            "vel_W": state.body.vel_W,
            "R_WB": state.body.R_WB,
            "omega_W": state.body.omega_W,
            "limb_p_W": [limb.p_W for limb in limbs],
            "limb_force_W": [limb.force_W for limb in limbs],
            "limb_touching": [limb.touching for limb in limbs],
            "command": (*tick.command.velocity_H, tick.command.yaw_rate, tick.command.body_height),
            **(_without_a_plan(session) if session.falls.down else self._as_planned(session, tick)),
        }

    def _as_planned(self, session: Session, tick: Tick) -> dict[str, Any]:
        target = session.stack.target
        return {
            "tau": tick.tau,
            "planned_com_W": target.body.com_W,
            "planned_vel_W": target.body.vel_W,
            "limb_force_distributed_W": self._distributed(session),
            "limb_force_planned_W": self._planned_now(session),
            "limb_planned": [name in target.support for name in tick.state.limbs],
            "tick_time": tick.seconds,
            "planned": tick.planned,
        }

    def _distributed(self, session: Session) -> Array:
        index, forces = session.simulator.robot.limb_index, session.stack.forces
        total = np.zeros((len(index), 3))
        np.add.at(total, [index[limb] for limb in forces.contacts.limb], forces.force_W)
        return total

    def _planned_now(self, session: Session) -> Array:
        index, plan, t = session.simulator.robot.limb_index, session.stack.plan, session.state.t
        if plan is not self._plan:  # the forces of a whole plan cost as much as those of a moment
            self._plan = plan
            self._planned = force_history(plan, session.simulator.body_model, session.params.frb) if plan else ()
        if plan is None or t > plan.t[-1]:
            return np.full((len(index), 3), np.nan)
        step = max(int(np.searchsorted(plan.t, t, side="right")) - 1, 0)
        total = np.zeros((len(index), 3))
        for limb, force_W in self._planned:
            total[index[limb]] += force_W[min(step, len(force_W) - 1)]
        return total


def _without_a_plan(session: Session) -> dict[str, Any]:
    """Of who has fallen: the motors brake, and nobody plans."""
    nothing, limbs = np.full(3, np.nan), len(session.state.limbs)
    return {
        "tau": session.simulator.data.ctrl.copy(),
        "planned_com_W": nothing,
        "planned_vel_W": nothing,
        "limb_force_distributed_W": np.zeros((limbs, 3)),
        "limb_force_planned_W": np.full((limbs, 3), np.nan),
        "limb_planned": [False] * limbs,
        "tick_time": np.nan,
        "planned": False,
    }
