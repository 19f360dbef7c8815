"""Parameters from a YAML file and from dotted paths: defaults < file < command line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from hmpc.app.yaml_file import parse_yaml, read_yaml
from hmpc.errors import InputError, UnknownNameError
from hmpc.params import Params


def read_config(path: Path) -> dict[str, Any]:
    """Dotted paths -> values of a YAML file, which may nest them, dot them, or both."""
    return _flat(read_yaml(path, "Config file"), str(path))


def parse_config(text: bytes, name: str) -> dict[str, Any]:
    """The same of the content of a file called `name`."""
    return _flat(parse_yaml(text, f"Config file {name!r}"), name)


def _flat(content: Any, name: str) -> dict[str, Any]:
    if not isinstance(content, Mapping | None):
        raise InputError(f"Config file {name!r} must hold a mapping such as 'frb: {{iterations: 100}}'.")
    return dict(flattened(content or {}))


def flattened(content: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Nested mappings as dotted paths with their values."""
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield from flattened(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def with_overrides(params: Params, overrides: Mapping[str, Any]) -> Params:
    """`params` with the values at dotted paths such as "frb.iterations" replaced."""
    for path, value in overrides.items():
        params = _replaced(params, path.replace("-", "_").split("."), value, path)
    return params


def _replaced(node: Any, names: list[str], value: Any, path: str) -> Any:
    known = [item.name for item in fields(node)]
    name, *deeper = names
    if name not in known:
        raise UnknownNameError("parameter", path, (path.removesuffix(".".join(names)) + item for item in known))
    old = getattr(node, name)
    if deeper and is_dataclass(old):
        return replace(node, **{name: _replaced(old, deeper, value, path)})
    if deeper or is_dataclass(old):
        raise InputError(f"Parameter {path!r} is not a single value.")
    return replace(node, **{name: _converted(value, old, path)})


def _converted(value: Any, old: Any, path: str) -> Any:
    """`value`, which may be text, as the type of `old`."""
    if isinstance(old, bool):
        word = str(value).lower()
        if word in ("true", "false"):
            return word == "true"
        raise InputError(f"Parameter {path!r} must be true or false, got {value!r}.")
    if isinstance(old, tuple):
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list | tuple) or not items:
            raise InputError(f"Parameter {path!r} must be a list such as {list(old)}, got {value!r}.")
        return tuple(_converted(item, old[0], path) for item in items)
    kind = type(old)
    try:
        number = kind(value)
        good = not isinstance(value, bool) and (kind is str or (math.isfinite(number) and number == float(value)))
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good:
        raise InputError(f"Parameter {path!r} must be a finite {kind.__name__}, got {value!r}.")
    return number


def resolved(params: Params) -> dict[str, Any]:
    """All parameters as nested plain values, ready for YAML or JSON."""
    return asdict(params)


def differing(params: Any, default: Any) -> dict[str, Any]:
    """What of `params` is not as in `default`, as nested plain values, ready for YAML."""
    found: dict[str, Any] = {}
    for item in fields(params):
        value, usual = getattr(params, item.name), getattr(default, item.name)
        if is_dataclass(value):
            if deeper := differing(value, usual):
                found[item.name] = deeper
        elif value != usual:
            found[item.name] = value
    return found
