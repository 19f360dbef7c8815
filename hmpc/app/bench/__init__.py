"""`hmpc bench`: the project's numbers, measured here and now.

A bench is a module in this folder with a function `measure(quick: bool) -> Result`; its name
is the module's, the first line of its docstring says what it measures. A long one may also have
`PARTS`, functions like `measure` by their names, to be run alone. One that only reads what others have measured has
`from_results(folder: Path) -> Result` instead; one that draws has `plot(result: Result, folder: Path)` too.
"""

from __future__ import annotations

import json
import pkgutil
from importlib import import_module
from pathlib import Path

from hmpc.app.bench.results import FOLDER, keep
from hmpc.app.bench.table import Result, as_text
from hmpc.app.progress import busy
from hmpc.errors import UnknownNameError


def benches() -> list[str]:
    """Names of the benches that exist."""
    modules = (info.name for info in pkgutil.iter_modules(__path__))
    found = {name: import_module(f"{__name__}.{name}") for name in modules}
    return sorted(
        name for name, module in found.items() if hasattr(module, "measure") or hasattr(module, "from_results")
    )


def bench(name: str, part: str | None = None, *, quick: bool, as_json: bool, results: Path | None = None) -> int:
    """Run one bench, or a part of it, print its result, and keep it in the folder `results`."""
    known = benches()
    if name not in known:
        raise UnknownNameError("bench", name, known)
    module = import_module(f"{__name__}.{name}")
    parts = getattr(module, "PARTS", {})
    if part is not None and part not in parts:
        raise UnknownNameError(f"part of bench {name!r}:", part, parts)
    result: Result
    if hasattr(module, "from_results"):
        result = module.from_results(results or FOLDER)
    else:
        with busy(f"measuring {name}", quiet=as_json):
            result = (module.measure if part is None else parts[part])(quick)
        if results:
            keep(results, name, part, quick, result)
            if hasattr(module, "plot"):
                module.plot(result, results)
    print(json.dumps(result) if as_json else as_text(result))
    return 0
