"""Whatever a user types or writes into a file: success, or one sentence and exit code 2; never a traceback."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import hmpc.app.demo
import hmpc.app.send
import hmpc.app.session
from hmpc.app.cli import main
from hmpc.app.commands.messages import StateQuestion, read_question
from hmpc.app.commands.request import NAMES
from hmpc.app.commands.rerun import read_run
from hmpc.app.commands.tape import COLUMNS, read_tape
from hmpc.app.config import read_config, with_overrides
from hmpc.app.experiments.design import read_design
from hmpc.errors import InputError
from hmpc.params import Params
from hmpc.types import Command

NASTY = (
    *("", "-", "--", "---", ".", "..", "=", ",", ":", "/", "/proc", "[1", "{}", "%s", "{x}", "ä\u202e", "\x00"),
    *("nan", "inf", "-inf", "1e999", "-1", "0", "1", "1.5", "9" * 400, "true", "null", "None", "1,2,3", "1,2,3,4,5"),
    *("a.b.c:D", "os:system", "json:loads", "stand", "flat", "stairs", "robots", "newton", "lip", "realtime", "left"),
)
FLAGS = (
    *("--vx", "--vy", "--yaw-rate", "--body-height", "--seed", "--control-rate", "--qp", "--pd", "--plan", "--clock"),
    *("--config", "--commands", "--tape", "--push", "--seconds", "--log", "--video", "--json", "--port", "--host"),
    *("--listen", "--token", "--gamepad", "--ros", "--viewer", "--for", "--robot", "--height-error", "-h", "--vx="),
    *("--env.yaw", "--env.arms", "--env.", "--env.yaw=", "--frb.iterations", "--frb.warm-start", "--x.y", "--."),
)
words = st.one_of(st.sampled_from(NASTY), st.text(max_size=8))
arguments = st.lists(st.one_of(st.sampled_from(FLAGS), words), max_size=6)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6))
plain = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(scalars, inner, max_size=3))
rows = st.lists(st.dictionaries(st.one_of(st.sampled_from(COLUMNS), scalars), scalars, max_size=4), max_size=3)
shared_folder = [HealthCheck.function_scoped_fixture]  # an example overwrites the file of the one before: that is fine
files = settings(max_examples=50, suppress_health_check=shared_folder)
lines = settings(max_examples=20, suppress_health_check=shared_folder)  # an argument parser takes its time


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a command line means is worked out; what would take time or reach another program is left out."""

    def refuse(*_: object, **__: object) -> None:
        raise InputError("Nothing answers.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hmpc.app.session, "Simulator", refuse)  # whose world and character are known by then
    monkeypatch.setattr(hmpc.app.demo, "served", refuse)  # the page, once the words make sense
    monkeypatch.setattr(hmpc.app.send, "_connected", refuse)


def complaints(argv: list[str]) -> str:
    """Why this command line did not end as it should; "" if it did."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            code = main(argv)
        except SystemExit as stop:  # --help
            code = int(stop.code or 0)
    told = errors.getvalue()
    if code == 0:
        return ""
    good = code == 2 and told.startswith("hmpc: ") and told.count("\n") == 1 and not output.getvalue()
    return "" if good else f"exit code {code}, stderr {told!r}, stdout {output.getvalue()!r}"


@pytest.mark.parametrize("command", ["run", "demo", "send", "list", "bench"])
@given(arguments)
@lines
def test_any_command_line(nothing_runs: None, command: str, more: list[str]) -> None:
    assert not complaints([command, *more])


@given(st.lists(words, max_size=3))
@lines
def test_any_words(nothing_runs: None, argv: list[str]) -> None:
    assert not complaints(argv)


def written(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    text = content if isinstance(content, str) else yaml.safe_dump(content, allow_unicode=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


@given(
    st.one_of(st.text(max_size=40), plain, st.dictionaries(st.sampled_from(["frb", "executor.pace", "fixed"]), plain))
)
@example("frb: {iterations: 1" + "0" * 400 + "}")
@example("frb: {iterations: 2001-99-99}")
@example("&a [*a]")
@example("a: &a {b: *a}")
@example("[" * 3000)
@files
def test_any_config_file(tmp_path: Path, content: Any) -> None:
    with contextlib.suppress(InputError):
        with_overrides(Params(), read_config(written(tmp_path, "config.yaml", content)))


@pytest.mark.parametrize("name", ["commands.yaml", "commands.csv"])
@given(st.one_of(st.text(max_size=40), plain, rows))
@example("time,vx\n0," + "9" * 400)
@example('time,vx\n"0')
@example("- {time: 0, vx: 1" + "0" * 400 + "}")
@example("[" * 3000)
@files
def test_any_commands_file(tmp_path: Path, name: str, content: Any) -> None:
    with contextlib.suppress(InputError):
        read_tape(written(tmp_path, name, content), Command())


def test_any_run_folder(tmp_path: Path) -> None:
    for content in ("", "[]", "a", "{seconds: {}}", "a: &a {b: *a}", "\x00", "seconds: 2001-99-99"):
        written(tmp_path, "config.yaml", content)
        with pytest.raises(InputError):
            read_run(tmp_path)


sweeps = st.dictionaries(
    st.sampled_from(["seconds", "seeds", "commands", "robots", "params", "pushes", "ablations"]),
    st.one_of(plain, st.lists(plain, max_size=2)),
    max_size=3,
)


@given(st.one_of(plain, sweeps.map(lambda more: {"environments": ["flat"], **more})))
@example("environments: [flat]\nseconds: 2001-99-99")
@example("environments: &a [*a]")
@example("environments: [[flat]]")
@example("environments: flat\nseeds: 1" + "0" * 12)
@example({"environments": ["flat"], "params": {f"frb.{name}": list(range(100)) for name in "abcdef"}})
@example({"environments": ["flat"], "ablations": {"": {True: 1}}})
@files
def test_any_sweep_file(tmp_path: Path, content: Any) -> None:
    with contextlib.suppress(InputError):
        read_design(written(tmp_path, "sweep.yaml", content))


messages = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.dictionaries(st.sampled_from(["type", "hold", *NAMES]), st.one_of(scalars, st.just("command")), max_size=4).map(
        lambda message: json.dumps(message).encode()
    ),
)


@given(messages)
@example(b"[" * 4000)
@example(b'{"type":"command","vx":' + b"9" * 400 + b"}")
@files
def test_any_message(message: bytes) -> None:
    with contextlib.suppress(InputError):
        question = read_question(message)
        assert isinstance(question, StateQuestion | tuple)


def test_the_fuzz_knows_what_a_traceback_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that nobody foresaw gets through to the test."""

    def fail(*_: object) -> Iterator[None]:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("hmpc.app.listing.environments", fail)
    with pytest.raises(RuntimeError):
        complaints(["list", "envs"])
