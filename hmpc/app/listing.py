"""`hmpc list`: environments, robots, tasks and demos."""

from __future__ import annotations

import ast
import json
from dataclasses import asdict
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Literal

from hmpc.registry import list_environments, list_robots, list_tasks


def show(what: Literal["envs", "robots", "tasks", "demos"], as_json: bool) -> int:
    """Print the list."""
    entries = {"envs": environments, "robots": robots, "tasks": tasks, "demos": demos}[what]()
    print(json.dumps(entries) if as_json else "\n".join(as_text(entry) for entry in entries))
    return 0


def environments() -> list[dict[str, Any]]:
    return [asdict(info) for info in list_environments()]


def robots() -> list[dict[str, Any]]:
    return [
        {"name": robot.name, "description": robot.description, "limits": asdict(robot.limits)}
        for robot in list_robots()
    ]


def tasks() -> list[dict[str, Any]]:
    return [{"name": task.name, "description": task.description} for task in list_tasks()]


def demos() -> list[dict[str, Any]]:
    """The scripts in demos/, each with the first line of its docstring."""
    installed = find_spec("hmpc_demos") is not None
    package = "hmpc_demos" if installed else "demos"  # ... as it is called in a checkout
    folder = files(package)
    scripts = sorted((f for f in folder.iterdir() if f.name.endswith(".py") and f.name != "__init__.py"), key=str)
    return [
        {
            "name": script.name.removesuffix(".py"),
            "description": (ast.get_docstring(ast.parse(script.read_text())) or "").partition("\n")[0],
            "command": f"python -m {package}.{script.name.removesuffix('.py')}",
        }
        for script in scripts
    ]


def as_text(entry: dict[str, Any]) -> str:
    lines = [f"{entry['name']:12} {entry['description']}"]
    for item in entry.get("parameters", ()):
        unit = f" {item['unit']}" if item["unit"] else ""
        span = ", ".join(item["choices"]) if item["choices"] else f"{item['low']:g} to {item['high']:g}{unit}"
        flag = f"--env.{item['name'].replace('_', '-')}"
        lines.append(f"  {flag:18} {item['help']} [{span}; {item['default']}]")
    return "\n".join(lines)
