"""The doctor looks at everything, says what to install, and is not thrown by what it finds."""

from __future__ import annotations

import json
import socket

import pytest

from hmpc.app.cli import main
from hmpc.app.experiments import doctor

Output = pytest.CaptureFixture[str]


def findings(capsys: Output, expected: int = 0) -> dict[str, dict[str, str]]:
    assert main(["doctor", "--json"]) == expected
    return {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)}


@pytest.fixture(autouse=True)
def drawing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "trouble_drawing", lambda _: "")


def test_everything_is_looked_at(capsys: Output) -> None:
    found = findings(capsys)
    assert {"versions", "machine", "graphics", "display", "port", "caches", "plug-ins", "dask"} <= set(found)
    assert "mujoco" in found["versions"]["found"] and "flat" in found["plug-ins"]["found"]


def test_graphics_that_fail_are_named_with_what_to_install(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "trouble_drawing", lambda _: "Cannot initialize a EGL device display")
    found = findings(capsys, expected=1)["graphics"]
    assert found["state"] == "broken" and "EGL device" in found["found"] and "apt install" in found["advice"]


def test_a_driver_that_crashes_does_not_take_the_doctor_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(doctor, "_DRAW", "import os; os.abort()")
    assert doctor.trouble_drawing("egl") == "it crashed"
    monkeypatch.setattr(doctor, "_DRAW", "raise RuntimeError('no device')")
    assert doctor.trouble_drawing("egl") == "RuntimeError: no device"


def test_a_port_that_is_taken_is_no_problem(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setattr(doctor, "_PORT", server.getsockname()[1])
        found = findings(capsys)["port"]
    assert found["state"] == "ok" and "is taken" in found["found"]


def test_an_extra_that_is_missing_comes_with_its_command(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor._EXTRAS, "dask", ("no_such_module", "hmpc sweep --dask"))
    found = findings(capsys)["dask"]
    assert found["state"] == "missing" and found["advice"] == "pip install 'hmpc[dask]'"


def test_people_get_lines(capsys: Output) -> None:
    assert main(["doctor"]) == 0
    assert all(line.startswith(("ok", "missing", " ")) for line in capsys.readouterr().out.splitlines())
