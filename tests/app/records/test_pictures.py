"""Films, pages and plots of a run: made while it goes on, or from its recording."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hmpc.app.cli import main
from hmpc.app.records.frames import Camera, Frame, Recording
from hmpc.app.records.overlays import OVERLAYS, chosen
from hmpc.app.records.plans import PlanPicture
from hmpc.app.records.plots import _smooth, _stretches
from hmpc.app.records.recorder import Recorder
from hmpc.app.records.replay import recorded_model
from hmpc.app.session import Session
from hmpc.errors import InputError, UnknownNameError
from hmpc.types import Command

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has begun to walk."""
    folder = tmp_path_factory.mktemp("run")
    session = Session("flat", plan="lip")
    session.command = Command(velocity_H=np.array([0.5, 0.0]))
    recorder = Recorder(folder, session, [], 0.5)
    session.run(0.5, recorder)
    recorder.close()
    return folder


def frame(**row: Any) -> Frame:
    plan = PlanPicture(0.0, np.array([[1.0, 0.1, 0.0, 0.0]]), (), np.array([[0.0, 0, 1], [1, 0, 1], [2, 0, 1]]))
    base = {"limb_p_W": np.zeros((2, 3)), "limb_force_W": np.zeros((2, 3))}
    return Frame({**base, **row}, plan)


def test_a_force_is_an_arrow_from_the_limb_in_its_direction() -> None:
    force = np.array([[0.0, 0.0, 700.0], [0.0, 0.0, 0.0]])
    drawing = OVERLAYS["measured-forces"](frame(limb_force_W=force, limb_p_W=np.array([[1.0, 0, 0], [2.0, 0, 0]])))
    np.testing.assert_allclose(drawing.arrows, [[[1.0, 0, 0], [1.0, 0, 0.7]]])


def test_without_a_plan_nothing_of_it_is_drawn() -> None:
    empty = frame(limb_force_planned_W=np.full((2, 3), np.nan))._replace(plan=None)
    for name in ("footsteps", "alternatives", "trajectory", "planned-forces"):
        drawing = OVERLAYS[name](empty)
        assert len(drawing.arrows) == len(drawing.lines) == 0


def test_a_foothold_is_outlined_where_it_is() -> None:
    lines = OVERLAYS["footsteps"](frame()).lines
    np.testing.assert_allclose(lines[:, 0].mean(axis=0), [1.0, 0.1, 0.0], atol=0.03)
    np.testing.assert_array_equal(lines[:, 1], np.roll(lines[:, 0], -1, axis=0))  # a closed ring


def test_overlays_are_chosen_by_name() -> None:
    assert chosen("") == ()
    assert chosen("trajectory, footsteps") == ("footsteps", "trajectory")
    assert chosen("all") == tuple(OVERLAYS)
    with pytest.raises(UnknownNameError, match="measured-forces"):
        chosen("forces")


def test_a_camera_takes_as_many_frames_as_the_sink_wants() -> None:
    class Sink:
        rate = 50.0

        def __init__(self) -> None:
            self.frames: list[Frame] = []

        def add(self, frame: Frame) -> None:
            self.frames.append(frame)

    session, sink = Session("stand"), Sink()
    session.run(0.2, Camera(sink))
    assert len(sink.frames) == pytest.approx(0.2 * 50.0, abs=1)
    times = [frame.row["t"] for frame in sink.frames]
    np.testing.assert_allclose(np.diff(times), 0.02, atol=0.0021)


def test_a_recording_has_the_frames_and_plans_of_the_run(recorded: Path) -> None:
    recording = Recording(recorded)
    assert recording.seconds == pytest.approx(0.5, abs=0.01)
    assert recording.at(0.0).plan is None and recording.at(0.5).plan is not None
    assert len(list(recording.frames(20.0))) == 10
    assert recording.at(99.0).row["t"] == recording.t[-1]
    assert recorded_model(recorded).nq == len(recording.at(0.0).row["qpos"])


@pytest.fixture
def player(recorded: Path) -> Iterator[Any]:
    from hmpc.app.records.replay import Player
    from hmpc.app.records.stage import Stage

    model = recorded_model(recorded)
    with Stage.open(model) as stage:
        yield Player(stage, Recording(recorded), model, ("footsteps",))


def test_a_player_plays_pauses_and_starts_again_at_the_end(player: Any) -> None:
    seen = []
    for _ in range(18):
        player.step()
        seen.append(player._time.value)
    assert seen[0] > 0.0 and max(seen) <= 0.5 and seen[-1] < max(seen)  # it began again
    player._playing.value = False
    before = player._time.value
    player.step()
    assert player._time.value == before


def test_one_page_holds_the_whole_replay(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "replay.html"
    assert main(["replay", str(recorded), "--html", str(page), "--overlay", "all"]) == 0
    assert capsys.readouterr().out == f"{page}\n", "what was written is said"
    text = page.read_text()
    assert text.lstrip().lower().startswith("<!doctype html>") and len(text) > 300_000
    assert 'src="http' not in text and 'href="http' not in text  # nothing is fetched from anywhere


@pytest.mark.sim
@pytest.mark.parametrize("ending", ["mp4", "webp"])
def test_a_film_of_a_recording(recorded: Path, tmp_path: Path, ending: str) -> None:
    film = tmp_path / f"film.{ending}"
    # A process of its own: which graphics MuJoCo uses is decided when it is imported.
    command = [sys.executable, "-m", "hmpc", "replay", str(recorded), "--video", str(film), "--quality", "low"]
    done = subprocess.run([*command, "--overlay", "all"], cwd=ROOT, capture_output=True, text=True)
    if "No video can be made here" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0 and film.stat().st_size > 3000, done.stderr
    head = film.read_bytes()[:12]
    assert head[4:8] == b"ftyp" if ending == "mp4" else head[8:] == b"WEBP"


@pytest.mark.sim
def test_plots_are_files(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(recorded), "--out", str(tmp_path)]) == 0
    names = ("velocity", "com", "contacts", "forces", "torques", "times")
    assert capsys.readouterr().out.split() == [str(tmp_path / f"{name}.png") for name in names]
    assert all((tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG") for name in names)


def test_the_mean_of_a_velocity_keeps_what_is_constant_up_to_the_ends() -> None:
    t = np.linspace(0.0, 3.0, 301)
    np.testing.assert_allclose(_smooth(np.full(301, 0.7), t), 0.7)
    assert np.abs(_smooth(np.sin(4.0 * np.pi * t), t)[100:-100]).max() < 0.02  # two steps a second


def test_stretches_of_contact_have_start_and_length() -> None:
    t = np.arange(6) * 0.5
    assert _stretches(t, np.array([True, False, False, True, True, True])) == [(0.0, 0.5), (1.5, 1.5)]
    assert _stretches(t, np.zeros(6, dtype=bool)) == []


def test_a_folder_that_does_not_tell_which_run_it_was_is_refused(recorded: Path, tmp_path: Path) -> None:
    for text in ("", "[1, 2", "environment: {name: flat}", "environment: 3\nrobot: humanoid"):
        (tmp_path / "config.yaml").write_text(text)
        with pytest.raises(InputError, match=r"does not tell which run|not YAML"):
            recorded_model(tmp_path)
    config = (recorded / "config.yaml").read_text()
    (tmp_path / "config.yaml").write_text(config.replace("robot: humanoid", "robot: ../../giant"))
    with pytest.raises(InputError, match="not installed by name"):
        recorded_model(tmp_path)
    (tmp_path / "config.yaml").write_text(config.replace("class: hmpc_envs.flat:Flat", "class: evil:World"))
    with pytest.raises(InputError, match="if you trust it"):
        recorded_model(tmp_path)
    assert recorded_model(recorded, "hmpc_envs.flat:Flat").nq == recorded_model(recorded).nq
