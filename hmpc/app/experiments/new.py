"""`hmpc new env`: a package with an environment, a test and an entry point, to start from."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from hmpc.errors import InputError
from hmpc.registry import list_environments

if TYPE_CHECKING:
    from hmpc.app.experiments.options import New

_NAME = re.compile(r"[a-z][a-z0-9_]{1,40}")
_FILES = {  # in the package's folder -> in the template's
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "$package/__init__.py": "init.py.txt",
    "$package/environment.py": "environment.py.txt",
    "tests/test_$name.py": "test_environment.py.txt",
}


def new(arguments: New) -> int:
    """Write the files; nothing that exists is touched."""
    name = arguments.name.replace("-", "_")
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise InputError(
            f"The name of an environment is a word such as ice_rink: a-z, 0-9 and _, got {arguments.name!r}."
        )
    if name in (info.name for info in list_environments()):
        raise InputError(f"There is an environment {name!r} already.")
    folder = arguments.out / f"hmpc-{name.replace('_', '-')}"
    words = {"name": name, "package": f"hmpc_{name}", "project": folder.name}
    words["Class"] = "".join(part.capitalize() for part in name.split("_"))
    try:
        folder.mkdir(parents=True)
        for target, source in _FILES.items():
            path = folder / Template(target).substitute(words)
            path.parent.mkdir(exist_ok=True)
            text = (files("hmpc.app.experiments") / "template" / source).read_text(encoding="utf-8")
            path.write_text(Template(text).substitute(words), encoding="utf-8")
    except FileExistsError:
        raise InputError(f"{str(folder)!r} exists already.") from None
    except OSError as error:
        raise InputError(f"{str(folder)!r} cannot be written: {error.strerror}.") from None
    print(f"{folder}: an environment {name!r} with a test. Next:")
    print(f"  pip install -e {folder}\n  pytest {folder}\n  hmpc demo {name}")
    return 0
