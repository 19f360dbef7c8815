"""The contact points that tier 3 may use at this tick."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.types import ContactSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.params import PadParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, MotionTarget, RobotState


def contact_points(
    robot: RobotModel, state: RobotState, target: MotionTarget, mu: float, params: PadParams
) -> ContactSet:
    """Corners of the pads that touch the world and are meant to.

    A pad that touches at all offers every corner that is close to the surface, not only those
    that MuJoCo reports: a foot that has begun to tip would otherwise lose the very corners that
    bring it back. They lie a little inside the pad, so that a force at the limit does not tip
    it in the first place. A cap on a limb's force is shared by its corners. A hand that is closed
    around a bar can turn about it: it is one point, which can be pulled on. A foot that pushes off
    counts even at a tick at which it does not touch, or the leg would be withdrawn.
    Of one that rolls from its toes onto its sole, what is not on the ground yet pushes only as much
    as brings it down gently; with all it can bear the heel would be slapped down, and the toes lifted.
    """
    limbs, names, closed, pads = state.limbs, [], [], []
    for name, cap in target.support.items():
        k = limbs.index[name]
        if not (limbs.touching[k] or name in target.pushing):
            continue
        if name in target.grip:
            closed.append(name)
        else:
            names.append(name)
            pads.append((k, cap, params.rolling_force if name in target.rolling else math.inf))
    owner, p, normal, caps = _near_corners(
        np.array(pads, dtype=float).reshape(-1, 3),
        robot.corners,
        limbs.numbers,
        params.margin,
        params.contact_height,
        params.rolling_contact_height,
    )
    n = len(owner)
    bilateral, friction = np.zeros(n + len(closed), dtype=bool), np.empty(n + len(closed))
    friction.fill(mu)
    if closed:  # nearly never: a walk should not pay for it
        bilateral[n:] = True
        p = np.vstack([p, *(limbs[name].p_W for name in closed)])
        normal = np.vstack([normal, *(limbs[name].normal_W for name in closed)])
        caps = np.append(caps, [target.support[name] for name in closed])
    return ContactSet(
        limb=tuple([names[k] for k in owner.tolist()] + closed),
        p_W=p,
        normal_W=normal,
        mu=friction,
        bilateral=bilateral,
        max_force=caps,
    )


@njit(cache=True)
def _near_corners(
    pads: Array,
    corners: Array,
    limbs: Array,
    margin: float,
    height: float,
    on_ground: float,
) -> tuple[NDArray[np.int64], Array, Array, Array]:
    """Corners of the `pads`, `margin` inside their edges and at most `height` above their lowest one.

    `corners` (L, 4, 3) and the numbers of `limbs` (L, 8, 3) are those of all limbs. Rows of `pads` (n, 3): which limb,
    a cap on its force, and one on that of each raised corner [N]. Where that is finite all corners count, with that
    cap if they are higher than `on_ground` [m]. Returns for each corner which of the `pads` it is of, its position,
    normal and cap.
    """
    n = 4 * pads.shape[0]
    owner, points, normals, caps = np.empty(n, dtype=np.int64), np.empty((n, 3)), np.empty((n, 3)), np.empty(n)
    found = 0
    above = np.empty(4)
    for k in range(pads.shape[0]):
        limb, cap, raised_cap = int(pads[k, 0]), pads[k, 1], pads[k, 2]
        p, R, normal, corner, start = limbs[limb, 0], limbs[limb, 1:4], limbs[limb, 6], corners[limb], found
        above[:] = 0.0
        for c in range(4):
            for i in range(3):
                points[start + c, i] = p[i]
                for j in range(3):
                    points[start + c, i] += R[i, j] * (corner[c, j] - margin * np.sign(corner[c, j]))
                above[c] += points[start + c, i] * normal[i]
        lowest = above.min()
        for c in range(4):
            rolls = raised_cap < math.inf
            if above[c] < lowest + height or rolls:
                points[found], normals[found], owner[found] = points[start + c], normal, k
                caps[found] = raised_cap if rolls and above[c] > lowest + on_ground else math.inf
                found += 1
        caps[start:found] = np.minimum(caps[start:found], cap / (found - start))
    return owner[:found], points[:found], normals[:found], caps[:found]
