"""Masses and inertias of the whole character, at its standing pose.

To be called after `RobotModel.place` with that pose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.robot.kernels import inertia_about
from hmpc.types import BodyModel, LimbModel

if TYPE_CHECKING:
    from collections.abc import Collection

    from hmpc.robot.model import RobotModel
    from hmpc.types import Array


def body_model(robot: RobotModel) -> BodyModel:
    """The floating rigid body of the standing character: what the planners know of it."""
    m, d = robot.model, robot.data
    com = d.subtree_com[robot.root].copy()
    inertia = np.zeros((3, 3))
    for body in range(m.nbody):
        if m.body_rootid[body] == robot.root:
            inertia += inertia_about(com, d.xipos[body], d.ximat[body], m.body_mass[body], m.body_inertia[body])
    R = d.xmat[robot.root].reshape(3, 3)
    soles = np.array([d.site_xpos[limb.site] for limb in robot.feet()])
    limbs = tuple(
        LimbModel(
            name=name,
            half_extent=np.array(limb.spec.half_extent),
            root_B=R.T @ (d.xanchor[robot.joint[limb.chain.actuators[0]]] - com),
            reach=limb.spec.reach,
            is_foot=limb.spec.is_foot,
        )
        for name, limb in robot.limbs.items()
    )
    return BodyModel(
        mass=robot.mass,
        inertia_B=R.T @ inertia @ R,
        com_height=com[2] - soles[:, 2].mean(),
        step_width=float(np.linalg.norm(soles[0, :2] - soles[1, :2])),
        limbs=limbs,
    )


def scale_gains_to_loads(robot: RobotModel, loads: Collection[int]) -> None:
    """Scale the robot's gains with the inertia that the bodies `loads` add beyond each joint.

    Gains are meant for bare limbs; a loaded one keeps its natural frequency and damping ratio.
    """
    armature = robot.model.dof_armature[robot.dof]
    ratio = (_hinge_inertia(robot) + armature) / (_hinge_inertia(robot, without=loads) + armature)
    robot.kp, robot.kd = robot.kp * ratio, robot.kd * ratio


def _hinge_inertia(robot: RobotModel, without: Collection[int] = ()) -> Array:
    """(nu,) [kg m^2] about each motor's axis, of all bodies beyond it."""
    m, d = robot.model, robot.data
    inertia = np.zeros(robot.nu)
    for body in sorted(set(range(1, m.nbody)) - set(without)):
        ancestor = body
        while ancestor != 0:
            for k in np.flatnonzero(robot.joint_body == ancestor):
                axis, anchor = d.xaxis[robot.joint[k]], d.xanchor[robot.joint[k]]
                link = inertia_about(anchor, d.xipos[body], d.ximat[body], m.body_mass[body], m.body_inertia[body])
                inertia[k] += axis @ link @ axis
            ancestor = m.body_parentid[ancestor]
    return inertia
