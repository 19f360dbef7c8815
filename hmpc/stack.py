"""Figure 2 of the paper as one function: command in, torques out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.executor.contact_points import contact_points
from hmpc.executor.standing import Standing
from hmpc.forces.distribution import ForceDistributor
from hmpc.forces.tracking import desired_wrench
from hmpc.wholebody.controller import PdKind, WholeBodyController

if TYPE_CHECKING:
    from hmpc.params import Params
    from hmpc.robot.model import RobotModel
    from hmpc.types import BodyModel, Command, ContactForces, MotionTarget, RobotState, Torques


class Stack:
    """The hierarchy: footsteps -> plan -> targets -> forces -> torques."""

    def __init__(
        self,
        robot: RobotModel,
        body: BodyModel,
        params: Params,
        state: RobotState,
        *,
        dt: float,
        qp: str = "newton",
        pd: PdKind = "implicit",
    ):
        self._robot, self._body, self._params = robot, body, params
        self._executor = Standing(robot, body, params.executor, state)
        self._distributor = ForceDistributor(params.forces, qp)
        self._wholebody = WholeBodyController(robot, params.wholebody, dt, pd)
        self.target: MotionTarget
        self.forces: ContactForces

    def step(self, state: RobotState, command: Command) -> Torques:
        """One tick of the hierarchy."""
        params = self._params
        target = self._executor.update(state, command)
        poses = self._wholebody.swing_poses(state, target)
        inertia_torques, inertia_moment = self._wholebody.limb_inertia(poses)
        wrench = desired_wrench(
            state.body, target.body, target.acc_W, self._robot.mass, params.tracking, inertia_moment
        )
        points = contact_points(self._robot, state, target, params.forces.friction, params.executor)
        forces = self._distributor.distribute(points, state.body.com_W, wrench)
        self.target, self.forces = target, forces
        return self._wholebody.torques(state, target, forces, poses, inertia_torques)
