"""What stays constant about the contact phases during a search, as arrays for the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hmpc.geometry import rotation_z

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hmpc.params import FrbParams
    from hmpc.types import Array, BodyModel, ContactPhase, ContactRegion, LimbModel

    Indices = NDArray[np.int64]
    Flags = NDArray[np.bool_]

NONE = -1  # no such phase
TIMES, COP_SIZE, FORCE_SIZE = 2, 3, 4  # numbers in a row: (t_s, t_f); a COP point; (f_l, f_r)


class PhaseTable(NamedTuple):
    """N contact phases. A candidate's row holds, phase by phase, t_s, t_f, the COP and the force points."""

    offset: Indices  # (N,) where the phase begins in a row
    n_cop: Indices  # (N,) control points of the COP
    n_force: Indices  # (N,) control points of the force
    before: Indices  # (N,) previous phase of the same limb, or NONE
    giver: Indices  # (N,) phase of the foot (or hand) that hands its load to this one in a double support, or NONE
    taker: Indices  # (N,) phase of the foot (or hand) that takes the load of this one, or NONE
    fixed: Flags  # (N,) already in contact
    ends: Flags  # (N,) within the plan
    foot: Flags  # (N,) rather than a hand
    seat: Flags  # (N,) passive: its force follows from the motion
    side: Array  # (N,) of a foot: 1 left, -1 right; 0 for other limbs
    bilateral: Flags  # (N,)
    mu: Array  # (N,)
    force_limit: Array  # (N,) [N]
    root_B: Array  # (N, 3) [m] hip or shoulder
    reach: Array  # (N,) [m]
    center_W: Array  # (N, 3) [m] of the limb's contact rectangle, if fixed
    R_WL: Array  # (N, 3, 3) axes of the limb's contact rectangle
    half_extent: Array  # (N, 2) [m] of the limb's contact rectangle
    region_W: Array  # (N, 3) [m] centre of the region
    R_WR: Array  # (N, 3, 3) axes of the region
    normal_W: Array  # (N, 3) of the region
    room: Array  # (N, 2) [m] half-extent of where the limb's centre may be in the region


def tabulate(phases: Sequence[ContactPhase], t_end: float, body: BodyModel, params: FrbParams) -> PhaseTable:
    """The table of the phases of a plan that ends at `t_end`."""
    limbs = [body.limb(p.limb) for p in phases]
    index = range(len(phases))
    taker = [_taker(phases, [(limb.is_foot, limb.is_knee) for limb in limbs], j) for j in index]
    sizes = [TIMES + COP_SIZE * len(p.cop_W) + FORCE_SIZE * len(p.f_l) for p in phases]
    limits = [params.hand_force_limit if limb.is_hand else params.foot_force_limit for limb in limbs]
    return PhaseTable(
        offset=_integers([sum(sizes[:i]) for i in index]),
        n_cop=_integers([len(p.cop_W) for p in phases]),
        n_force=_integers([len(p.f_l) for p in phases]),
        before=_integers([_previous_of_limb(phases, i) for i in index]),
        giver=_integers([taker.index(i) if i in taker else NONE for i in index]),
        taker=_integers(taker),
        fixed=np.array([p.fixed for p in phases], dtype=np.bool_),
        ends=np.array([p.t_end < t_end for p in phases], dtype=np.bool_),
        foot=np.array([limb.is_foot for limb in limbs], dtype=np.bool_),
        seat=np.array([limb.is_seat for limb in limbs], dtype=np.bool_),
        side=np.array([np.sign(limb.root_B[1]) if limb.is_foot else 0.0 for limb in limbs], dtype=np.float64),
        bilateral=np.array([p.region.bilateral for p in phases], dtype=np.bool_),
        mu=np.array([p.region.mu for p in phases], dtype=np.float64),
        force_limit=body.mass * params.gravity * np.array(limits, dtype=np.float64),
        root_B=_stack([limb.root_B for limb in limbs], 3),
        reach=np.array([limb.reach + limb.is_foot * params.heel_stretch for limb in limbs], dtype=np.float64),
        center_W=_stack([p.center_W for p in phases], 3),
        R_WL=_stack([limb_axes(p.region, p.yaw) for p in phases], 3, 3),
        half_extent=_stack([limb.half_extent for limb in limbs], 2),
        region_W=_stack([p.region.p_W for p in phases], 3),
        R_WR=_stack([p.region.R_WR for p in phases], 3, 3),
        normal_W=_stack([p.region.R_WR[:, 2] for p in phases], 3),
        room=_stack([_room(p, limb, params.edge_margin) for p, limb in zip(phases, limbs, strict=True)], 2),
    )


def limb_axes(region: ContactRegion, yaw: float) -> Array:
    """R_WL: axes of a limb's contact rectangle, its heading laid into the surface.

    A hand on a rail lies along it, and so does a limb whose heading is normal to the surface.
    """
    normal = region.R_WR[:, 2]
    if region.half_extent[1] == 0.0 or abs(normal @ rotation_z(yaw)[:, 0]) > 1.0 - 1e-12:
        return np.array(region.R_WR)
    return surface_axes(normal, yaw)


def surface_axes(normal: Array, yaw: float) -> Array:
    """Axes (3, 3) of something flat that lies on a surface and heads towards `yaw`, as seen from above."""
    x = rotation_z(yaw)[:, 0]
    x = x - (x @ normal) * normal
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(normal, x), normal])


def _room(phase: ContactPhase, limb: LimbModel, margin: float) -> Array:
    """The region shrunk by the limb's rectangle and the margin, but never so far that it excludes the guess.

    Whoever made the guess may let a sole overhang a region that is smaller than the sole.
    """
    R_RL = phase.region.R_WR.T @ limb_axes(phase.region, phase.yaw)
    shrunk = phase.region.half_extent - np.abs(R_RL[:2, :2]) @ limb.half_extent - margin
    guess = np.abs(phase.region.R_WR[:, :2].T @ (phase.center_W - phase.region.p_W))
    return np.maximum(shrunk, np.minimum(guess, phase.region.half_extent))


def _previous_of_limb(phases: Sequence[ContactPhase], i: int) -> int:
    earlier = [j for j in range(i) if phases[j].limb == phases[i].limb]
    return earlier[-1] if earlier else NONE


def _taker(phases: Sequence[ContactPhase], kind: Sequence[tuple[bool, bool]], j: int) -> int:
    """The foot that lands while foot j is on the ground and stays longer; the hand or knee likewise."""
    giver = phases[j]
    for i, p in enumerate(phases):
        if kind[i] == kind[j] and p.limb != giver.limb and giver.t_start < p.t_start < giver.t_end < p.t_end:
            return i
    return NONE


def _integers(values: Sequence[int]) -> Indices:
    return np.array(values, dtype=np.int64)


def _stack(arrays: Sequence[Array], *shape: int) -> Array:
    """Arrays of equal shape as one contiguous array, also if there are none."""
    return np.array(arrays, dtype=np.float64).reshape(-1, *shape)
