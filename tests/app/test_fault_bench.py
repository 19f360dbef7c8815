"""Faults are contained within their tick; what the injector itself does is what it says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hmpc.app.bench import resumable
from hmpc.app.bench.faults import jobs, tables
from hmpc.app.bench.faults.campaign import Campaign, Injection, Life
from hmpc.app.bench.faults.families import BESIDE, FAMILIES
from hmpc.app.bench.faults.fault import replaced
from hmpc.app.bench.faults.terminated import terminated_runs
from hmpc.app.bench.plant import Plant
from hmpc.app.session import Session
from hmpc.frb.worker import PlanWorker

BETWEEN_TICKS = [fault for name, faults in FAMILIES.items() if name != BESIDE for fault in faults]
# From these nobody goes on: there is no state to go on from.
FINAL = {"NaN in qvel for 50 to 100 ms", "the physics diverges"}


def plant_session() -> Session:
    session = Session("stand")
    session.simulator = Plant(session.environment, session.robot, 500.0)
    session.reset()
    return session


def test_a_plant_without_faults_is_the_simulator_to_the_bit() -> None:
    assert plant_session().run(0.1).state_hash == Session("stand").run(0.1).state_hash


def test_a_delayed_plant_shows_the_past_and_moves_on() -> None:
    session, exact = plant_session(), Session("stand")
    plant = session.simulator
    assert isinstance(plant, Plant)
    seen, true = [], []
    plant.delay = 3
    for _ in range(20):
        session.tick()
        seen.append(plant.data.qpos.copy())
        true.append(plant.truth.data.qpos.copy())
    np.testing.assert_array_equal(seen[3:], true[:-3])
    plant.delay = 0
    session.run(0.1)
    exact.run(0.14)
    np.testing.assert_array_equal(plant.data.qpos, plant.truth.data.qpos)
    np.testing.assert_allclose(plant.data.qpos, exact.simulator.data.qpos, atol=0.01)  # no jump, but another motion


def test_a_lost_motor_gives_nothing_and_a_heavier_body_falls_no_faster() -> None:
    session = plant_session()
    plant = session.simulator
    assert isinstance(plant, Plant)
    plant.motor_strength[4] = 0.0
    plant.scale_mass(1.3)
    session.tick()
    assert session.torques is not None and session.torques.tau[4] != 0.0
    assert plant.truth.data.ctrl[4] == 0.0
    assert plant.truth.model.body_mass.sum() == pytest.approx(1.3 * plant.model.body_mass.sum())
    plant.scale_mass(1.0)
    np.testing.assert_array_equal(plant.truth.model.body_mass, plant.model.body_mass)


def test_a_slippery_patch_is_as_slippery_as_it_says_and_then_gone() -> None:
    plant = plant_session().simulator
    assert isinstance(plant, Plant)
    plant.limit_friction(0.3)
    assert plant.truth.model.geom_friction[:, 0].max() == 0.3
    plant.limit_friction(math.inf)
    np.testing.assert_array_equal(plant.truth.model.geom_friction, plant.model.geom_friction)


def test_what_was_replaced_comes_back_even_after_an_error() -> None:
    class Thing:
        def word(self) -> str:
            return "own"

    thing = Thing()
    with pytest.raises(ZeroDivisionError), replaced(thing, "word", lambda: "other"):
        assert thing.word() == "other"
        raise ZeroDivisionError
    assert thing.word() == "own" and not vars(thing)


def test_the_table_tells_what_escaped_and_which_log_is_broken() -> None:
    name = BETWEEN_TICKS[0].name
    result = tables(
        [Injection(name, "", True, ""), Injection(name, "KeyError('x')", False, "")], [Life(9, ""), Life(5, "torn")]
    )
    faults, escaped, logs, problems = result.values()
    assert faults[0]["injections"] == 2 and faults[0]["contained"] == 1 and faults[0]["upright"] == 1
    assert escaped[0]["escaped"] == "KeyError('x')"
    assert logs[0]["intact"] == 1 and problems[0]["problem"] == "torn"


def test_a_campaign_that_was_stopped_goes_on_with_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = jobs.jobs_of(("sensors",), 250)
    assert [job.count for job in planned] == [100, 100, 50] and len({job.seed for job in planned}) == 3
    done: list[str] = []

    def stopped_after_one(missing: Sequence[jobs.Job], perform: object) -> Iterator[tuple[str, dict[str, Any]]]:
        for job in missing[:1]:
            done.append(job.key)
            yield job.key, {"injections": [asdict(Injection(job.key, "", True, ""))], "lives": [asdict(Life(9, ""))]}
        if len(missing) > 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(resumable, "_performed", stopped_after_one)
    for finished in (1, 2, 3):
        outcomes = jobs.outcomes(planned, tmp_path)
        assert [injections[0].fault for injections, _ in outcomes] == done and len(done) == finished
    assert done == [job.key for job in planned]


@pytest.mark.sim
@pytest.mark.parametrize("seed", [0, 1])
def test_every_fault_is_contained_within_its_tick_and_the_records_are_whole(seed: int) -> None:
    campaign = Campaign(BETWEEN_TICKS, seed, brief=True)
    campaign.run(4 * len(BETWEEN_TICKS))
    assert len(campaign.injections) == 4 * len(BETWEEN_TICKS)
    assert not [one for one in campaign.injections if one.escaped]
    assert not [life for life in campaign.lives if life.problem]
    stopped = [one for one in campaign.injections if not one.upright]
    assert {one.fault for one in stopped} >= FINAL
    assert all(one.said for one in stopped if one.fault in FINAL)
    others = [one for one in campaign.injections if one.fault not in FINAL]
    assert sum(one.upright for one in others) >= 0.9 * len(others)


@pytest.mark.sim
def test_what_happens_to_the_planners_process_does_not_reach_the_tick() -> None:
    campaign = Campaign(FAMILIES[BESIDE], 0, clock="realtime", brief=True)
    campaign.run(len(FAMILIES[BESIDE]))
    assert not [one for one in campaign.injections if one.escaped]
    assert all(one.upright for one in campaign.injections)


@pytest.mark.sim
def test_a_planner_that_died_while_nobody_walked_is_there_for_the_next_fault() -> None:
    killed, hung = (fault for fault in FAMILIES[BESIDE] if fault.name in ("worker killed", "worker hung"))
    session, rng = Session("stand", clock="realtime"), np.random.default_rng(0)
    with killed.inject(session, rng):
        worker = session.stack._searcher
        assert isinstance(worker, PlanWorker)
        worker._process.join()
    assert not worker.alive
    with hung.inject(session, rng):
        assert worker.alive and worker._ready
    session.close()


@pytest.mark.sim
def test_a_signal_to_end_is_obeyed_and_leaves_a_readable_log() -> None:
    row = terminated_runs(1, seed=2)
    assert row["orderly"] == 1 and row["logs"] == row["readable"]
