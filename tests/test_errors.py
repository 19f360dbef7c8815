"""Every error can be caught as HmpcError, and a wrong name comes with the right ones."""

from __future__ import annotations

import pytest

from hmpc import errors
from hmpc.errors import HmpcError, InputError, UnknownNameError

ERRORS = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_one_except_clause_catches_everything(error: type[Exception]) -> None:
    assert issubclass(error, HmpcError)


def test_unknown_name_lists_the_choices_in_order() -> None:
    message = str(UnknownNameError("robot", "atlas", ["humanoid", "giant"]))
    assert message == "Unknown robot 'atlas'. Available: giant, humanoid."


def test_unknown_name_suggests_the_closest() -> None:
    assert "Did you mean 'stairs'?" in str(UnknownNameError("environment", "stiars", ["stairs", "slope"]))


def test_unknown_name_without_choices_says_so() -> None:
    assert "Available: none." in str(UnknownNameError("robot", "atlas", []))


def test_unknown_name_is_bad_input() -> None:
    with pytest.raises(InputError):
        raise UnknownNameError("robot", "atlas", [])
