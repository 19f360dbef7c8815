"""A hook of mkdocs: a page for every environment and every task, from the registry and the pictures (`make pictures`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "envs"), str(Path(__file__).parent)]

from pictures import task_command, world_command  # noqa: E402

from hmpc.app.listing import environments  # noqa: E402
from hmpc.registry import list_tasks, make_environment  # noqa: E402
from hmpc.tasks.situation import Scene  # noqa: E402


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill in the stars of the table of contents."""
    listed = set(_pages(config.nav))
    others = sorted(file.name for file in (ROOT / "docs").glob("*.md") if file.name not in listed)
    stars = {
        "worlds/*": [f"worlds/{entry['name']}.md" for entry in environments()],
        "motions/*": [f"motions/{task.name}.md" for task in list_tasks()],
        "*": others,
    }
    config.nav = _filled(config.nav, stars)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of environments and tasks; mkdocs has read the folder by now."""
    for entry in environments():
        files.append(File.generated(config, f"worlds/{entry['name']}.md", content=world_page(entry)))
    for task in list_tasks():
        files.append(File.generated(config, f"motions/{task.name}.md", content=task_page(task)))
    return files


def _pages(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for item in nav.values() if isinstance(nav, dict) else nav:
            yield from _pages(item)


def _filled(nav: Any, stars: dict[str, list[str]]) -> Any:
    if isinstance(nav, dict):
        return {title: _filled(item, stars) for title, item in nav.items()}
    if isinstance(nav, list):
        return [filled for item in nav for filled in _in_place(item, stars)]
    return nav


def _in_place(item: Any, stars: dict[str, list[str]]) -> list[Any]:
    return stars[item] if isinstance(item, str) and item in stars else [_filled(item, stars)]


def task_page(task: Any) -> str:
    """What there is to say about a task."""
    name = task.name
    stages = ", ".join(f"*{stage.__name__.strip('_').replace('_', ' ')}*" for stage in task.stages)
    places = [f"[{entry['name']}](../worlds/{entry['name']}.md)" for entry in environments() if task.suits(_scene(entry))]
    return "\n".join(
        [
            f"# {name}",
            "",
            _sentence(task.description),
            "",
            *_picture(name, task_command(name)),
            f"Stages: {stages}; each from rest to rest, planned by tier 2. Offered in {', '.join(places)}.",
            "",
            f"In the demo a button; from a terminal `hmpc send --task {name}`; in Python `sim.task(\"{name}\")`; in a command",
            f"file a row with `task: {name}`. [How tasks work](../tasks.md).",
            "",
        ]
    )


def _scene(entry: dict[str, Any]) -> Scene:
    place = make_environment(entry["name"])
    lying = place.start().lying is not None
    return Scene(regions=place.regions(), handholds=place.handholds(), seats=place.seats(), lying=lying)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip(".") + "."


def _picture(name: str, command: list[str] | None) -> list[str]:
    """The moving picture, if there is one, and the command that made it."""
    if command is None or not (ROOT / "docs" / "pictures" / f"{name}.webp").exists():
        return []
    return [f"![{name}](../pictures/{name}.webp)", "", f"    {' '.join(['hmpc', *command])}", ""]


def world_page(entry: dict[str, Any]) -> str:
    """What there is to say about an environment."""
    name = entry["name"]
    lines = [f"# {name}", "", _sentence(entry["description"]), "", *_picture(name, world_command(name))]
    lines += ["| parameter | default | values | |", "| --- | --- | --- | --- |"]
    for item in entry["parameters"]:
        unit = f" {item['unit']}" if item["unit"] else ""
        values = ", ".join(item["choices"]) if item["choices"] else f"{item['low']:g} to {item['high']:g}{unit}"
        lines.append(f"| `--env.{item['name'].replace('_', '-')}` | {item['default']} | {values} | {item['help']} |")
    title = name.title().replace("_", "")
    lines += ["", f'In Python `hmpc.make("{name}")`, for gymnasium `hmpc/{title}-v0`.', ""]
    return "\n".join(lines)
