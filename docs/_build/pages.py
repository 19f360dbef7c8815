"""A hook of mkdocs: a page for every environment, from the registry and the pictures that `make pictures` made."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "envs"), str(Path(__file__).parent)]

from pictures import picture_command  # noqa: E402

from hmpc.app.listing import environments  # noqa: E402


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill in the stars of the table of contents."""
    listed = set(_pages(config.nav))
    others = sorted(file.name for file in (ROOT / "docs").glob("*.md") if file.name not in listed)
    stars = {"worlds/*": [f"worlds/{entry['name']}.md" for entry in environments()], "*": others}
    config.nav = _filled(config.nav, stars)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the environments; mkdocs has read the folder by now."""
    for entry in environments():
        files.append(File.generated(config, f"worlds/{entry['name']}.md", content=page(entry)))
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


def page(entry: dict[str, Any]) -> str:
    """What there is to say about an environment."""
    name = entry["name"]
    picture, command = ROOT / "docs" / "pictures" / f"{name}.webp", " ".join(["hmpc", *picture_command(name)])
    lines = [f"# {name}", "", entry["description"][0].upper() + entry["description"][1:] + ".", ""]
    if picture.exists():
        lines += [f"![{name}](../pictures/{picture.name})", "", f"    {command}", ""]
    lines += ["| parameter | default | values | |", "| --- | --- | --- | --- |"]
    for item in entry["parameters"]:
        unit = f" {item['unit']}" if item["unit"] else ""
        values = ", ".join(item["choices"]) if item["choices"] else f"{item['low']:g} to {item['high']:g}{unit}"
        lines.append(f"| `--env.{item['name'].replace('_', '-')}` | {item['default']} | {values} | {item['help']} |")
    title = name.title().replace("_", "")
    lines += ["", f'In Python `hmpc.make("{name}")`, for gymnasium `hmpc/{title}-v0`.', ""]
    return "\n".join(lines)
