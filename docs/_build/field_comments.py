"""An extension of griffe: the comment behind a dataclass field, with its unit, is that field's documentation."""

from __future__ import annotations

import ast
from typing import Any

import griffe


class FieldComments(griffe.Extension):
    """`mass: float  # [kg]` documents `mass` as "[kg]"."""

    def on_attribute(self, *, attr: griffe.Attribute, **_: Any) -> None:
        if attr.docstring or attr.lineno is None or not isinstance(attr.parent, griffe.Class):
            return
        lines = attr.lines_collection[attr.filepath]
        code, mark, comment = lines[(attr.endlineno or attr.lineno) - 1].partition("  # ")
        if mark and not comment.startswith(("noqa", "type:")) and not _in_string(code):
            attr.docstring = griffe.Docstring(comment.strip(), parent=attr)


def _in_string(code: str) -> bool:
    """Whether the line breaks off in the middle of a string."""
    try:
        ast.parse(code.strip())
    except SyntaxError:
        return True
    return False
