"""RobotModel: a RobotSpec tied to a compiled MuJoCo model.

The one place that turns MuJoCo's conventions (quaternions, dof addresses, actuator
transmission) into the house's: actuator-order arrays, world-frame velocities, limbs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from hmpc.errors import SpecError, UnknownNameError
from hmpc.robot import kernels
from hmpc.robot.limb import Limb, find_element, read_limb
from hmpc.robot.spec import Gains, RobotSpec
from hmpc.types import FrbState, Limbs, RobotState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.types import Array, LimbState


class RobotModel:
    """Kinematics, masses and state of the character, in the house's conventions."""

    def __init__(self, spec: RobotSpec, model: mujoco.MjModel, data: mujoco.MjData):
        self.spec, self.model, self.data = spec, model, data
        self._index_motors()
        self.root = int(model.body_rootid[find_element(model, "body", spec.body_frame[0])])
        self.root_qpos = int(model.jnt_qposadr[model.body_jntadr[self.root]])
        self.root_dof = int(model.body_dofadr[self.root])
        self.mass = float(model.body_subtreemass[self.root])
        self.body_frame = np.array([find_element(model, "body", name) for name in spec.body_frame])
        self.torso = int(self.body_frame[-1])
        masses = model.body_mass[self.body_frame]
        self._frame_weights = masses / masses.sum()
        self.limbs: Mapping[str, Limb] = {limb.name: read_limb(model, limb, self.joint) for limb in spec.limbs}
        self.stand_pose = self.pose({**spec.stand, **spec.arm_poses["rest"]})
        self._poses = {name: self.pose(angles) for name, angles in spec.poses.items()}
        self._arm_motors = np.concatenate([limb.chain.actuators for limb in self.hands()])
        self._arm_poses = {name: self.pose(angles)[self._arm_motors] for name, angles in spec.arm_poses.items()}
        self.arm_swing = {
            limb: [(self.joint_names.index(joint), gain) for joint, gain in joints.items()]
            for limb, joints in spec.arm_swing.items()
        }
        self.spine_bend = self.pose(spec.spine_bend)  # (nu,) rad of bend per rad that the body leans
        self.arm_hang = self.pose(spec.arm_hang)  # (nu,) the same of free arms
        self.head_motors = [self.joint_names.index(spec.head[k]) for k in ("yaw", "pitch")]
        self.joint_groups = self._read_joint_groups()
        self.limb_index = {name: k for k, name in enumerate(self.limbs)}
        chains = [limb.chain.actuators for limb in self.limbs.values()]
        self.limb_motors = np.full((len(chains), max(map(len, chains))), -1)  # (L, n) root to tip, then -1
        for motors, chain in zip(self.limb_motors, chains, strict=True):
            motors[: len(chain)] = chain
        self.corners = np.array([limb.corners for limb in self.limbs.values()])  # (L, 4, 3)
        self._pad_sites = np.array([limb.site for limb in self.limbs.values()])
        self._pad_bodies = model.site_bodyid[self._pad_sites].astype(np.int64)
        self._carries = np.array([self._is_above(body) for body in self._pad_bodies])
        self._read_views()

    def _index_motors(self) -> None:
        """Motor k turns hinge `joint[k]` at `qpos[qadr[k]]`, `qvel[dof[k]]`."""
        m = self.model
        hinge = int(mujoco.mjtJoint.mjJNT_HINGE)
        on_joint = int(mujoco.mjtTrn.mjTRN_JOINT)
        joint = m.actuator_trnid[:, 0].astype(np.int64)
        if m.nu == 0 or (m.actuator_trntype != on_joint).any() or (m.jnt_type[joint] != hinge).any():
            raise SpecError(f"Robot {self.spec.name!r}: every actuator must be a motor on a hinge joint.")
        self.nu = m.nu
        self.joint = joint
        self.joint_names = [m.joint(int(j)).name for j in joint]
        self.dof = m.jnt_dofadr[joint].astype(np.int64)
        self.qadr = m.jnt_qposadr[joint].astype(np.int64)
        self.joint_body = m.jnt_bodyid[joint].astype(np.int64)
        self.torque_limit = np.minimum(-m.actuator_ctrlrange[:, 0], m.actuator_ctrlrange[:, 1])
        gains = [self._gains(name) for name in self.joint_names]
        self.kp = np.array([g.kp for g in gains])
        self.kd = np.array([g.kd for g in gains])

    def _gains(self, joint: str) -> Gains:
        fitting = [ending for ending in self.spec.gains if joint.endswith(ending)]
        if not fitting:
            raise SpecError(f"Robot {self.spec.name!r} has no gains for joint {joint!r}.")
        return self.spec.gains[max(fitting, key=len)]

    def _read_views(self) -> None:
        """MuJoCo's arrays that are read at every tick: views of what is there now, which stay where they are."""
        m, d = self.model, self.data
        self._qpos, self._qvel, self._qacc = d.qpos, d.qvel, d.qacc
        self.xaxis, self.xanchor, self.site_xpos = d.xaxis, d.xanchor, d.site_xpos  # of hinges and pads
        self.xpos, self.xmat = d.xpos, d.xmat  # of bodies
        weights, hinges = (d.subtree_com, m.body_subtreemass, m.opt.gravity), (d.xaxis, d.xanchor)
        trunk = d.xmat, d.xpos, self.root, self.root_dof
        self._dynamics_of = (*trunk, *weights, *hinges, self.joint, self.joint_body, self.dof)
        links = d.xipos, d.ximat, m.body_mass, m.body_inertia
        self.mobility_of = (*links, d.xaxis, d.xanchor, self.joint_groups)  # what `kernels.joint_mobility` needs
        moving = d.xquat, d.cvel, d.subtree_com, d.subtree_linvel, d.subtree_angmom, d.site_xpos, d.site_xmat
        self._measured = (*moving, self.root, self.body_frame, self._frame_weights, self._pad_bodies, self._pad_sites)

    def _is_above(self, body: int) -> NDArray[np.bool_]:
        """(nu,) which motors move `body` against the root."""
        above = np.zeros(self.nu, dtype=bool)
        while body != 0:
            above |= self.joint_body == body
            body = int(self.model.body_parentid[body])
        return above

    def _read_joint_groups(self) -> NDArray[np.int64]:
        """(G, 5): child body, parent body, first joint, number of joints, first motor."""
        m, rows = self.model, []
        for k in range(self.nu):
            body = int(self.joint_body[k])
            if int(m.body_jntadr[body]) != self.joint[k]:
                continue
            n = int(m.body_jntnum[body])
            if not np.array_equal(self.joint[k : k + n], self.joint[k] + np.arange(n)):
                raise SpecError(f"The motors of body {m.body(body).name!r} must be listed in the order of its joints.")
            rows.append((body, int(m.body_parentid[body]), int(self.joint[k]), n, k))
        return np.array(rows, dtype=np.int64)

    # ----- poses

    def pose(self, angles: Mapping[str, float]) -> Array:
        """Joint angles in actuator order from names; joints not named are 0."""
        q = np.zeros(self.nu)
        for name, angle in angles.items():
            if name not in self.joint_names:
                raise SpecError(str(UnknownNameError("joint", name, self.joint_names)))
            q[self.joint_names.index(name)] = angle
        return q

    def named_pose(self, name: str) -> Array:
        """Joint angles (nu,) of a named pose of the whole body."""
        poses = {"stand": self.stand_pose, **self._poses}
        if name not in poses:
            raise UnknownNameError("pose", name, poses)
        return poses[name]

    def arm_pose(self, name: str) -> tuple[NDArray[np.int64], Array]:
        """Motors of the upper limbs and their angles [rad] in a named arm pose."""
        if name not in self._arm_poses:
            raise UnknownNameError("arm pose", name, self._arm_poses)
        return self._arm_motors, self._arm_poses[name]

    def feet(self) -> tuple[Limb, ...]:
        return tuple(limb for limb in self.limbs.values() if limb.spec.is_foot)

    def hands(self) -> tuple[Limb, ...]:
        return tuple(limb for limb in self.limbs.values() if limb.spec.kind == "hand")

    def knees(self) -> tuple[Limb, ...]:
        return tuple(limb for limb in self.limbs.values() if limb.spec.kind == "knee")

    def seats(self) -> tuple[Limb, ...]:
        return tuple(limb for limb in self.limbs.values() if limb.spec.kind == "seat")

    def place(self, q: Array, ground_W: Array, yaw: float) -> None:
        """Put the character at rest in pose `q`: soles on `ground_W`, heading `yaw`. Only for resets."""
        d = self.data
        root_qpos = self.root_qpos
        d.qvel[:] = 0.0
        d.qpos[self.qadr] = q
        d.qpos[root_qpos : root_qpos + 7] = [0, 0, 0, np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
        mujoco.mj_kinematics(self.model, d)
        soles = d.site_xpos[[limb.site for limb in self.feet()]]
        middle = soles.mean(axis=0)
        d.qpos[root_qpos : root_qpos + 3] = [ground_W[0] - middle[0], ground_W[1] - middle[1], ground_W[2] - middle[2]]
        mujoco.mj_forward(self.model, d)

    # ----- state

    def observe(self, touching: Sequence[bool], normals_W: Array, forces_W: Array) -> RobotState:
        """State of the character after MuJoCo's kinematics and velocities are up to date."""
        d, n = self.data, len(self.limbs)
        mujoco.mj_subtreeVel(self.model, d)
        numbers = np.empty((7 + 8 * n, 3))
        kernels.observe(*self._measured, normals_W, forces_W, numbers)
        numbers.setflags(write=False)
        return RobotState(
            t=d.time,
            qpos=self._qpos.copy(),
            qvel=self._qvel.copy(),
            body=FrbState.of(numbers[:6]),
            angular_momentum_W=numbers[6],
            limbs=Limbs(self.limb_index, numbers[7:].reshape(n, 8, 3), touching),
        )

    def limb_jacobian(self, limb: str) -> Array:
        """(6, n) of the limb's pad by the limb's own joints, root to tip, linear rows first."""
        found = self.limbs[limb]
        return kernels.hinge_jacobian(self.xaxis, self.xanchor, found.joints, self.site_xpos[found.site])

    def corners_W(self, limb: str, state: LimbState, margin: float = 0.0) -> Array:
        """(4, 3) [m] corners of a limb's pad, moved inwards by `margin`."""
        corners = self.limbs[limb].corners
        return state.p_W + (corners - margin * np.sign(corners)) @ state.R_WL.T

    def joint_anchor(self, motor: int) -> Array:
        """(3,) [m] where the hinge of a motor is."""
        return self.data.xanchor[self.joint[motor]].copy()

    def limb_root(self, limb: str) -> Array:
        """(3,) [m] the hip or shoulder of a limb; of a seat, its middle."""
        found = self.limbs[limb]
        if len(found.chain.actuators) == 0:
            return self.data.site_xpos[found.site].copy()
        return self.joint_anchor(found.chain.actuators[0])

    def arm_geoms(self) -> set[str]:
        """Names of the geoms of the upper limbs."""
        return self._geoms_of({int(body) for limb in self.hands() for body in self.joint_body[limb.chain.actuators]})

    def thigh_geoms(self) -> set[str]:
        """Names of the geoms of the first segment of each leg, which may lie on a seat."""
        return self._geoms_of({int(self.joint_body[limb.chain.actuators[0]]) for limb in self.feet()})

    def leg_geoms(self) -> set[str]:
        """Names of the geoms of the lower limbs."""
        return self._geoms_of({int(body) for limb in self.feet() for body in self.joint_body[limb.chain.actuators]})

    def _geoms_of(self, bodies: set[int]) -> set[str]:
        m = self.model
        return {m.geom(g).name for g in range(m.ngeom) if int(m.geom_bodyid[g]) in bodies} - {""}

    def carrier_pose(self, limb: str) -> tuple[Array, Array]:
        """Position and orientation of the body that carries a limb."""
        carrier = self.limbs[limb].chain.carrier
        return self.data.xpos[carrier], self.data.xmat[carrier].reshape(3, 3)

    # ----- torques

    def force_torques(self, limb: Iterable[str], points_W: Array, forces_W: Array) -> Array:
        """(nu,) sum of J_i^T f_i: torques that exert the forces (N, 3) at points (N, 3) of the limbs named."""
        index = np.fromiter(map(self.limb_index.__getitem__, limb), np.int64)
        return kernels.force_torques(self.xaxis, self.xanchor, self.joint, self._carries, index, points_W, forces_W)

    def joint_mobility(self) -> Array:
        """(G, 3, 3) [1/(kg m^2)] of each anatomical joint, see `kernels.joint_mobility`."""
        return kernels.joint_mobility(*self.mobility_of)

    def dynamics(self) -> tuple[Array, Array]:
        """M (nv, nv) and h (nv,) of M q'' + h = forces of motors and contacts, for the state of now."""
        d = self.data
        M = np.empty((len(self._qvel), len(self._qvel)))
        mujoco.mj_fullM(self.model, d, M)
        return M, d.qfrc_bias

    def inverse_dynamics(self, acc_W: Array, joint_acceleration: Array) -> tuple[Array, Array, Array]:
        """Torques (nu,) that carry the weight of every segment, and what motion needs beyond: torques, and a moment.

        For the velocities of now, the joints accelerating by (nu,) [rad/s^2] and the trunk by `acc_W` without
        turning. The moment (3,) is about the COM.
        """
        n, force, out = self.nu, np.empty(len(self._qacc)), np.empty(2 * self.nu + 3)
        kernels.fill_accelerations(acc_W, joint_acceleration, self.root_dof, self.dof, self._qacc)
        mujoco.mj_rne(self.model, self.data, 1, force)
        kernels.split_dynamics(force, *self._dynamics_of, out)
        return out[:n], out[n:-3], out[-3:]
