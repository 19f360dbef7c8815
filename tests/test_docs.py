"""The documents tell the truth: every file and function that they name exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

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
