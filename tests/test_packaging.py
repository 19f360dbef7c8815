"""pyproject.toml tells the truth: every package, plug-in and library that is used is listed."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

from hmpc import registry

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT, SETUPTOOLS = PYPROJECT["project"], PYPROJECT["tool"]["setuptools"]
SOURCES = SETUPTOOLS["package-dir"]  # package -> folder
SCRIPTS = ROOT / "hmpc/app/bench/peers/scripts"  # run by interpreters that have what they import
IMPORT_NAMES = {"pyyaml": "yaml", "pygame-ce": "pygame"}  # where it differs from the name of the distribution


def files() -> list[Path]:
    return sorted(file for folder in SOURCES.values() for file in (ROOT / folder).rglob("*.py"))


def test_every_folder_is_in_the_wheel() -> None:
    on_disk = {
        ".".join([package, *file.parent.relative_to(ROOT / folder).parts])
        for package, folder in SOURCES.items()
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert on_disk == set(SETUPTOOLS["packages"])


def test_every_package_has_an_init() -> None:
    """Without one a folder is a namespace, which other distributions can write into."""
    missing = {file.parent for file in files()} - {file.parent for file in files() if file.name == "__init__.py"}
    assert not missing


def test_every_asset_is_in_the_wheel() -> None:
    data = SETUPTOOLS["package-data"]
    listed = {
        path
        for package, patterns in data.items()
        for pattern in patterns
        for path in (ROOT / package.replace(".", "/")).glob(pattern)
    }
    for folder in SOURCES.values():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".py":
                assert path in listed, f"{path} would not be installed"


def test_what_ships_is_registered_by_the_same_door_as_plug_ins() -> None:
    assert PROJECT["entry-points"] == registry._SHIPPED


def test_every_imported_library_is_a_dependency() -> None:
    lines = [*PROJECT["dependencies"], *(line for extra in PROJECT["optional-dependencies"].values() for line in extra)]
    declared = {re.match(r"[A-Za-z0-9_-]+", line).group().lower() for line in lines}
    importable = {IMPORT_NAMES.get(name, name.replace("-", "_")) for name in declared}
    imported = {
        name.partition(".")[0]
        for file in files()
        if file.parent != SCRIPTS
        for node in ast.walk(ast.parse(file.read_text()))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - importable - set(SOURCES) <= set(sys.stdlib_module_names)
