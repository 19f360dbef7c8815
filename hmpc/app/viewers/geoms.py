"""A MuJoCo model in the browser.

Primitives of one kind are one node of viser's scene, drawn as often as there are geoms: a character is three messages
and a few ten thousand triangles, which a browser without a graphics card shows at once. Meshes and height fields, with
their textures, are converted by mjviser.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import mujoco
import numpy as np
import viser.transforms as vtf

from hmpc.app.viewers import shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

    import viser
    from numpy.typing import NDArray

    from hmpc.types import Array

    _Array32 = NDArray[np.float32]  # as it is sent

WORLD = "/world"  # node of everything: it is moved so that what the camera looks at stays at the origin
_SHOWN_GROUPS = 3  # geoms of groups 0 to 2, as in MuJoCo's own viewer; collision geoms are in group 3
_UNPAINTED = (0.5, 0.5, 0.5, 1.0)  # MuJoCo's default colour of a geom, which lets its material show
_KINDS = mujoco.mjtGeom
_GRID_OPACITY, _GRID_SHADOW, _GRID_FADE = 0.4, 0.2, 50.0  # of the ground: plane, shadows on it, distance [m]


class _Part(NamedTuple):
    """A shape that is all or some of a geom."""

    shape: shapes.Shape
    scale: tuple[float, float, float]  # [m]
    geom: int
    along: float = 0.0  # [m] from the middle of the geom along its z axis


class _Batch:
    """Parts of one shape."""

    def __init__(self, parts: list[_Part]):
        self._geoms = np.array([part.geom for part in parts])
        self._along = np.array([part.along for part in parts])[:, None]
        self._shape = parts[0].shape
        self._scales = np.array([part.scale for part in parts], np.float32)

    def add(self, scene: viser.SceneApi, name: str, data: mujoco.MjData) -> None:
        colors = np.array([_color(data.model, geom) for geom in self._geoms])
        position, wxyz = self._poses(data)
        self._node = scene.add_batched_meshes_simple(
            name,
            *self._shape,
            batched_wxyzs=wxyz,
            batched_positions=position,
            batched_scales=self._scales,
            batched_colors=(255.0 * colors[:, :3]).astype(np.uint8),
            batched_opacities=colors[:, 3] if (colors[:, 3] < 1.0).any() else None,
            lod="off",
        )

    def move(self, data: mujoco.MjData) -> None:
        self._node.batched_positions, self._node.batched_wxyzs = self._poses(data)

    def _poses(self, data: mujoco.MjData) -> tuple[_Array32, _Array32]:
        """(N, 3) positions and (N, 4) quaternions."""
        R_WG = data.geom_xmat[self._geoms].reshape(-1, 3, 3)
        position = data.geom_xpos[self._geoms] + self._along * R_WG[:, :, 2]
        return position.astype(np.float32), vtf.SO3.from_matrix(R_WG).wxyz.astype(np.float32)


class Geoms:
    """What is visible of a model. What is welded to the world is drawn once, the rest is moved by `show`."""

    def __init__(self, scene: viser.SceneApi, model: mujoco.MjModel):
        self.model = model
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        self._world = scene.add_frame(WORLD, show_axes=False)
        fixed = model.body_weldid[model.geom_bodyid] == 0
        parts: dict[tuple[bool, int], list[_Part]] = defaultdict(list)
        self._meshes: list[tuple[int, Any]] = []
        for geom in _visible(model):
            if model.geom_type[geom] == _KINDS.mjGEOM_PLANE:
                _add_ground(scene, model, geom)
            elif found := list(_parts(model, geom)):
                for part in found:
                    parts[bool(fixed[geom]), id(part.shape)].append(part)
            else:
                self._meshes.append((geom, _add_mesh(scene, model, geom)))
        self._moving: list[_Batch] = []
        for number, ((stays, _), alike) in enumerate(parts.items()):
            batch = _Batch(alike)
            batch.add(scene, f"{WORLD}/{number}", data)
            if not stays:
                self._moving.append(batch)

    def show(self, data: mujoco.MjData, center_W: Array) -> None:
        """Move everything to where it is now, with `center_W` at the origin."""
        self._world.position = -center_W
        for batch in self._moving:
            batch.move(data)
        for geom, node in self._meshes:
            body = self.model.geom_bodyid[geom]
            node.position, node.wxyz = data.xpos[body], data.xquat[body]


def _visible(model: mujoco.MjModel) -> list[int]:
    shown = model.geom_group < _SHOWN_GROUPS
    return [geom for geom in np.flatnonzero(shown).tolist() if _color(model, geom)[3] > 0.0]


def _color(model: mujoco.MjModel, geom: int) -> Array:
    """(4,) from 0 to 1."""
    own, material = model.geom_rgba[geom], model.geom_matid[geom]
    return model.mat_rgba[material] if material >= 0 and np.allclose(own, _UNPAINTED) else own


def _parts(model: mujoco.MjModel, geom: int) -> Iterator[_Part]:
    """What a geom is made of; nothing if it is no primitive."""
    kind, (x, y, z) = model.geom_type[geom], map(float, model.geom_size[geom])
    if kind == _KINDS.mjGEOM_SPHERE:
        yield _Part(shapes.sphere(), (x, x, x), geom)
    elif kind == _KINDS.mjGEOM_ELLIPSOID:
        yield _Part(shapes.sphere(), (x, y, z), geom)
    elif kind == _KINDS.mjGEOM_CAPSULE:
        yield _Part(shapes.tube(), (x, x, y), geom)
        yield _Part(shapes.sphere(), (x, x, x), geom, along=y)
        yield _Part(shapes.sphere(), (x, x, x), geom, along=-y)
    elif kind == _KINDS.mjGEOM_CYLINDER:
        yield _Part(shapes.cylinder(), (x, x, y), geom)
    elif kind == _KINDS.mjGEOM_BOX:
        yield _Part(shapes.box(), (x, y, z), geom)


def _add_ground(scene: viser.SceneApi, model: mujoco.MjModel, geom: int) -> None:
    scene.add_grid(
        f"{WORLD}/ground_{geom}",
        infinite_grid=True,
        fade_distance=_GRID_FADE,
        plane_opacity=_GRID_OPACITY,
        shadow_opacity=_GRID_SHADOW,
        position=model.geom_pos[geom],
        wxyz=model.geom_quat[geom],
    )


def _add_mesh(scene: viser.SceneApi, model: mujoco.MjModel, geom: int) -> Any:
    from mjviser.conversions import merge_geoms  # brings trimesh and scipy, which most worlds can do without

    return scene.add_mesh_trimesh(f"{WORLD}/mesh_{geom}", merge_geoms(model, [geom]))
