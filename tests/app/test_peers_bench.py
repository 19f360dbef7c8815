"""Peers run in environments of their own; one that cannot is left out with the reason, and the others are measured."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import qpsolvers

from hmpc.app.bench import peers
from hmpc.app.bench.peers import ours, workshop
from hmpc.app.bench.peers.workshop import CannotRun, Peer
from hmpc.app.bench.qp import COM_W, random_problems
from hmpc.forces.distribution import ForceDistributor
from hmpc.params import ForceParams


@pytest.fixture
def peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Peer:
    """One whose environment is there already: this interpreter's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(workshop, "_SCRIPTS", tmp_path)
    folder = tmp_path / "hmpc" / "peers" / "somebody"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    (folder / "installed.json").write_text(json.dumps(["something"]))
    return Peer("somebody", "script.py", ("something",))


def test_the_last_line_of_a_script_is_its_result(peer: Peer, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text('import sys; print("chatter"); print(\'{"tick": %s}\' % sys.argv[1])')
    assert peer.run("0.5") == {"tick": 0.5}


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import no_such_library", "No module named 'no_such_library'"),
        ("import os; os.abort()", "signal 6"),
        ("print('hello')", "no result"),
    ],
)
def test_a_peer_that_does_not_run_says_why(peer: Peer, tmp_path: Path, script: str, reason: str) -> None:
    (tmp_path / "script.py").write_text(script)
    with pytest.raises(CannotRun, match=reason):
        peer.run()


def test_one_that_cannot_run_does_not_keep_the_others_out(peer: Peer) -> None:
    def absent(quick: bool) -> Iterator[peers.Row]:
        raise CannotRun("absent does not run here: no wheel")
        yield {}

    def present(quick: bool) -> Iterator[peers.Row]:
        yield {"job": "walk", "ratio": 2.0}

    rows, left_out = peers._beside({"absent": (peer, absent), "present": (peer, present)}, quick=True).values()
    assert [row["job"] for row in rows] == ["walk"]
    assert left_out == [{"peer": "absent", "reason": "absent does not run here: no wheel"}]


def test_peers_get_the_contact_forces_that_we_solve(tmp_path: Path) -> None:
    """The optimum of the written QPs, found by somebody else, is that of Newton's method."""
    count = 5
    ours.write_qps(tmp_path / "qps.npz", count)
    qps = np.load(tmp_path / "qps.npz")
    newton = ForceDistributor(ForceParams())
    for k, (contacts, wrench_W) in enumerate(random_problems(ours.CONTACTS, count, seed=0)):
        force_W = newton.distribute(contacts, COM_W, wrench_W).force_W  # on flat ground, contact axes are the world's
        qp = qpsolvers.Problem(*(qps[name][k] for name in "PqGh"))
        np.testing.assert_allclose(force_W.ravel(), qpsolvers.solve_problem(qp, "daqp").x, atol=1e-3)
