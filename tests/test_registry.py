"""Environments and robots are found by name, by path or by plug-in; a broken plug-in harms nobody."""

from __future__ import annotations

import logging
from importlib.metadata import EntryPoint

import pytest

from hmpc import registry
from hmpc.errors import InputError, PluginError, UnknownNameError
from hmpc.registry import find_robot, list_environments, list_robots, make_environment
from hmpc.robot.humanoid import HUMANOID
from hmpc_envs.flat import Flat
from hmpc_envs.slope import Slope

SHIPPED = {"flat", "rough", "slope", "stand"}


def install(monkeypatch: pytest.MonkeyPatch, *plugins: tuple[str, str]) -> None:
    """Pretend that packages with these (name, "module:attribute") entry points are installed."""
    entries = [EntryPoint(name, value, registry.ENVIRONMENTS) for name, value in plugins]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries if group == registry.ENVIRONMENTS else [])


def test_the_shipped_environments_are_listed_with_their_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    listed = {info.name: info for info in list_environments()}
    assert listed.keys() >= SHIPPED
    assert all(info.description for info in listed.values())
    angle = next(item for item in listed["slope"].parameters if item.name == "angle")
    assert (angle.low, angle.high, angle.unit) == (-20.0, 20.0, "deg")


@pytest.mark.parametrize("reference", ["slope", "hmpc_envs.slope:Slope", Slope, Slope()], ids=repr)
def test_a_name_a_path_a_class_and_an_object_lead_to_the_same_place(reference: object) -> None:
    environment = make_environment(reference, {"angle": "5"})
    assert isinstance(environment, Slope)
    assert environment.angle == 5.0


def test_an_object_without_changes_is_taken_as_it_is() -> None:
    environment = Slope(angle=3.0)
    assert make_environment(environment) is environment


def test_an_installed_plug_in_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, ("meadow", "hmpc_envs.flat:Flat"))
    assert isinstance(make_environment("meadow"), Flat)
    assert "meadow" in {info.name for info in list_environments()}


@pytest.mark.parametrize("value", ["no_such_module:Name", "hmpc_envs.flat:NoSuchName", "math:pi", "not a reference"])
def test_a_broken_plug_in_is_named_and_skipped(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, value: str
) -> None:
    install(monkeypatch, ("broken", value))
    with caplog.at_level(logging.WARNING):
        names = {info.name for info in list_environments()}
    assert names >= SHIPPED
    assert "broken" not in names
    assert "'broken'" in caplog.text


def test_asking_for_a_broken_plug_in_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, ("broken", "no_such_module:Name"))
    with pytest.raises(PluginError, match="no_such_module"):
        make_environment("broken")


def test_a_plug_in_cannot_take_over_a_shipped_name(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install(monkeypatch, ("slope", "hmpc_envs.flat:Flat"))
    assert isinstance(make_environment("slope"), Slope)
    assert "taken" in caplog.text


def test_an_unknown_environment_lists_the_known_ones() -> None:
    with pytest.raises(
        UnknownNameError, match=r"Unknown environment 'slop'. Did you mean 'slope'\? Available: .*stand"
    ):
        make_environment("slop")


def test_an_unknown_parameter_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="Available: angle, friction, length"):
        make_environment("slope", {"steepness": 3.0})


def test_an_object_that_is_no_environment_is_told_what_it_lacks() -> None:
    with pytest.raises(InputError, match=r"lacks .*regions"):
        make_environment(object())  # type: ignore[arg-type]


def test_robots_are_found_by_the_same_door() -> None:
    assert HUMANOID in list_robots()
    assert find_robot("humanoid") is find_robot("hmpc.robot.humanoid:HUMANOID") is find_robot(HUMANOID)
    with pytest.raises(UnknownNameError, match="Unknown robot 'atlas'"):
        find_robot("atlas")
    with pytest.raises(InputError, match="RobotSpec"):
        find_robot(3)  # type: ignore[arg-type]
