"""Limbs as the compiled model has them: pad, geoms and the chain of hinges that carries them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from hmpc.errors import SpecError, UnknownNameError
from hmpc.robot.chain import LimbChain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.robot.spec import LimbSpec
    from hmpc.types import Array

_OBJECTS = {
    "body": (mujoco.mjtObj.mjOBJ_BODY, "nbody"),
    "site": (mujoco.mjtObj.mjOBJ_SITE, "nsite"),
    "geom": (mujoco.mjtObj.mjOBJ_GEOM, "ngeom"),
    "joint": (mujoco.mjtObj.mjOBJ_JOINT, "njnt"),
}


@dataclass(frozen=True, eq=False)
class Limb:
    """A limb of the compiled model."""

    spec: LimbSpec
    chain: LimbChain
    joints: NDArray[np.int64]  # (n,) of its chain in the model, root to tip
    site: int
    geoms: tuple[int, ...]
    corners: Array  # (4, 3) [m] of the pad in the site's frame


def find_element(model: mujoco.MjModel, kind: str, name: str) -> int:
    """Index of a body, site, geom or joint by its name. Raises `SpecError` with the valid names."""
    obj, count = _OBJECTS[kind]
    index = mujoco.mj_name2id(model, obj, name)
    if index < 0:
        names = (mujoco.mj_id2name(model, obj, i) for i in range(getattr(model, count)))
        raise SpecError(str(UnknownNameError(kind, name, (n for n in names if n))))
    return int(index)


def read_limb(model: mujoco.MjModel, spec: LimbSpec, motor_joint: NDArray[np.int64]) -> Limb:
    """The limb that `spec` describes; `motor_joint` (nu,) is the joint that each motor turns."""
    root, tip = find_element(model, "body", spec.root_body), find_element(model, "body", spec.tip_body)
    ancestor = tip
    while ancestor not in (0, root):
        ancestor = int(model.body_parentid[ancestor])
    if ancestor == 0:
        raise SpecError(f"Limb {spec.name!r}: body {spec.tip_body!r} is not beyond {spec.root_body!r}.")
    site = find_element(model, "site", spec.site)
    actuator = np.full(model.njnt, -1)
    actuator[motor_joint] = np.arange(len(motor_joint))
    hx, hy = spec.half_extent
    chain = _read_chain(model, root, tip, site, actuator)
    return Limb(
        spec=spec,
        chain=chain,
        joints=motor_joint[chain.actuators],
        site=site,
        geoms=tuple(find_element(model, "geom", name) for name in spec.geoms),
        corners=np.array([[hx, hy, 0.0], [hx, -hy, 0.0], [-hx, hy, 0.0], [-hx, -hy, 0.0]]),
    )


def _read_chain(model: mujoco.MjModel, root_body: int, tip_body: int, site: int, joint_actuator: Array) -> LimbChain:
    """The chain of hinges from the parent of `root_body` to `tip_body` and the pad's `site` on it."""
    bodies = [tip_body]
    while bodies[0] != root_body:
        bodies.insert(0, int(model.body_parentid[bodies[0]]))
    offsets, rotations, axes, joints = [], [], [], []
    p, R = np.zeros(3), np.eye(3)  # from the last joint's frame to the next one's
    for body in bodies:
        p, R = p + R @ model.body_pos[body], R @ _quat_matrix(model.body_quat[body])
        start = int(model.body_jntadr[body])
        for j in range(start, start + int(model.body_jntnum[body])):
            if joint_actuator[j] < 0:  # the free joint of the root, where a limb is the trunk itself
                continue
            p = p + R @ model.jnt_pos[j]
            offsets.append(p)
            rotations.append(R)
            axes.append(model.jnt_axis[j].copy())
            joints.append(j)
            p, R = -model.jnt_pos[j], np.eye(3)
    p_site = p + R @ model.site_pos[site]
    R_site = R @ _quat_matrix(model.site_quat[site])
    return LimbChain(
        carrier=int(model.body_parentid[root_body]),
        actuators=np.array([joint_actuator[j] for j in joints], dtype=np.int64),
        low=model.jnt_range[joints, 0].copy(),
        high=model.jnt_range[joints, 1].copy(),
        geometry=(
            np.array(offsets).reshape(-1, 3),
            np.array(rotations).reshape(-1, 3, 3),
            np.array(axes).reshape(-1, 3),
            p_site,
            np.ascontiguousarray(R_site),
        ),
    )


def _quat_matrix(quat: Array) -> Array:
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, quat)
    return R.reshape(3, 3)
