"""Stepping regions of a triangle mesh or a heightfield: flat patches that are not too steep, covered by rectangles.

1. Triangles grow together to patches as long as they are level with the plane of the patch.
2. Each patch is laid flat, united to a polygon, and shrunk by a margin.
3. The polygon is covered by the largest rectangles that lie in it. They overlap, so that a sole finds room where two
   of them meet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.errors import InputError
from hmpc.types import ContactRegion

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from hmpc.types import Array

_RECTANGULAR = 0.999  # share of its bounding rectangle that a polygon fills, if it is one


@dataclass(frozen=True, kw_only=True)
class PatchParams:
    """What counts as a place for a foot."""

    max_slope: float = math.radians(25.0)  # [rad] steepest patch
    flatness: float = 0.01  # [m] by which a surface may leave the plane of its patch
    bend: float = math.radians(10.0)  # [rad] between the normal of a triangle and that of its patch
    margin: float = 0.02  # [m] along the edges that is not offered; the planner keeps its own distance as well
    smallest: float = 0.08  # [m] shorter side of a rectangle that is worth a step
    resolution: float = 0.02  # [m] of the grid in which rectangles are looked for ...
    most_cells: int = 80  # ... unless a patch has more cells than this in one direction


def heightfield_mesh(heights: ArrayLike, cell: float, origin_W: ArrayLike = (0.0, 0.0, 0.0)) -> tuple[Array, Array]:
    """Vertices (V, 3) [m] and faces (F, 3) of heights (rows along y, columns along x), one every `cell` metres."""
    z = np.asarray(heights, dtype=float)
    if z.ndim != 2 or min(z.shape) < 2 or not np.isfinite(z).all():
        raise InputError(f"A heightfield needs finite heights in at least 2 rows and 2 columns, got shape {z.shape}.")
    rows, columns = z.shape
    x, y = np.meshgrid(cell * np.arange(columns), cell * np.arange(rows))
    vertices = np.column_stack([x.ravel(), y.ravel(), z.ravel()]) + np.asarray(origin_W)
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, up, across = corner + 1, corner + columns, corner + columns + 1
    return vertices, np.concatenate([np.column_stack([corner, right, across]), np.column_stack([corner, across, up])])


def mesh_regions(
    vertices_W: ArrayLike, faces: ArrayLike, mu: float, params: PatchParams | None = None
) -> tuple[ContactRegion, ...]:
    """Where feet may be planned to step on a triangle mesh (V, 3) [m], (F, 3); counter-clockwise from above."""
    params, (trimesh, _) = params or PatchParams(), _libraries()
    mesh = trimesh.Trimesh(np.asarray(vertices_W, dtype=float), np.asarray(faces, dtype=np.int64))
    return tuple(
        region for patch in _grow_patches(mesh, params) for region in _patch_regions(mesh.triangles[patch], mu, params)
    )


def _libraries() -> tuple[Any, Any]:
    try:
        import shapely
        import trimesh
    except ImportError as error:
        raise InputError(
            f"Regions of meshes need {error.name}, which is not installed: pip install 'hmpc[meshes]'."
        ) from None
    return trimesh, shapely


def _grow_patches(mesh: Any, params: PatchParams) -> list[list[int]]:
    """Lists of triangles that are connected and lie in one plane, largest triangles first."""
    normals, first = mesh.face_normals, mesh.triangles[:, 0]
    free = normals[:, 2] > math.cos(params.max_slope)
    neighbours: list[list[int]] = [[] for _ in range(len(mesh.faces))]
    for a, b in mesh.face_adjacency.tolist():
        neighbours[a].append(b)
        neighbours[b].append(a)
    patches = []
    for seed in np.argsort(-mesh.area_faces, kind="stable").tolist():
        if not free[seed]:
            continue
        level = np.abs((mesh.triangles - first[seed]) @ normals[seed]).max(axis=1) <= params.flatness
        fits = free & level & (normals @ normals[seed] >= math.cos(params.bend))
        patch, border = [], [seed]
        free[seed] = fits[seed] = False
        while border:
            face = border.pop()
            patch.append(face)
            for other in neighbours[face]:
                if fits[other]:
                    free[other] = fits[other] = False
                    border.append(other)
        patches.append(patch)
    return patches


def _patch_regions(triangles_W: Array, mu: float, params: PatchParams) -> list[ContactRegion]:
    """Rectangles that cover a patch of triangles (T, 3, 3)."""
    _, shapely = _libraries()
    middle, R_WP = _plane(triangles_W.reshape(-1, 3))
    flat = (triangles_W - middle) @ R_WP[:, :2]
    polygons = shapely.buffer(shapely.union_all(shapely.polygons(flat)), -params.margin, join_style="mitre")
    regions = []
    for polygon in shapely.get_parts(polygons):
        box = shapely.oriented_envelope(polygon)
        if polygon.is_empty or box.geom_type != "Polygon":
            continue
        corners = np.array(box.exterior.coords)
        along = corners[1] - corners[0]
        turn = math.atan2(along[1], along[0]) % (0.5 * math.pi)
        c, s = math.cos(turn), math.sin(turn)
        R2 = np.array([[c, -s], [s, c]])
        turned = shapely.transform(polygon, lambda xy, R2=R2: xy @ R2)
        R_WR = R_WP @ np.block([[R2, np.zeros((2, 1))], [np.zeros((1, 2)), np.ones((1, 1))]])
        regions += [
            ContactRegion(
                p_W=middle + R_WR[:, :2] @ (0.5 * (low + high)), R_WR=R_WR, half_extent=0.5 * (high - low), mu=mu
            )
            for low, high in _rectangles(turned, params)
        ]
    return regions


def _plane(points_W: Array) -> tuple[Array, Array]:
    """Middle and axes (z up, out of the plane; x forward) of the plane that fits the points best."""
    middle = points_W.mean(axis=0)
    normal = np.linalg.svd(points_W - middle, full_matrices=False)[2][2]
    normal *= math.copysign(1.0, normal[2])
    x = np.array([normal[2], 0.0, -normal[0]])
    x /= np.linalg.norm(x)
    return middle, np.column_stack([x, np.cross(normal, x), normal])


def _rectangles(polygon: Any, params: PatchParams) -> list[tuple[Array, Array]]:
    """(low, high) corners of upright rectangles that cover a polygon, as far as they are worth a step."""
    _, shapely = _libraries()
    x0, y0, x1, y1 = polygon.bounds
    size = np.array([x1 - x0, y1 - y0])
    if size.min() < params.smallest:
        return []
    if polygon.area > _RECTANGULAR * size.prod():
        return [(np.array([x0, y0]), np.array([x1, y1]))]
    cells = np.clip(np.ceil(size / params.resolution), 1, params.most_cells).astype(int)
    cell = size / cells
    x, y = x0 + cell[0] * np.arange(cells[0] + 1), y0 + cell[1] * np.arange(cells[1] + 1)
    inside = shapely.contains_xy(polygon.buffer(1e-9), *np.meshgrid(x, y, indexing="ij"))
    open_cells = inside[:-1, :-1] & inside[1:, :-1] & inside[:-1, 1:] & inside[1:, 1:]
    fewest = np.maximum(np.ceil(params.smallest / cell), 1).astype(int)
    return [
        (np.array([x[i0], y[j0]]), np.array([x[i1], y[j1]])) for i0, i1, j0, j1 in cover(open_cells, fewest.tolist())
    ]


def cover(cells: NDArray[np.bool_], fewest: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Rectangles [i0, i1) x [j0, j1) of True `cells`, each the one that covers the most that is still uncovered.

    Each is as large as it can be and at least `fewest` cells long and wide; what is left over has no room for another.
    """
    candidates = []
    for i0 in range(len(cells)):
        column = np.ones(cells.shape[1], dtype=bool)
        for i1 in range(i0 + 1, len(cells) + 1):
            column &= cells[i1 - 1]
            if i1 - i0 >= fewest[0]:
                edges = np.flatnonzero(np.diff(column, prepend=False, append=False))
                candidates += [(i0, i1, j0, j1) for j0, j1 in edges.reshape(-1, 2) if j1 - j0 >= fewest[1]]
            if not column.any():
                break
    uncovered, chosen = cells.copy(), []
    while candidates:
        total = np.pad(uncovered.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        i0, i1, j0, j1 = np.array(candidates).T
        gain = total[i1, j1] - total[i0, j1] - total[i1, j0] + total[i0, j0]
        area = (i1 - i0) * (j1 - j0)
        best = int(np.lexsort((-area, -gain))[0])
        if gain[best] < fewest[0] * fewest[1]:
            break
        chosen.append(candidates[best])
        uncovered[i0[best] : i1[best], j0[best] : j1[best]] = False
        candidates = [c for c, g in zip(candidates, gain, strict=True) if g > 0]
    return [tuple(int(k) for k in rectangle) for rectangle in chosen]  # type: ignore[misc]
