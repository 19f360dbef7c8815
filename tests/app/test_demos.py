"""Every demo runs and says something."""

from __future__ import annotations

from importlib import import_module

import pytest

from hmpc.app.listing import demos

pytestmark = pytest.mark.sim

SHORT = {
    "chair": {"layouts": ("none",)},
    "push": {"first": 40.0},
    "postures": {"seconds": 0.4},
    "time_travel": {"seconds": 0.4},
    "walk": {"seconds": 1.0},
}


@pytest.mark.parametrize("name", [demo["name"] for demo in demos()])
def test_a_demo_runs(capsys: pytest.CaptureFixture[str], name: str) -> None:
    import_module(f"demos.{name}").main(**SHORT.get(name, {}))
    assert capsys.readouterr().out.count("\n") >= 4
