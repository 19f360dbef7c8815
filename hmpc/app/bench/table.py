"""The result of a bench: named tables of rows, printed aligned or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Cell = float | int | str | bool | None
Result = Mapping[str, Sequence[Mapping[str, Cell]]]  # title -> rows (column -> value)


def as_text(result: Result) -> str:
    """One aligned table below each title."""
    return "\n\n".join(f"{title}\n{_table(rows)}" for title, rows in result.items())


def _table(rows: Sequence[Mapping[str, Cell]]) -> str:
    if not rows:
        return "  (nothing)"
    columns = list(rows[0])
    cells = [columns, *([_text(row[name]) for name in columns] for row in rows)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(columns))]
    numeric = [all(isinstance(row[name], float | int | None) for row in rows) for name in columns]
    return "\n".join(
        "  "
        + "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in cells
    )


def _text(value: Cell) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
