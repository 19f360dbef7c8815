"""The layers that can be drawn over the picture, each with a switch of its own.

A layer turns what the stack says (types of hmpc/types.py) into lines, plates and arrows. All of them hang below the
node of the world, which moves when the camera follows the character.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import mujoco
import numpy as np
import viser.transforms as vtf

from hmpc.app.viewers.geoms import WORLD
from hmpc.geometry import rotation_z

if TYPE_CHECKING:
    import viser

    from hmpc.app.session import Session
    from hmpc.footsteps.planner import FootstepOptions
    from hmpc.types import Array, ContactForces, ContactRegion, FootstepPlan, FrbPlan

Color = tuple[int, int, int]
FindForces = Callable[["Session"], "tuple[Array, Array]"]

ROOT = f"{WORLD}/overlay"
FORCE_SCALE = 1e-3  # [m/N] length of an arrow
SMALLEST_FORCE = 5.0  # [N] weaker ones are not drawn
_ABOVE = 0.006  # [m] that plates float above the ground
_EDGE = 0.006  # [m] width of the lines around them
_FRAMES = 5  # orientations along a trajectory
_CORNERS = np.array([(1, 1, 0), (-1, 1, 0), (-1, -1, 0), (1, -1, 0)])

# Left and right as on a ship; forces as in films and plots of a run.
GREEN, BLUE, GREY, RED = (30, 150, 60), (30, 80, 230), (110, 110, 110), (235, 30, 30)
ORANGE, PURPLE, MAGENTA = (240, 140, 0), (130, 40, 190), (225, 0, 120)
PORT, STARBOARD = (200, 20, 20), (0, 120, 50)


class Drawing:
    """Something that stays as it is until what it shows has changed."""

    def __init__(self, scene: viser.SceneApi):
        self._scene = scene
        self._handles: dict[str, viser.SceneNodeHandle] = {}
        self._drawn: object = None

    def draw(self, session: Session) -> None:
        subject = self._subject(session)
        if subject == self._drawn:
            return
        made = {handle.name: handle for handle in self._made(session)}  # in place of those of the same name
        for name in self._handles.keys() - made.keys():
            self._handles[name].remove()
        self._handles, self._drawn = made, subject

    def hide(self) -> None:
        for handle in self._handles.values():
            handle.remove()
        self._handles, self._drawn = {}, None

    def _subject(self, session: Session) -> object:
        """What is shown; None: nothing."""
        raise NotImplementedError

    def _made(self, session: Session) -> list[viser.SceneNodeHandle]:
        """What shows it."""
        raise NotImplementedError

    def _plates(self, name: str, quads: Sequence[Array], color: Color, opacity: float) -> list[viser.SceneNodeHandle]:
        """Flat plates with these corners (4, 3) and an edge around them."""
        if not quads:
            return []
        faces = np.concatenate([np.array([[0, 1, 2], [0, 2, 3]]) + 4 * k for k in range(len(quads))])
        edges = np.concatenate([np.stack([quad, np.roll(quad, -1, axis=0)], axis=1) for quad in quads])
        plates = self._scene.add_mesh_simple(
            f"{ROOT}/{name}",
            np.concatenate(quads),
            faces,
            color=color,
            opacity=opacity,
            side="double",
            cast_shadow=False,
            receive_shadow=False,
        )
        return [plates, self._scene.add_line_segments(f"{ROOT}/{name}_edges", edges, color, thickness=_EDGE)]


class Regions(Drawing):
    """Where feet may be planned to stand: the stepping regions less the safety margin; handholds in another colour."""

    def _subject(self, session: Session) -> object:
        return session.environment, session.params.footsteps.safety_margin

    def _made(self, session: Session) -> list[viser.SceneNodeHandle]:
        margin = session.params.footsteps.safety_margin
        handles = self._plates("regions", _corners(session.environment.regions(), margin), GREEN, 0.25)
        if rails := _corners(session.environment.handholds(), 0.0):
            lines = np.concatenate([np.stack([quad[[0, 3]], quad[[1, 2]]], axis=1) for quad in rails])
            handles.append(self._scene.add_line_segments(f"{ROOT}/handholds", lines, BLUE, thickness=0.02))
        return handles


class Footsteps(Drawing):
    """The plan of tier 1 as soles on the ground, left and right in their colours, and the next best plans in grey."""

    def _subject(self, session: Session) -> FootstepOptions | None:
        options = session.stack.footsteps
        return options if options is not None and session.state.t < options.best.t_end[-1] else None

    def _made(self, session: Session) -> list[viser.SceneNodeHandle]:
        options = self._subject(session)
        if options is None:
            return []
        feet = {limb.name: limb.half_extent for limb in session.robot.limbs if limb.is_foot}
        handles = []
        for (foot, half), color in zip(feet.items(), (PORT, STARBOARD), strict=True):
            handles += self._plates(foot, _soles(options.best, {foot: half}), color, 0.8)
        others = [quad for plan in options.alternatives for quad in _soles(plan, feet)]
        return handles + self._plates("alternatives", others, GREY, 0.15)


class Trajectory(Drawing):
    """The plan of tier 2: the way of the COM, and how the body is turned along it."""

    def _subject(self, session: Session) -> FrbPlan | None:
        plan = session.stack.plan
        return plan if plan is not None and session.state.t < plan.t[-1] else None

    def _made(self, session: Session) -> list[viser.SceneNodeHandle]:
        plan = self._subject(session)
        if plan is None or len(plan.t) < 2:
            return []
        way = np.stack([plan.com_W[:-1], plan.com_W[1:]], axis=1)
        few = np.unique(np.linspace(0, len(plan.t) - 1, _FRAMES).astype(int))
        line = self._scene.add_line_segments(f"{ROOT}/trajectory", way, ORANGE, thickness=0.015)
        frames = self._scene.add_batched_axes(
            f"{ROOT}/frames",
            vtf.SO3.from_matrix(plan.R_WB[few]).wxyz,
            plan.com_W[few],
            axes_length=0.12,
            axes_radius=0.006,
        )
        return [line, frames]


class Forces:
    """Arrows at points; `find` gives the points and forces of a session, (N, 3) each."""

    def __init__(self, scene: viser.SceneApi, name: str, color: Color, radius: float, find: FindForces):
        self._find = find
        self._arrows = scene.add_arrows(
            f"{ROOT}/{name}",
            np.zeros((1, 2, 3)),
            color,
            shaft_radius=radius,
            head_radius=2.5 * radius,
            head_length=5.0 * radius,
            visible=False,
        )

    def draw(self, session: Session) -> None:
        p_W, force_W = self._find(session)
        strong = np.linalg.norm(force_W, axis=1) > SMALLEST_FORCE
        if strong.any():
            start, along = p_W[strong], FORCE_SCALE * force_W[strong]
            self._arrows.points = np.stack([start, start + along], axis=1).astype(np.float32)
        self._arrows.visible = bool(strong.any())

    def hide(self) -> None:
        self._arrows.visible = False


def planned(session: Session) -> tuple[Array, Array]:
    """Points and forces (N, 3) of tier 2's plan now."""
    return _points_and_forces(session.stack.planned_forces(session.state.t))


def distributed(session: Session) -> tuple[Array, Array]:
    """Points and forces (N, 3) that tier 3 has asked for."""
    return _points_and_forces(getattr(session.stack, "forces", None))


def measured(session: Session) -> tuple[Array, Array]:
    """Points and forces (N, 3) of the world on the character in the last step of physics."""
    sim = session.simulator
    root = sim.model.body_rootid[sim.model.geom_bodyid]
    points, forces, wrench = [], [], np.zeros(6)
    for k, contact in enumerate(sim.data.contact):
        first, second = (root[geom] == sim.robot.root for geom in contact.geom)
        if first == second:
            continue
        mujoco.mj_contactForce(sim.model, sim.data, k, wrench)
        force = contact.frame.reshape(3, 3).T @ wrench[:3]  # on the second geom
        points.append(contact.pos)
        forces.append(force if second else -force)
    return np.array(points).reshape(-1, 3), np.array(forces).reshape(-1, 3)


def pushes(session: Session) -> tuple[Array, Array]:
    """The push that acts now, at the torso."""
    data, torso = session.simulator.data, session.simulator.robot.torso
    return data.xipos[torso][None], data.xfrc_applied[torso, :3][None]


def _points_and_forces(forces: ContactForces | None) -> tuple[Array, Array]:
    if forces is None:
        return np.zeros((0, 3)), np.zeros((0, 3))
    return forces.contacts.p_W, forces.force_W


def _corners(regions: Sequence[ContactRegion], margin: float) -> list[Array]:
    """(4, 3) corners of each region less a margin, a little above it; regions of which nothing is left are left out."""
    found = []
    for region in regions:
        half = np.array([*(region.half_extent - margin), 0.0])
        if (half >= 0.0).all():
            found.append(region.p_W + (_CORNERS * half + (0.0, 0.0, _ABOVE)) @ region.R_WR.T)
    return found


def _soles(plan: FootstepPlan, feet: Mapping[str, tuple[float, float]]) -> list[Array]:
    """(4, 3) corners of the soles that a plan sets down, of `feet` with their half extents."""
    steps = zip(plan.limb, plan.foot_W, plan.region, plan.yaw, strict=True)
    return [
        foot_W + (_CORNERS * (*feet[limb], 0.0) + (0.0, 0.0, 2.0 * _ABOVE)) @ _sole_on(region.R_WR[:, 2], yaw).T
        for limb, foot_W, region, yaw in steps
        if limb in feet
    ]


def _sole_on(normal_W: Array, yaw: float) -> Array:
    """The orientation of a sole with that heading on a slope."""
    x = rotation_z(yaw)[:, 0]
    x = x - (x @ normal_W) * normal_W
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(normal_W, x), normal_W])
