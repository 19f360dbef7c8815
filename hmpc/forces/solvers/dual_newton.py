"""The force problem solved through its dual: 6 (+ k) unknowns, whatever the number of contacts.

For a given u the contacts are independent of each other: Σ ½ wᵢ |fᵢ|² − uᵀ B f is smallest at

    fᵢ(u) = Proj_Kᵢ(yᵢ),   yᵢ = Bᵢᵀ u / wᵢ          (closed form: `_project`)

The u that solves the problem, the weighted wrench that stays missing, minimises the strongly
convex and piecewise quadratic

    φ(u) = ½ |u|² − βᵀ u + Σ wᵢ (yᵢᵀ fᵢ − ½ |fᵢ|²)
    ∇φ(u) = u − β + B f(u)                          (zero: u = β − B f)
    H(u) = 1 + Σ Bᵢ Jᵢ Bᵢᵀ / wᵢ                     (Jᵢ: projection onto the face on which fᵢ lies)

Newton's method is exact once it is on the right faces, usually after one to three steps. It starts
from the answer without cones, never from an earlier one: equal problems have equal answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hmpc.forces.solvers.linalg import add_outer, cholesky_solve, dot, sum_abs
from hmpc.forces.solvers.problem import assemble, to_world

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hmpc.forces.solvers.problem import ForceTask
    from hmpc.types import Array

    Bools = NDArray[np.bool_]
    Faces = NDArray[np.int8]  # for each axis of a force the bound that holds it: -1, 1 or 0 (free)

_TOLERANCE = 1e-12  # of |∇φ| against |β|: nothing left to improve
_ACCEPTABLE = 1e-9  # of |∇φ| against |β|: an answer, where rounding allows no better
_MAX_STEPS = 30  # of Newton's method at one softness; more means that it zigzags between faces
_MAX_TRIALS = 60  # of one line search
_FLAT = 0.01  # a line search ends where the slope is this fraction of the initial one
# A small w makes φ bend sharply between faces, and in one of some thousand ill-posed problems Newton's method
# zigzags there. Then the problem is approached from softer ones (w times this), each from where the last ended.
_SOFTNESS = (1.0, 1e4, 1e3, 1e2, 1e1, 5.0, 2.5, 1.5, 1.0)


def solve(task: ForceTask) -> tuple[Array, Array, bool]:
    """The optimal forces (N, 3), their wrench error (6,), and whether Newton's method converged on them."""
    return _solve_task(*task)


@njit(cache=True, error_model="numpy")
def _solve_task(
    points: Array,
    com_W: Array,
    wrench_W: Array,
    rows: Array,
    target: Array,
    row_weight: Array,
    linear_weight: float,
    angular_weight: float,
) -> tuple[Array, Array, bool]:
    B, beta, w, mu, cap, bilateral, R_WC, usable = assemble(
        points, com_W, wrench_W, rows, target, row_weight, linear_weight, angular_weight
    )
    force_C, solved = np.zeros((w.size, 3)), False
    if usable:
        solved = _solve(B, beta, w, mu, cap, bilateral, force_C)
    force_W, error_W = to_world(force_C, R_WC, points, com_W, wrench_W)
    return force_W, error_W, solved


@njit(cache=True, error_model="numpy")
def _solve(B: Array, beta: Array, w: Array, mu: Array, cap: Array, bilateral: Bools, force: Array) -> bool:
    """Fill in the optimal forces (N, 3) of a `ForceProblem`; true if they are."""
    u, hessian, face = np.empty(beta.size), np.empty((beta.size, beta.size)), np.zeros(force.shape, dtype=np.int8)
    _fill_hessian(B, w, mu, bilateral, face, hessian)
    cholesky_solve(hessian, beta, u)
    for softness in _SOFTNESS:
        converged = _minimise(B, beta, softness * w, mu, cap, bilateral, u, force, face, hessian)
        if converged and softness == 1.0:
            return True
    return False


@njit(cache=True, error_model="numpy")
def _minimise(
    B: Array,
    beta: Array,
    w: Array,
    mu: Array,
    cap: Array,
    bilateral: Bools,
    u: Array,
    force: Array,
    face: Faces,
    hessian: Array,
) -> bool:
    """Newton's method on φ from `u`, in place; true if it converged."""
    y, dy, descent, step = np.empty(force.shape), np.empty(force.shape), np.empty(u.size), np.empty(u.size)
    scale = sum_abs(beta)
    _evaluate(B, beta, w, mu, cap, bilateral, u, y, force, face, descent)
    on_right_faces = False
    for _ in range(_MAX_STEPS):
        error = sum_abs(descent)
        if error <= _TOLERANCE * scale or (on_right_faces and error <= _ACCEPTABLE * scale):
            return True
        _fill_hessian(B, w, mu, bilateral, face, hessian)
        cholesky_solve(hessian, descent, step)
        _fill_demand(B, w, step, dy)
        t = _line_search(w, mu, cap, bilateral, y, dy, dot(u, step) - dot(beta, step), dot(step, step))
        for j in range(u.size):
            u[j] += t * step[j]
        # A full step that stays on its faces is exact.
        on_right_faces = _evaluate(B, beta, w, mu, cap, bilateral, u, y, force, face, descent) and t == 1.0
    return sum_abs(descent) <= _ACCEPTABLE * scale


@njit(cache=True, error_model="numpy")
def _evaluate(
    B: Array,
    beta: Array,
    w: Array,
    mu: Array,
    cap: Array,
    bilateral: Bools,
    u: Array,
    y: Array,
    force: Array,
    face: Faces,
    descent: Array,
) -> bool:
    """Fill in y, f(u), its faces and −∇φ(u); true if the faces are those of before."""
    _fill_demand(B, w, u, y)
    same_faces = True
    for j in range(u.size):
        descent[j] = beta[j] - u[j]
    for i in range(w.size):
        f1, f2, f3, s1, s2, s3 = _project(y[i, 0], y[i, 1], y[i, 2], mu[i], cap[i], bilateral[i])
        same_faces = same_faces and face[i, 0] == s1 and face[i, 1] == s2 and face[i, 2] == s3
        force[i, 0], force[i, 1], force[i, 2] = f1, f2, f3
        face[i, 0], face[i, 1], face[i, 2] = s1, s2, s3
        for j in range(u.size):
            descent[j] -= B[j, 3 * i] * f1 + B[j, 3 * i + 1] * f2 + B[j, 3 * i + 2] * f3
    return same_faces


@njit(cache=True, error_model="numpy")
def _fill_demand(B: Array, w: Array, u: Array, y: Array) -> None:
    """y, the forces (N, 3) that `u` asks of the contacts: yᵢ = Bᵢᵀ u / wᵢ."""
    for i in range(w.size):
        y1, y2, y3 = 0.0, 0.0, 0.0
        for j in range(u.size):
            y1 += B[j, 3 * i] * u[j]
            y2 += B[j, 3 * i + 1] * u[j]
            y3 += B[j, 3 * i + 2] * u[j]
        y[i, 0], y[i, 1], y[i, 2] = y1 / w[i], y2 / w[i], y3 / w[i]


@njit(cache=True, error_model="numpy")
def _line_search(
    w: Array, mu: Array, cap: Array, bilateral: Bools, y: Array, dy: Array, constant: float, linear: float
) -> float:
    """The t in (0, 1] at which φ stops falling along a Newton step, to within `_FLAT`.

    φ is convex, so its slope (u − β)ᵀ step + t |step|² + Σ wᵢ dyᵢᵀ Proj(yᵢ + t dyᵢ) only rises with t.
    Its zero is found by regula falsi with the Illinois rule: an end of the bracket that stays counts half.
    """
    slope_0 = _slope(w, mu, cap, bilateral, y, dy, 0.0, constant)
    t, t_low, t_high, slope_low, slope_high = 1.0, 0.0, 1.0, slope_0, 0.0
    rose = fell = False
    for _ in range(_MAX_TRIALS):
        slope = _slope(w, mu, cap, bilateral, y, dy, t, constant + t * linear)
        if abs(slope) <= _FLAT * abs(slope_0) or (t == 1.0 and slope < 0.0):
            break
        if slope > 0.0:
            t_high, slope_high = t, slope
            slope_low *= 0.5 if rose else 1.0
        else:
            t_low, slope_low = t, slope
            slope_high *= 0.5 if fell else 1.0
        rose, fell = slope > 0.0, slope <= 0.0
        t = t_low + (t_high - t_low) * slope_low / (slope_low - slope_high)
    return t


@njit(cache=True, error_model="numpy")
def _slope(
    w: Array, mu: Array, cap: Array, bilateral: Bools, y: Array, dy: Array, t: float, without_contacts: float
) -> float:
    slope = without_contacts
    for i in range(w.size):
        d1, d2, d3 = dy[i, 0], dy[i, 1], dy[i, 2]
        f1, f2, f3, _, _, _ = _project(
            y[i, 0] + t * d1, y[i, 1] + t * d2, y[i, 2] + t * d3, mu[i], cap[i], bilateral[i]
        )
        slope += w[i] * (d1 * f1 + d2 * f2 + d3 * f3)
    return slope


@njit(cache=True, error_model="numpy")
def _project(
    y1: float, y2: float, y3: float, mu: float, cap: float, bilateral: bool
) -> tuple[float, float, float, int, int, int]:
    """The point of Kᵢ nearest to y, and for each axis the bound that holds it there: -1, 1 or 0 (free).

    Pyramid: with f₃ given, f₁ and f₂ are clipped to ± μ f₃. What is left is a convex problem in f₃
    alone, with none, one or both of f₁ and f₂ on a wall.
    """
    if bilateral:
        f3, s3 = _clip(y3, -cap, cap)
        wall = cap
    else:
        longer, shorter = max(abs(y1), abs(y2)), min(abs(y1), abs(y2))
        normal = y3
        if longer > mu * normal:
            normal = (y3 + mu * longer) / (1.0 + mu * mu)
        if shorter > mu * normal:
            normal = (y3 + mu * (longer + shorter)) / (1.0 + 2.0 * mu * mu)
        f3, s3 = _clip(normal, 0.0, cap)
        wall = mu * f3
    f1, s1 = _clip(y1, -wall, wall)
    f2, s2 = _clip(y2, -wall, wall)
    return f1, f2, f3, s1, s2, s3


@njit(cache=True, error_model="numpy")
def _clip(x: float, low: float, high: float) -> tuple[float, int]:
    if x >= high:
        return high, 1
    if x <= low:
        return low, -1
    return x, 0


@njit(cache=True, error_model="numpy")
def _fill_hessian(B: Array, w: Array, mu: Array, bilateral: Bools, face: Faces, hessian: Array) -> None:
    """H, lower triangle: 1 and a rank-1 term for each direction in which a force is free to move."""
    m = hessian.shape[0]
    column = np.empty(m)
    hessian[:] = 0.0
    for j in range(m):
        hessian[j, j] = 1.0
    for i in range(w.size):
        for axis in range(2):
            if face[i, axis] == 0:
                for j in range(m):
                    column[j] = B[j, 3 * i + axis]
                add_outer(hessian, column, 1.0 / w[i])
        if face[i, 2] == 0:
            # A tangential force that lies on a wall of the pyramid moves along with the normal force.
            slide = 0.0 if bilateral[i] else mu[i]
            a1, a2 = slide * face[i, 0], slide * face[i, 1]
            for j in range(m):
                column[j] = a1 * B[j, 3 * i] + a2 * B[j, 3 * i + 1] + B[j, 3 * i + 2]
            add_outer(hessian, column, 1.0 / (w[i] * (1.0 + a1 * a1 + a2 * a2)))
