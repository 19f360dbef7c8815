"""The parameters are frozen, explained, and start from the paper's constants."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import math
from pathlib import Path

import pytest

from hmpc import params
from hmpc.params import Params

SOURCE = Path(params.__file__).read_text()
GROUPS = [value for value in vars(params).values() if dataclasses.is_dataclass(value)]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_parameters_are_frozen_and_take_keywords_only(group: type) -> None:
    assert group.__dataclass_params__.frozen
    assert all(item.kw_only for item in dataclasses.fields(group))
    assert group.__doc__


def test_every_group_is_reachable_from_the_whole_configuration() -> None:
    reachable = {Params} | {type(getattr(Params(), item.name)) for item in dataclasses.fields(Params)}
    assert reachable == set(GROUPS)


def explained(lines: list[str], field: ast.AnnAssign) -> bool:
    """Whether a field has a comment on its line, or one heads the group of lines that it stands in."""
    if "#" in lines[field.end_lineno - 1]:
        return True
    group = itertools.takewhile(str.strip, reversed(lines[: field.lineno - 1]))
    return any(line.strip().startswith("#") for line in group)


def test_every_number_says_what_it_is() -> None:
    """Unit, meaning or section of the paper: there are no bare numbers."""
    lines = SOURCE.splitlines()
    classes = [node for node in ast.parse(SOURCE).body if isinstance(node, ast.ClassDef) and node.name != "Params"]
    fields = [(kind, node) for kind in classes for node in kind.body if isinstance(node, ast.AnnAssign)]
    assert not [f"{kind.name}.{ast.unparse(node.target)}" for kind, node in fields if not explained(lines, node)]


def test_every_number_is_finite() -> None:
    for group in dataclasses.asdict(Params()).values():
        for name, value in group.items():
            assert not isinstance(value, float) or math.isfinite(value), name


def test_the_tracking_gains_are_the_papers() -> None:
    gains = Params().tracking
    assert (gains.kp_force, gains.kd_force) == (4000.0, 1000.0)  # Sec. 3.3
    assert (gains.kp_torque, gains.kd_torque) == (500.0, 100.0)  # Sec. 3.3
