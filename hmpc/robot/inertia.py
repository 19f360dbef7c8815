"""Masses and inertias of the whole character, at its standing pose.

To be called after `RobotModel.place` with that pose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.robot.kernels import inertia_about
from hmpc.types import BodyModel, LegModel, LimbModel

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
            root_B=R.T @ (robot.limb_root(name) - com),
            reach=limb.spec.reach,
            is_foot=limb.spec.is_foot,
            is_knee=limb.spec.kind == "knee",
            is_seat=limb.spec.kind == "seat",
        )
        for name, limb in robot.limbs.items()
    )
    return BodyModel(
        mass=robot.mass,
        inertia_B=R.T @ inertia @ R,
        com_height=com[2] - soles[:, 2].mean(),
        step_width=float(np.linalg.norm(soles[0, :2] - soles[1, :2])),
        limbs=limbs,
        leg=_leg_model(robot),
    )


def _leg_model(robot: RobotModel) -> LegModel:
    """Two links and a foot, read from the first foot's chain: the knee is the joint that is far from both ends."""
    d = robot.data
    limb = robot.feet()[0]
    joints = robot.joint[limb.chain.actuators]
    anchors = d.xanchor[joints]
    hip, ankle = anchors[0], anchors[-1]
    to_ends = np.minimum(np.linalg.norm(anchors - hip, axis=1), np.linalg.norm(anchors - ankle, axis=1))
    knee = int(np.argmax(to_ends))
    segments = [(hip, joints[0], joints[knee]), (anchors[knee], joints[knee], joints[-1]), (ankle, joints[-1], None)]
    masses, coms = zip(*(_segment(robot, first, beyond) for _, first, beyond in segments), strict=True)
    thigh, shank = anchors[knee] - hip, ankle - anchors[knee]
    R = d.xmat[robot.root].reshape(3, 3)
    total = d.subtree_com[robot.root] * robot.mass
    legs = [_segment(robot, robot.joint[foot.chain.actuators[0]], None) for foot in robot.feet()]
    upper_mass = robot.mass - sum(mass for mass, _ in legs)
    upper_com = (total - sum(mass * com for mass, com in legs)) / upper_mass
    hips = np.mean([robot.limb_root(foot.spec.name) for foot in robot.feet()], axis=0)
    return LegModel(
        thigh=float(np.linalg.norm(thigh)),
        shank=float(np.linalg.norm(shank)),
        thigh_mass=masses[0],
        shank_mass=masses[1],
        foot_mass=masses[2],
        thigh_com=float((coms[0] - hip) @ thigh / (thigh @ thigh)),
        shank_com=float((coms[1] - anchors[knee]) @ shank / (shank @ shank)),
        ankle_L=d.site_xmat[limb.site].reshape(3, 3).T @ (ankle - d.site_xpos[limb.site]),
        upper_com_B=R.T @ (upper_com - hips),
    )


def _segment(robot: RobotModel, first: int, beyond: int | None) -> tuple[float, Array]:
    """Mass and COM of the bodies from the one that joint `first` moves up to those that joint `beyond` moves."""
    m, d = robot.model, robot.data
    root = m.jnt_bodyid[first]
    mass, com = float(m.body_subtreemass[root]), d.subtree_com[root].copy()
    if beyond is None:
        return mass, com
    rest = m.jnt_bodyid[beyond]
    left = mass - float(m.body_subtreemass[rest])
    return left, (mass * com - m.body_subtreemass[rest] * d.subtree_com[rest]) / left


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
