"""`hmpc bench`: the project's numbers, measured here and now.

A bench is a module in this folder with a function `measure(quick: bool) -> Result`; its name
is the module's, the first line of its docstring says what it measures. A long one may also have
`PARTS`, functions like `measure` by their names, to be run alone.
"""

from __future__ import annotations

import json
import pkgutil
from importlib import import_module

from hmpc.app.bench.table import Result, as_text
from hmpc.app.progress import busy
from hmpc.errors import UnknownNameError


def benches() -> list[str]:
    """Names of the benches that exist."""
    modules = (info.name for info in pkgutil.iter_modules(__path__))
    return sorted(name for name in modules if hasattr(import_module(f"{__name__}.{name}"), "measure"))


def bench(name: str, part: str | None = None, *, quick: bool, as_json: bool) -> int:
    """Run one bench, or a part of it, and print its result."""
    known = benches()
    if name not in known:
        raise UnknownNameError("bench", name, known)
    module = import_module(f"{__name__}.{name}")
    parts = getattr(module, "PARTS", {})
    if part is not None and part not in parts:
        raise UnknownNameError(f"part of bench {name!r}:", part, parts)
    with busy(f"measuring {name}", quiet=as_json):
        result: Result = (module.measure if part is None else parts[part])(quick)
    print(json.dumps(result) if as_json else as_text(result))
    return 0
