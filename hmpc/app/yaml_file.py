"""Reading YAML that somebody wrote: whatever is wrong with it is one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hmpc.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def read_yaml(path: Path, what: str) -> Any:
    """The plain values in a YAML file; `what` names it in complaints ("Config file")."""
    name = f"{what} {str(path)!r}"
    return parse_yaml(read_bytes(path, name), name)


def read_bytes(path: Path, name: str) -> bytes:
    """What is in a file; `name` is what it is called in complaints."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from None
    except ValueError as error:  # no path at all
        raise InputError(f"{name} cannot be read: {error}.") from None


def parse_yaml(text: bytes, name: str) -> Any:
    """The plain values in YAML text; `name` is what it is called in complaints."""
    import yaml  # here, because most runs need no file

    try:
        content = yaml.safe_load(text.decode("utf-8"))
        _check_finite_depth(content, ())
    except UnicodeDecodeError as error:
        raise InputError(f"{name} cannot be read: {error}.") from None
    except (yaml.YAMLError, ValueError, RecursionError, AttributeError) as error:  # not all of them are PyYAML's own
        raise InputError(f"{name} is not YAML: {' '.join(str(error).split())}.") from None
    return content


def _check_finite_depth(content: Any, above: tuple[int, ...]) -> None:
    """Raise `ValueError` for a list or mapping inside itself, which an anchor can make."""
    if not isinstance(content, dict | list):
        return
    if id(content) in above:
        raise ValueError("something in it contains itself")
    for item in content.values() if isinstance(content, dict) else content:
        _check_finite_depth(item, (*above, id(content)))
