"""Other people's programs beside our matching parts: same job or nearly, same core, same run; ratios.

Every peer gets an environment of its own (below ~/.cache/hmpc/peers), made by this command from wheels alone; one that
cannot be installed or does not run is left out with the reason. Times are those of the processor, all on one thread, so
that other programs on the machine hardly change a ratio. docs/peers.md says what can be compared and what not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from hmpc.app.bench.peers import ours
from hmpc.app.bench.peers.workshop import CannotRun, Peer, one_core
from hmpc.app.bench.table import Cell, Result

# crocoddyl's wheels do not say which pinocchio they were built with; these fit together.
CROCODDYL = Peer("crocoddyl", "crocoddyl_walk.py", ("crocoddyl", "pin<4", "cmeel-urdfdom<5", "cmeel-tinyxml2<11"))
PLACO = Peer("placo", "placo_walk.py", ("placo",))
PINK = Peer("pink", "pink_tick.py", ("pin-pink", "daqp"))
QPSOLVERS = Peer(
    "qpsolvers", "contact_qps.py", ("qpsolvers", "clarabel", "daqp", "highspy", "osqp", "piqp", "proxsuite", "quadprog")
)
SAMPLING = Peer("sampling", "sampling_mpc.py", ("numpy", f"mujoco=={version('mujoco')}"))

Row = Mapping[str, Cell]


def crocoddyl(quick: bool) -> Iterator[Row]:
    """Two seconds of walking: optimal control of the whole body, and our floating rigid body."""
    theirs = CROCODDYL.run()
    yield _row(theirs, "walk of 2 s, cold", theirs["cold"], "first plan of tier 2", ours.cold_plan())
    yield _row(theirs, "walk of 2 s, warm", theirs["warm"], "later plan of tier 2", ours.warm_plan())


def placo(quick: bool) -> Iterator[Row]:
    """Footsteps and the motion of the COM."""
    theirs, six_steps = PLACO.run(), ours.footsteps()
    for job in ("plan", "replan"):
        yield _row(theirs, f"{job} of a walk", theirs[job], "six steps of tier 1", six_steps)


def pink(quick: bool) -> Iterator[Row]:
    """One tick of a whole-body QP."""
    theirs = PINK.run()
    yield _row(theirs, "one tick", theirs["tick"], "one tick, physics excluded", ours.tick())


def qpsolvers(quick: bool) -> Iterator[Row]:
    """The QP of the contact forces."""
    repeats = 100 if quick else 1000
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "qps.npz"
        ours.write_qps(file, repeats)
        theirs = QPSOLVERS.run(str(file))
    newton = ours.contact_forces(repeats)
    for backend in sorted(theirs.keys() - {"version", "note"}):
        yield _row(theirs, f"contact forces, {backend}", theirs[backend], "contact forces of tier 3", newton)


def sampling(quick: bool) -> Iterator[Row]:
    """An update of a sampling controller."""
    with tempfile.TemporaryDirectory() as folder:
        model, pose = Path(folder) / "standing.mjb", Path(folder) / "pose.npy"
        ours.write_standing(model, pose)
        theirs = SAMPLING.run(str(model), str(pose))
    yield _row(theirs, "one update", theirs["update"], "later plan of tier 2", ours.warm_plan())


Comparison = tuple[Peer, Callable[[bool], Iterator[Row]]]

_PEERS: Mapping[str, Comparison] = {
    "crocoddyl": (CROCODDYL, crocoddyl),
    "placo": (PLACO, placo),
    "pink": (PINK, pink),
    "qpsolvers": (QPSOLVERS, qpsolvers),
    "sampling": (SAMPLING, sampling),
}


def measure(quick: bool) -> Result:
    """All of them, one after the other."""
    return _beside(_PEERS, quick)


def _beside(comparisons: Mapping[str, Comparison], quick: bool) -> Result:
    rows: list[Row] = []
    left_out: list[Row] = []
    for name, (peer, compare) in comparisons.items():
        try:
            peer.install()
            with one_core():
                rows += compare(quick)
        except CannotRun as reason:
            left_out.append({"peer": name, "reason": str(reason)})
    return {"peers and our matching parts, on one core": rows, "left out": left_out}


def _row(theirs: Mapping[str, Cell], job: str, seconds: float, part: str, own_seconds: float) -> Row:
    return {
        "peer": theirs["version"],
        "job": job,
        "ms": 1e3 * seconds,
        "our part": part,
        "our ms": 1e3 * own_seconds,
        "ratio": seconds / own_seconds,
        "note": theirs["note"],
    }


PARTS = {name: lambda quick, name=name: _beside({name: _PEERS[name]}, quick) for name in _PEERS}
