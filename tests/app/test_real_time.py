"""The pace of real time: neither ahead of the clock, nor after an hour that was never there."""

from __future__ import annotations

import pytest

from hmpc.app.real_time import LONGEST_GAP, RealTime


class Clock:
    """A clock that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0.0
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("hmpc.app.real_time.time", clock)
    return clock


def test_simulated_time_waits_for_the_clock(clock: Clock) -> None:
    pace = RealTime(2.0)
    for k in range(1, 100):
        pace.wait(2.0 + 0.002 * k)
        assert clock.now == pytest.approx(100.0 + 0.002 * k)


def test_a_slow_tick_is_caught_up(clock: Clock) -> None:
    pace = RealTime(0.0)
    clock.now += 0.1
    for k in range(1, 101):
        pace.wait(0.002 * k)
    assert clock.now == pytest.approx(100.2)


@pytest.mark.parametrize("jump", [3600.0, -3600.0, LONGEST_GAP + 0.1])
def test_a_clock_that_jumps_is_believed_at_once(clock: Clock, jump: float) -> None:
    pace = RealTime(0.0)
    clock.now += jump
    pace.wait(0.002)
    before = clock.now
    pace.wait(0.012)
    assert clock.now - before == pytest.approx(0.01)
