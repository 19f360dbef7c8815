"""Solid things to stand on and hold, and the sky above them.

A `Block` is geometry and contact region in one: both come from `top`, so what the
planners believe about the world and what MuJoCo simulates cannot disagree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import mujoco
import numpy as np

from hmpc.errors import InputError
from hmpc.types import ContactRegion

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MAX_FRICTION = 1.0  # dry rubber on dry concrete; with more, no controller would be caught slipping
CHECKER, CONCRETE, WOOD = "hmpc_checker", "hmpc_concrete", "hmpc_wood"  # materials made by `add_sky_and_light`

BAR_PREFIX = "hmpc_bar"  # names of the geoms that a hand can close around begin with this
_TORSION, _ROLLING = 0.005, 0.0001  # [m] MuJoCo's defaults for the other components of friction
_WORLD_BIT = 1  # collision bit of the world, which the geoms of a robot answer to


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Block:
    """A solid below a flat top face."""

    top: ContactRegion
    depth: float = 0.5  # [m] below the top face; inf: the half-space below it, endless in all directions
    use: Literal["feet", "hands", "seat", "none"] = "feet"  # what may plan to touch it; "none": felt, not foreseen
    material: str = CONCRETE

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """Add the block to the world of `spec`."""
        top = self.top
        if not 0.0 <= top.mu <= MAX_FRICTION:
            raise InputError(f"The friction of a block must be from 0 to {MAX_FRICTION:g}, got {top.mu:g}.")
        quat = np.empty(4)
        mujoco.mju_mat2Quat(quat, top.R_WR.ravel())
        endless = math.isinf(self.depth)
        half_depth = 0.0 if endless else 0.5 * self.depth
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_PLANE if endless else mujoco.mjtGeom.mjGEOM_BOX,
            pos=top.p_W - half_depth * top.R_WR[:, 2],
            quat=quat,
            size=[*top.half_extent, 1.0 if endless else half_depth],
            material=self.material,
            **_surface(top.mu),
        )


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Bar:
    """A round bar that a hand can close around: it lies along the x axis of `top`, which touches it from above."""

    top: ContactRegion
    radius: float = 0.02  # [m]
    use: Literal["hands"] = "hands"
    material: str = WOOD

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """Add the bar to the world of `spec`."""
        top = self.top
        middle, half = top.p_W - self.radius * top.R_WR[:, 2], top.half_extent[0] * top.R_WR[:, 0]
        bars = [geom for geom in spec.geoms if geom.name.startswith(BAR_PREFIX)]
        spec.worldbody.add_geom(
            name=f"{BAR_PREFIX}_{len(bars)}",
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            fromto=[*(middle - half), *(middle + half)],
            size=[self.radius, 0.0, 0.0],
            material=self.material,
            **_surface(top.mu),
        )


def _surface(mu: float) -> dict[str, Any]:
    """How a solid thing of the world is touched and seen.

    A robot's <default> may say anything: all that matters is said here. Between geoms of equal priority MuJoCo takes
    the larger friction; with the higher priority the ground's is the one that counts.
    """
    return {
        "priority": 1,
        "friction": [mu, _TORSION, _ROLLING],
        "condim": 3,
        "contype": _WORLD_BIT,
        "conaffinity": _WORLD_BIT,
        "group": 0,
        "rgba": [0.5, 0.5, 0.5, 1.0],  # MuJoCo's default, which lets the material show
    }


def region(
    p_W: ArrayLike, half_extent: ArrayLike, mu: float, R_WR: ArrayLike = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
) -> ContactRegion:
    """The rectangle around `p_W` [m]; level unless `R_WR` says otherwise."""
    return ContactRegion(p_W=p_W, R_WR=R_WR, half_extent=half_extent, mu=mu)  # type: ignore[arg-type]


def add_sky_and_light(spec: mujoco.MjSpec) -> None:
    """A pale sky, a sun that throws shadows, and the materials of the blocks."""
    builtin, kind = mujoco.mjtBuiltin, mujoco.mjtTexture
    spec.add_texture(
        name="hmpc_sky",
        type=kind.mjTEXTURE_SKYBOX,
        builtin=builtin.mjBUILTIN_GRADIENT,
        rgb1=[0.55, 0.68, 0.82],
        rgb2=[0.95, 0.97, 1.0],
        width=256,
        height=1536,  # six faces of a cube
    )
    spec.add_texture(
        name=CHECKER,
        type=kind.mjTEXTURE_2D,
        builtin=builtin.mjBUILTIN_CHECKER,
        mark=mujoco.mjtMark.mjMARK_EDGE,
        rgb1=[0.74, 0.77, 0.80],
        rgb2=[0.80, 0.83, 0.86],
        markrgb=[0.62, 0.65, 0.69],
        width=512,
        height=512,
    )
    # texuniform with this repeat makes every checker 0.5 m wide: a ruler to read steps from
    checker = spec.add_material(name=CHECKER, texuniform=True, texrepeat=[2.0, 2.0], reflectance=0.05)
    checker.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = CHECKER
    spec.add_material(name=CONCRETE, rgba=[0.66, 0.68, 0.70, 1.0], specular=0.1)
    spec.add_material(name=WOOD, rgba=[0.66, 0.50, 0.34, 1.0], specular=0.2)
    spec.worldbody.add_light(
        name="hmpc_sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=[-2.0, -3.0, 6.0],
        dir=[0.3, 0.4, -0.86],
        diffuse=[0.6, 0.6, 0.58],
        specular=[0.2, 0.2, 0.2],
        castshadow=True,
    )
    spec.visual.headlight.ambient = [0.36, 0.36, 0.38]
    spec.visual.headlight.diffuse = [0.25, 0.25, 0.25]
    spec.visual.headlight.specular = [0.0, 0.0, 0.0]
