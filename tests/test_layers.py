"""Who may import whom: the picture of the house in README.md, held by the ast of every file.

types, errors, geometry <- params <- {footsteps, frb, forces} <- {robot, sim} <- registry
<- {executor, wholebody, tasks} <- {planning, stepping} <- stack <- app <- hmpc (the public names) <- demos.
Imports for type checking count too.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From the ground up. Rooms on one floor do not know of each other unless SAME_FLOOR says so.
FLOORS = [
    {"hmpc.types", "hmpc.errors", "hmpc.geometry"},
    {"hmpc.params"},
    {"hmpc.footsteps", "hmpc.frb", "hmpc.forces"},
    {"hmpc.robot", "hmpc.sim"},
    {"hmpc.registry", "hmpc_envs"},
    {"hmpc.executor", "hmpc.wholebody", "hmpc.tasks"},
    {"hmpc.planning", "hmpc.stepping"},
    {"hmpc.stack"},
    {"hmpc.app"},
    {"hmpc", "hmpc.__main__"},  # the public names, the command
    {"hmpc_demos"},
]
SAME_FLOOR = {
    ("hmpc.types", "hmpc.errors"),
    ("hmpc.geometry", "hmpc.types"),
    ("hmpc.sim", "hmpc.robot"),
    ("hmpc.tasks", "hmpc.executor"),
    ("hmpc.tasks", "hmpc.wholebody"),
}
# Libraries that stay behind one door: module -> the files or folders that may import it.
DOORS = {
    "mujoco": ("hmpc/robot/", "hmpc/sim/", "hmpc/app/", "envs/"),
    "cma": ("hmpc/frb/planner.py",),
    "qpsolvers": ("hmpc/forces/solvers/", "hmpc/app/bench/peers/scripts/"),
    "osqp": ("hmpc/forces/solvers/",),
    "daqp": ("hmpc/forces/solvers/",),
    "quadprog": ("hmpc/forces/solvers/",),
    "viser": ("hmpc/app/",),
    "mjviser": ("hmpc/app/",),
    "matplotlib": ("hmpc/app/",),
    "tyro": ("hmpc/app/",),
}
FLOOR_OF = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
FILES = sorted([*ROOT.glob("hmpc/**/*.py"), *ROOT.glob("envs/**/*.py"), *ROOT.glob("demos/**/*.py")])


def path_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def module_of(path: str) -> str:
    """hmpc/frb/model.py -> hmpc.frb.model, under the names that the packages are installed with."""
    installed = path.removeprefix("envs/")
    installed = "hmpc_" + installed if installed.startswith("demos/") else installed
    return installed.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def room_of(module: str) -> str:
    """hmpc.frb.model -> hmpc.frb; plug-ins and demos are one room each."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "hmpc" else parts[0]


def imports_of(source: str, module: str) -> set[str]:
    """Every module that `source` imports, also inside functions; `from a import b` gives a.b if that is a module."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute in this house"
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in whole if name in MODULES} or {node.module or ""}
    return found


MODULES = {module_of(path_of(file)) for file in FILES}


def complaint(module: str, imported: str) -> str | None:
    """Why `module` may not import `imported`, or None if it may."""
    here, there = room_of(module), room_of(imported)
    if not there.startswith("hmpc") or here == there:
        return None
    if there not in FLOOR_OF:
        return f"{module} imports {imported}, which has no floor: add it to tests/test_layers.py"
    if FLOOR_OF[here] > FLOOR_OF[there] or (here, there) in SAME_FLOOR:
        return None
    return f"{module} must not import {imported}"


@pytest.mark.parametrize("path", [path_of(file) for file in FILES])
def test_imports_only_what_lies_below(path: str) -> None:
    module = module_of(path)
    assert room_of(module) in FLOOR_OF, f"{module} has no floor: add it to tests/test_layers.py"
    complaints = [complaint(module, name) for name in imports_of((ROOT / path).read_text(), module)]
    assert not list(filter(None, complaints))


@pytest.mark.parametrize("path", [path_of(file) for file in FILES])
def test_libraries_stay_behind_their_door(path: str) -> None:
    for name in imports_of((ROOT / path).read_text(), module_of(path)):
        library = name.partition(".")[0]
        assert path.startswith(DOORS.get(library, path)), f"{path} must not import {library}: see DOORS"


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("hmpc.frb.planner", "hmpc.footsteps.planner"),  # tiers meet in types only
        ("hmpc.forces.tracking", "hmpc.robot.model"),
        ("hmpc.wholebody.ik", "hmpc.executor.swing"),
        ("hmpc.types", "hmpc.params"),
        ("hmpc.stack", "hmpc.app.cli"),
        ("hmpc_envs.flat", "hmpc.stack"),
    ],
)
def test_the_rule_itself_forbids(module: str, imported: str) -> None:
    assert complaint(module, imported)


def test_an_import_inside_a_function_counts() -> None:
    assert imports_of("def f():\n    import mujoco.viewer\n", "hmpc.frb.model") == {"mujoco.viewer"}


def test_a_module_imported_from_its_package_counts_as_itself() -> None:
    assert imports_of("from hmpc import errors", "hmpc.frb.model") == {"hmpc.errors"}
