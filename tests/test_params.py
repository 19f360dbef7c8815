"""The parameters are frozen, explained, and start from the paper's constants."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hmpc import params
from hmpc.params import Params

SOURCE = Path(params.__file__).read_text()
GROUPS = [value for value in vars(params).values() if dataclasses.is_dataclass(value)]


def walk(group: Any) -> Iterator[tuple[str, Any]]:
    """Every value below `group` with its dotted path; groups within it too."""
    for item in dataclasses.fields(group):
        value = getattr(group, item.name)
        yield item.name, value
        if dataclasses.is_dataclass(value):
            yield from ((f"{item.name}.{path}", deeper) for path, deeper in walk(value))


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_parameters_are_frozen_and_take_keywords_only(group: type) -> None:
    assert group.__dataclass_params__.frozen
    assert all(item.kw_only for item in dataclasses.fields(group))
    assert group.__doc__


def test_every_group_is_reachable_from_the_whole_configuration() -> None:
    assert {Params} | {type(value) for _, value in walk(Params()) if dataclasses.is_dataclass(value)} == set(GROUPS)


def explained(lines: list[str], field: ast.AnnAssign) -> bool:
    """Whether a field has a comment on its line, or one heads the group of lines that it stands in."""
    if "#" in lines[field.end_lineno - 1]:
        return True
    group = itertools.takewhile(str.strip, reversed(lines[: field.lineno - 1]))
    return any(line.strip().startswith("#") for line in group)


def test_every_number_says_what_it_is() -> None:
    """Unit, meaning or section of the paper: there are no bare numbers. A group explains itself where it is defined."""
    lines, names = SOURCE.splitlines(), {group.__name__ for group in GROUPS}
    classes = [node for node in ast.parse(SOURCE).body if isinstance(node, ast.ClassDef)]
    fields = [(kind, node) for kind in classes for node in kind.body if isinstance(node, ast.AnnAssign)]
    numbers = [(kind, node) for kind, node in fields if ast.unparse(node.annotation) not in names]
    assert not [f"{kind.name}.{ast.unparse(node.target)}" for kind, node in numbers if not explained(lines, node)]


def test_every_number_is_finite() -> None:
    for path, value in walk(Params()):
        assert not isinstance(value, float) or math.isfinite(value), path


def test_the_tracking_gains_are_the_papers() -> None:
    gains = Params().tracking
    assert (gains.kp_force, gains.kd_force) == (4000.0, 1000.0)  # Sec. 3.3
    assert (gains.kp_torque, gains.kd_torque) == (500.0, 100.0)  # Sec. 3.3
