"""Medium-term planning (Sec. 3.2.2): CMA over the contact phases of a floating rigid body.

    minimise over u = (Omega_0 .. Omega_N)   E(u) = Σ objectives(rollout of u from the current state)

The search is seeded and has no state outside of itself: same problem, parameters, seed and
number of iterations, same plan.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hmpc.errors import InputError, UnknownNameError
from hmpc.frb.model import Rollouts, Settings, roll_out
from hmpc.frb.newton import Descent
from hmpc.frb.objectives import (
    Objective,
    parameter_filtering,
    smoothness,
    step_width,
    tabulate_targets,
    target_state,
)
from hmpc.frb.phases import PhaseCodec
from hmpc.types import BodyModel, ContactPhase, FrbPlan, FrbState, Status, TargetState

if TYPE_CHECKING:
    from hmpc.params import FrbParams
    from hmpc.types import Array

WORST = 1e12  # cost of a candidate that cannot be evaluated; finite, because CMA ranks with it


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FrbProblem:
    """What to plan: where the body is, which contacts it may use, and what is wanted of it."""

    state: FrbState
    t0: float  # [s]
    horizon: float  # [s] 1-2 s, Sec. 3.2.2
    body: BodyModel
    phases: tuple[ContactPhase, ...]  # initial guess; phases of one limb in the order of time
    other_guesses: tuple[tuple[ContactPhase, ...], ...] = ()  # same structure: the search starts at the best guess
    newton: bool = False  # whether Gauss-Newton steps bring every guess to the targets first, contacts left in place
    polish: int = 0  # Gauss-Newton steps from the best guess, target after target, of everything there is to search
    targets: tuple[TargetState, ...] = ()
    step_width: float | None = None  # [m]; None: no such objective
    symmetry: float | None = None  # [rad] heading; left and right limbs then change together more than apart
    upper_com_B: Array | None = None  # (3,) [m] of the upper body relative to the hips; None: hips fixed in the body
    time_step: float | None = None  # [s] of the rollouts; None: the usual one
    objectives: tuple[Objective, ...] = ()  # of the user; picklable, if the search runs in a worker

    def __post_init__(self) -> None:
        if not (math.isfinite(self.t0) and 0.0 < self.horizon < math.inf):
            raise InputError(f"A plan needs a finite start and a positive horizon, got {self.t0} and {self.horizon}.")
        x = self.state
        if not all(np.isfinite(part).all() for part in (x.com_W, x.vel_W, x.R_WB, x.omega_W)):
            raise InputError("A plan cannot start at a state that is not finite.")
        names = [limb.name for limb in self.body.limbs]
        for i, phase in enumerate(self.phases):
            if phase.limb not in names:
                raise UnknownNameError("limb", phase.limb, names)
            if len(phase.cop_W) < 1 or len(phase.f_l) < 1 or len(phase.f_l) != len(phase.f_r_W):
                raise InputError(f"Phase {i} ({phase.limb}) needs COP points, and as many points of f_l as of f_r.")
            if not phase.t_start < phase.t_end:
                raise InputError(f"Phase {i} ({phase.limb}) ends at {phase.t_end} s, before its start.")
            if any(p.limb == phase.limb and p.t_start > phase.t_start for p in self.phases[:i]):
                raise InputError(f"Phases of one limb must be in the order of time: see phase {i} ({phase.limb}).")


class PlanSearch:
    """A search that can be continued and asked for its best plan at any time.

    A `short` one learns only the scales of the parameters: in a few iterations it could not learn how they hang
    together, and an iteration takes half the time.
    """

    def __init__(self, problem: FrbProblem, params: FrbParams, seed: int, *, short: bool = False) -> None:
        self.problem, self.params = problem, params
        time_step = params.time_step if problem.time_step is None else problem.time_step
        steps = max(1, math.ceil(problem.horizon / time_step - 1e-9))
        self._t = problem.t0 + np.linspace(0.0, problem.horizon, steps + 1)
        self._codec = PhaseCodec(problem.phases, self._t[-1], problem.body, params, problem.symmetry)
        self._targets = tabulate_targets(problem.targets, self._t, params)
        self._effort_weight = params.walking_effort_weight if problem.upper_com_B is None else params.effort_weight
        hands = ~(self._codec.table.foot | self._codec.table.seat)
        by_hand = problem.upper_com_B is None and bool(hands.any())
        self._settings = Settings.of(problem.body, params, problem.upper_com_B, by_hand=by_hand)

        self._best_u = self._best_guess()
        self._best_cost = float(self._costs(self._roll_out(self._best_u[None]))[0])
        sigma = params.newton_sigma if problem.newton else params.polished_sigma if problem.polish else params.sigma
        self._cost_to_beat, self._waited = self._best_cost, 0  # iterations since that cost was reached
        dimension = self._codec.dimension
        self._cma = _start_cma(self._best_u, sigma, params.population, seed, short) if dimension else None

    @property
    def dimension(self) -> int:
        """Number of parameters that are optimised."""
        return self._codec.dimension

    @property
    def cost(self) -> float:
        """Cost of the best candidate so far; it never rises."""
        return self._best_cost

    @property
    def settled(self) -> bool:
        """Whether Newton steps have found what there is to be found: CMA has had no better plan for a while."""
        return self.problem.newton and self._waited >= self.params.patience

    def iterate(self, iterations: int) -> None:
        """Let `iterations` more populations compete, unless the search has settled."""
        if self._cma is None:
            return
        with warnings.catch_warnings():
            # Of an outlier among the samples, which pycma copes with.
            warnings.filterwarnings("ignore", message="elements of z2")
            for _ in range(iterations):
                if self.settled:
                    return
                self._iterate(self._cma)

    def _iterate(self, cma: Any) -> None:
        population = cma.ask()
        costs = self._costs(self._roll_out(np.array(population)))
        cma.tell(population, costs.tolist(), check_points=False)
        best = int(np.argmin(costs))
        if costs[best] < self._best_cost:
            self._best_u, self._best_cost = population[best], float(costs[best])
        self._waited += 1
        if self._best_cost < self.params.better * self._cost_to_beat:
            self._cost_to_beat, self._waited = self._best_cost, 0

    def best(self) -> FrbPlan:
        """The best plan so far; FALLBACK if it could not be evaluated or ends up far from its targets."""
        x = self._roll_out(self._best_u[None])
        finite = self._best_cost < WORST and all(np.isfinite(part).all() for part in (x.com_W, x.vel_W, x.R_WB))
        return FrbPlan(
            t=x.t,
            com_W=x.com_W[0],
            vel_W=x.vel_W[0],
            R_WB=x.R_WB[0],
            omega_W=x.omega_W[0],
            acc_W=np.vstack([x.acc_W[0], x.acc_W[0, -1:]]),
            phases=self._codec.phases(x.rows[0]),
            cost=self._best_cost,
            status=Status.OK if finite and self._near_targets(x) else Status.FALLBACK,
        )

    def _best_guess(self) -> Array:
        """Where the search starts: at the best guess, brought nearer to the targets first."""
        problem, params, codec = self.problem, self.params, self._codec
        guesses = np.array([np.zeros(codec.dimension), *map(codec.encode, problem.other_guesses)])
        unit_vectors = np.eye(codec.dimension)
        if problem.newton:
            # Footholds stay where the pendulums have them: what comes after the plan depends on them, too.
            in_place = unit_vectors[codec.coordinates_in_place()]
            descent = Descent(
                self._roll_out, in_place, params.newton_steps, params.newton_probe, (params.newton_damping,), (0.5, 1.0)
            )
            guesses = np.array([descent.descend(guess, self._targets, self._costs) for guess in guesses])
        best = self._cheapest(guesses)
        if problem.polish:
            descent = Descent(self._roll_out, unit_vectors, problem.polish)
            best = self._cheapest(np.array([best, descent.descend_by_target(best, self._targets, self._costs)]))
        return best

    def _cheapest(self, candidates: Array) -> Array:
        return candidates[int(np.argmin(self._costs(self._roll_out(candidates))))]

    def _roll_out(self, u: Array) -> Rollouts:
        return roll_out(self._codec.decode(u), self._codec.table, self.problem.state, self._t, self._settings)

    def _costs(self, x: Rollouts) -> Array:
        params = self.params
        cost = target_state(x, self._targets) + smoothness(x, params)
        cost += params.filtering_weight * parameter_filtering(x) + self._effort_weight * x.effort
        if self.problem.step_width is not None:
            cost += params.step_width_weight * step_width(x, self._codec.table, self.problem.step_width)
        for objective in self.problem.objectives:
            cost = cost + objective(x)
        return np.where(np.isfinite(cost), np.minimum(cost, WORST), WORST)

    def _near_targets(self, x: Rollouts) -> bool:
        for node, s, target in zip(self._targets.node, self._targets.fraction, self.problem.targets, strict=True):
            if target.com_W is not None:
                c = (1.0 - s) * x.com_W[0, node] + s * x.com_W[0, node + 1]
                if np.nanmax(np.abs(c - target.com_W), initial=0.0) > self.params.position_tolerance:
                    return False
        return True


def plan(problem: FrbProblem, params: FrbParams, seed: int, iterations: int | None = None) -> FrbPlan:
    """The best plan after `iterations` (None: as many as a first plan needs)."""
    budget = params.iterations if iterations is None else iterations
    search = PlanSearch(problem, params, seed, short=budget <= params.short_search)
    search.iterate(budget)
    return search.best()


def _start_cma(u: Array, sigma: float, population: int, seed: int, short: bool) -> Any:
    """CMA at u, silent, and with a random generator of its own instead of numpy's global one.

    Diagonal decoding and elitism reach the same cost in half the iterations or fewer; an update
    of the eigenvectors every sixth iteration costs nothing in quality and saves a third of the time.
    """
    import cma  # slow: scipy.stats and matplotlib

    generator = np.random.default_rng(seed)
    options = {
        "popsize": population,
        "randn": lambda *shape: generator.standard_normal(shape),
        "seed": math.nan,
        "CMA_diagonal": short,
        "CMA_diagonal_decoding": 1,
        "CMA_elitist": True,
        "updatecovwait": 5,
        "verbose": -9,
        "verb_log": 0,
        "verb_disp": 0,
    }
    return cma.CMAEvolutionStrategy(u, sigma, options)
