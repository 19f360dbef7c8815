"""The documents tell the truth: every file and function that they name exists."""

from __future__ import annotations

import ast
import re
import sys
import types
from pathlib import Path

import pytest

from hmpc.errors import InputError
from hmpc.registry import find_robot
from hmpc.sim.simulator import Simulator

ROOT = Path(__file__).parent.parent
REFERENCE = re.compile(r"`((?:hmpc|envs|demos|tests)/[\w/]+\.py)(?::(\w+))?`")
LINK = re.compile(r"\]\((?!http)([^)#]+)")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_function_that_a_document_names_exists(document: Path) -> None:
    for file, name in REFERENCE.findall(document.read_text()):
        assert (ROOT / file).exists(), f"{document.name} names {file}, which does not exist"
        nodes = ast.walk(ast.parse((ROOT / file).read_text()))
        defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert not name or name in defined, f"{document.name} names {file}:{name}, which does not exist"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_relative_link_leads_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text()):
        assert (document.parent / target).exists(), f"{document.name} links to {target}, which does not exist"


def test_the_environment_in_the_document_is_short_and_works() -> None:
    (source,) = re.findall(r"```python\n(\"\"\".*?)```", (ROOT / "docs/environments.md").read_text(), re.DOTALL)
    assert len(source.splitlines()) <= 40
    module = types.ModuleType("street")
    sys.modules[module.__name__] = module  # where dataclasses look up the types of their fields
    exec(compile(source, "docs/environments.md", "exec"), vars(module))
    simulator = Simulator(module.Street(kerb=0.15), find_robot("humanoid"))
    assert all(limb.touching for name, limb in simulator.observe().limbs.items() if name.endswith("foot"))
    with pytest.raises(InputError, match=r"from 0 to 0\.25 m"):
        module.Street(kerb=-0.1)
