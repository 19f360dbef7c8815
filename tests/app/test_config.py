"""Parameters by dotted path: the same in YAML, in Python and on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hmpc.app.config import flattened, read_config, resolved, with_overrides
from hmpc.errors import InputError, UnknownNameError
from hmpc.params import Params


def test_nested_and_dotted_paths_mean_the_same(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("frb:\n  iterations: 7\ntracking.kp_force: 1000\nexecutor: {swing: {clearance: 0.1}}\n")
    params = with_overrides(Params(), read_config(path))
    assert params.frb.iterations == 7
    assert params.tracking.kp_force == 1000.0
    assert params.executor.swing.clearance == 0.1
    assert params.footsteps == Params().footsteps


def test_what_is_resolved_gives_the_same_parameters_again(tmp_path: Path) -> None:
    import yaml

    params = with_overrides(Params(), {"frb.iterations": "9", "footsteps.allow_overhang": "false"})
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(resolved(params)))
    assert with_overrides(Params(), read_config(path)) == params


@pytest.mark.parametrize("value", ["1.5", "many", "nan", True, None, [1]])
def test_a_whole_number_must_be_one(value: object) -> None:
    with pytest.raises(InputError, match=r"frb\.iterations"):
        with_overrides(Params(), {"frb.iterations": value})


@pytest.mark.parametrize("value", ["nan", "inf", "fast", False])
def test_a_number_must_be_finite(value: object) -> None:
    with pytest.raises(InputError, match=r"tracking\.kp_force"):
        with_overrides(Params(), {"tracking.kp_force": value})


def test_an_unknown_path_lists_its_neighbours() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'frb\.iterations'"):
        with_overrides(Params(), {"frb.iteration": 3})
    with pytest.raises(UnknownNameError, match=r"Available: .*tracking"):
        with_overrides(Params(), {"nothing.here": 3})


@pytest.mark.parametrize("path", ["frb", "frb.iterations.more"])
def test_a_path_must_lead_to_a_value(path: str) -> None:
    with pytest.raises(InputError, match="not a single value"):
        with_overrides(Params(), {path: 3})


@pytest.mark.parametrize("text", ["- a list", "just text", "a: [unclosed"])
def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"config\.yaml"):
        read_config(path)


def test_a_list_is_given_as_a_list_or_with_commas() -> None:
    for value in ([0.0, 0.25], "0,0.25"):
        assert with_overrides(Params(), {"executor.swing.waits": value}).executor.swing.waits == (0.0, 0.25)
    for wrong in ([], 3, "a,b", [float("nan")], {"a": 1}, [[1.0]]):
        with pytest.raises(InputError, match="waits"):
            with_overrides(Params(), {"executor.swing.waits": wrong})


def test_every_parameter_survives_the_file_of_a_run() -> None:
    saved = yaml.safe_load(yaml.safe_dump(resolved(Params())))
    assert with_overrides(Params(), dict(flattened(saved))) == Params()
