"""The arithmetic of the walking benches."""

from __future__ import annotations

import numpy as np
import pytest

from hmpc.app.bench.trials import Trial, make_session, wilson
from hmpc.app.bench.walk import random_commands


def test_wilson_interval_knows_that_few_trials_say_little() -> None:
    low, high = wilson(20, 20)
    assert low == pytest.approx(0.839, abs=1e-3) and high == pytest.approx(1.0)
    low, high = wilson(0, 8)
    assert low == pytest.approx(0.0, abs=1e-9) and high == pytest.approx(0.324, abs=1e-3)
    assert wilson(5, 10)[0] + wilson(5, 10)[1] == pytest.approx(1.0)


def test_random_commands_are_the_same_for_the_same_seed_and_change_every_few_seconds() -> None:
    tape = random_commands(3, 60.0)
    assert tape == random_commands(3, 60.0) != random_commands(4, 60.0)
    gaps = np.diff([t for t, _ in tape])
    assert gaps.min() >= 2.0 and gaps.max() <= 5.0


def test_a_heavier_body_presses_harder_and_the_controller_does_not_know() -> None:
    nominal, heavy = make_session(Trial()), make_session(Trial(mass_scale=1.1))
    assert heavy.simulator.robot.mass == nominal.simulator.robot.mass
    loads = []
    for session in (nominal, heavy):
        session.run(1.0)
        loads.append(sum(limb.force_W[2] for limb in session.state.limbs.values()))
    assert loads[1] / loads[0] == pytest.approx(1.1, abs=0.02)
