"""The shapes that MuJoCo's primitives are drawn with: vertices and triangles of size one, to be scaled."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_SECTIONS, _RINGS = 16, 9  # around and along: the edge of a head that is 60 pixels wide is off by half a pixel


class Shape(NamedTuple):
    """Triangles; where vertices are shared the surface looks smooth, where they are doubled it has an edge."""

    vertices: NDArray[np.float32]  # (V, 3) within -1 to 1
    faces: NDArray[np.uint32]  # (F, 3) counter-clockwise from outside


@cache
def sphere() -> Shape:
    """Of radius 1."""
    angle = np.linspace(0.0, np.pi, _RINGS)
    return _revolved(np.sin(angle), -np.cos(angle))


@cache
def tube() -> Shape:
    """A cylinder of radius 1 along z from -1 to 1, open at both ends: with a sphere at each it is a capsule."""
    return _revolved(np.array([1.0, 1.0]), np.array([-1.0, 1.0]))


@cache
def cylinder() -> Shape:
    """A cylinder of radius 1 along z from -1 to 1."""
    bottom, top = _revolved(np.array([0.0, 1.0]), -np.ones(2)), _revolved(np.array([1.0, 0.0]), np.ones(2))
    return _joined(bottom, tube(), top)


@cache
def box() -> Shape:
    """From -1 to 1 along each axis."""
    side = Shape(
        np.array([(1, -1, -1), (1, 1, -1), (1, 1, 1), (1, -1, 1)], np.float32),
        np.array([(0, 1, 2), (0, 2, 3)], np.uint32),
    )
    sides = [Shape(sign * np.roll(side.vertices, axis, axis=1), side.faces) for axis in range(3) for sign in (1, -1)]
    # A mirrored side is seen from within unless its triangles turn round.
    return _joined(*(s if k % 2 == 0 else Shape(s.vertices, s.faces[:, ::-1]) for k, s in enumerate(sides)))


def _revolved(radius: NDArray[np.float64], z: NDArray[np.float64]) -> Shape:
    """The surface that points (radius, z), listed from below to above, sweep around the z axis."""
    angle = np.arange(_SECTIONS) * (2.0 * np.pi / _SECTIONS)
    ring = np.stack([np.cos(angle), np.sin(angle), np.ones(_SECTIONS)], axis=1)
    vertices = ring * np.stack([radius, radius, z], axis=1)[:, None]
    lower = np.arange(_SECTIONS) + _SECTIONS * np.arange(len(z) - 1)[:, None]
    following = np.roll(lower, -1, axis=1)
    quads = np.stack([lower, following, following + _SECTIONS, lower + _SECTIONS], axis=-1).reshape(-1, 4)
    faces = np.concatenate([quads[:, (0, 1, 2)], quads[:, (0, 2, 3)]])
    return Shape(vertices.reshape(-1, 3).astype(np.float32), faces.astype(np.uint32))


def _joined(*parts: Shape) -> Shape:
    first = np.cumsum([0, *(len(part.vertices) for part in parts)])
    faces = [part.faces + start for part, start in zip(parts, first[:-1], strict=True)]
    return Shape(np.concatenate([part.vertices for part in parts]), np.concatenate(faces).astype(np.uint32))
