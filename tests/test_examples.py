"""What the documentation shows works: its code and commands are run, its messages are understood."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hmpc.app.cli import main
from hmpc.app.commands.messages import StateQuestion, read_answer, read_question
from hmpc.app.commands.network import CommandServer
from hmpc.app.commands.request import NAMES
from hmpc.app.commands.tape import read_tape
from hmpc.app.session import Session
from hmpc.errors import InputError
from hmpc.types import Command

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r'^```(\w+)(?: title="([^"\n]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A piece of code in a page."""

    language: str
    title: str
    text: str


def blocks(page: str, *languages: str) -> list[Block]:
    found = [Block(*match) for match in BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))]
    return [block for block in found if block.language in languages]


@pytest.mark.sim
@pytest.mark.parametrize("page", ["tutorial.md", "gymnasium.md"])
def test_a_page_can_be_followed_from_top_to_bottom(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks(page, "python", "console"):
        if block.title:
            (tmp_path / block.title).write_text(block.text)
        elif block.language == "python":
            exec(compile(block.text, page, "exec"), names)
        else:
            for line in block.text.splitlines():
                command = shlex.split(line.removeprefix("$ hmpc "))
                assert main(command) == 0, f"{line}: {capsys.readouterr()}"


def test_the_messages_of_the_network_page_are_understood() -> None:
    commands, states, problems = 0, 0, 0
    for block in blocks("network.md", "json"):
        kind = json.loads(block.text)["type"]
        if kind == "error":
            with pytest.raises(InputError, match="unknown field `vz`"):
                read_answer(block.text)
            problems += 1
        elif kind in ("command", "push", "task"):
            read_question(block.text)
            commands += 1
        elif len(block.text) < 30:
            assert isinstance(read_question(block.text), StateQuestion)
        else:
            assert set(read_answer(block.text).command) == set(NAMES)
            states += 1
    assert (commands, states, problems) == (4, 1, 1)


def test_the_client_of_the_network_page_works(capsys: pytest.CaptureFixture[str]) -> None:
    session = Session("stand")
    (client,) = blocks("network.md", "python")
    with CommandServer(lambda: session, "127.0.0.1", 0, None) as server:
        exec(client.text.replace("8765", str(server.port)), {})
    assert read_answer(capsys.readouterr().out.strip()).command["vx"] == 0.5


def test_the_page_of_commands_names_every_field() -> None:
    table = (DOCS / "commands.md").read_text(encoding="utf-8").partition("## Fields")[2].partition("##")[0]
    assert set(re.findall(r"`(\w+)`", table)) >= set(NAMES)


@pytest.mark.parametrize("language", ["csv", "yaml"])
def test_the_command_files_of_the_page_can_be_read(tmp_path: Path, language: str) -> None:
    (block,) = blocks("commands.md", language)
    path = tmp_path / f"commands.{language}"
    path.write_text(block.text)
    tape = read_tape(path, Command())
    assert {0.0, 2.0, 5.0} <= {*tape.times} and tape.at(3.0).yaw_rate == 0.3 and not tape.at(6.0).velocity_H.any()
