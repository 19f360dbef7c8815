"""The contact points that tier 3 may use at this tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hmpc.types import ContactSet

if TYPE_CHECKING:
    from hmpc.params import ExecutorParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import MotionTarget, RobotState


def contact_points(
    robot: RobotModel, state: RobotState, target: MotionTarget, mu: float, params: ExecutorParams
) -> ContactSet:
    """Corners of the pads that touch the world and are meant to.

    A pad that touches at all offers every corner that is close to the surface, not only those
    that MuJoCo reports: a foot that has begun to tip would otherwise lose the very corners that
    bring it back. They lie a little inside the pad, so that a force at the limit does not tip
    it in the first place. A cap on a limb's force is shared by its corners.
    """
    limbs: list[str] = []
    points, normals, caps = [], [], []
    for name, cap in target.support.items():
        limb = state.limbs[name]
        if not limb.touching:
            continue
        corners = robot.corners_W(name, limb, params.pad_margin)
        height = corners @ limb.normal_W
        near = corners[height < height.min() + params.pad_contact_height]
        limbs += [name] * len(near)
        points.append(near)
        normals.append(np.broadcast_to(limb.normal_W, near.shape))
        caps.append(np.full(len(near), cap / len(near)))
    n = len(limbs)
    return ContactSet(
        limb=tuple(limbs),
        p_W=np.concatenate(points) if n else np.empty((0, 3)),
        normal_W=np.concatenate(normals) if n else np.empty((0, 3)),
        mu=np.full(n, mu),
        bilateral=np.zeros(n, dtype=bool),
        max_force=np.concatenate(caps) if n else np.empty(0),
    )
