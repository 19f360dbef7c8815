"""`hmpc bench`: the project's numbers, measured here and now.

A bench is a module in this folder with a function `measure(quick: bool) -> Result`; its name
is the module's, the first line of its docstring says what it measures.
"""

from __future__ import annotations

import json
import pkgutil
from importlib import import_module

from hmpc.app.bench.table import Result, as_text
from hmpc.errors import UnknownNameError


def benches() -> list[str]:
    """Names of the benches that exist."""
    modules = (info.name for info in pkgutil.iter_modules(__path__))
    return sorted(name for name in modules if hasattr(import_module(f"{__name__}.{name}"), "measure"))


def bench(name: str, *, quick: bool, as_json: bool) -> int:
    """Run one bench and print its result."""
    known = benches()
    if name not in known:
        raise UnknownNameError("bench", name, known)
    result: Result = import_module(f"{__name__}.{name}").measure(quick)
    print(json.dumps(result) if as_json else as_text(result))
    return 0
