"""A sweep file becomes runs: every combination once, each with a key of what goes into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hmpc.app.experiments.design import read_design
from hmpc.errors import InputError


def design(folder: Path, text: str) -> list:
    path = folder / "sweep.yaml"
    path.write_text(text)
    return read_design(path)


def test_everything_is_combined_with_everything(tmp_path: Path) -> None:
    text = """
    seconds: 2
    seeds: 3
    environments: [stand, {slope: {angle: [-5, 5], length: 3}}]
    commands: [{vx: [0.2, 0.4]}, {yaw_rate: 0.3}]
    params: {tracking.kp_force: [3000, 4000]}
    ablations: {full: {}, pendulum: {plan: lip, frb.iterations: 5}}
    """
    jobs = design(tmp_path, text)
    assert len(jobs) == 3 * 3 * 3 * 2 * 2
    assert len({job.key for job in jobs}) == len(jobs)
    (last,) = [job for job in jobs if job.factors.get("env.angle") == 5 and "yaw_rate" in job.factors and job.seed == 2
               and job.factors["ablation"] == "pendulum" and job.factors["tracking.kp_force"] == 4000]  # fmt: skip
    assert last.argv == (
        "run", "slope", "--env.angle=5", "--env.length=3", "--yaw-rate=0.3", "--robot=humanoid",
        "--tracking.kp-force=4000", "--plan=lip", "--frb.iterations=5", "--seconds", "2", "--seed", "2",
    )  # fmt: skip


def test_the_key_is_of_what_goes_in_and_not_of_how_it_is_written(tmp_path: Path) -> None:
    (plain,) = design(tmp_path, "environments: stand")
    (written_out,) = design(
        tmp_path,
        "{environments: [{stand: {friction: 0.8}}], commands: [{vx: 0.0}], ablations: {all: {qp: newton}}, seeds: [0]}",
    )
    assert plain.key == written_out.key
    for other in (
        "seconds: 11",
        "seeds: [1]",
        "commands: {vx: 0.1}",
        "pushes: ['1,2,3']",
        "params: {frb.iterations: 7}",
    ):
        assert design(tmp_path, f"environments: stand\n{other}")[0].key != plain.key


def test_the_key_follows_the_content_of_a_command_file(tmp_path: Path) -> None:
    keys = []
    for vx in (0.1, 0.2):
        (tmp_path / "tape.csv").write_text(f"time,vx\n0,{vx}\n")
        (job,) = design(tmp_path, "{environments: flat, commands: {file: tape.csv}}")
        keys.append(job.key)
    assert keys[0] != keys[1] and str(tmp_path / "tape.csv") in job.argv


BAD = {
    "": "needs at least",
    "[1, 2]": "needs at least",
    "environments: [": "not YAML",
    "environments: []": "needs at least",
    "environments: stnd": "Did you mean 'stand'",
    "environments: ['--log=/tmp/x']": "needs a name",
    "environments: [{slope: {angl: 3}}]": "angle",
    "environments: [{slope: {angle: 90}}]": "from -20 to 20",
    "environments: [{slope: 3}]": "needs mappings",
    "{environments: stand, sed: 3}": "Did you mean 'seeds'",
    "{environments: stand, seeds: 0}": "seeds",
    "{environments: stand, seeds: [-1]}": "seeds",
    "{environments: stand, seeds: [true]}": "seeds",
    "{environments: stand, seconds: fast}": "--seconds",
    "{environments: stand, seconds: .nan}": "positive",
    "{environments: stand, seconds: -1}": "positive",
    "{environments: stand, commands: {speed: 1}}": "yaw_rate",
    "{environments: stand, commands: {vx: fast}}": "--vx",
    "{environments: stand, commands: {vx: .nan}}": "finite",
    "{environments: stand, commands: {file: nowhere.csv}}": "nowhere.csv",
    "{environments: stand, robots: [atlas]}": "humanoid",
    "{environments: stand, pushes: ['1,2']}": "T,IMPULSE,DIRECTION",
    "{environments: stand, params: {frb.speed: 1}}": "frb.iterations",
    "{environments: stand, ablations: []}": "ablations",
    "{environments: stand, ablations: {a: {video: a.mp4}}}": "plan",
    "{environments: stand, ablations: {a: {plan: magic}}}": "lip",
    "{environments: stand, ablations: {a: [1]}}": "mapping",
    "{environments: stand, seeds: 100001}": "more than 100000 runs",
}


@pytest.mark.parametrize("text", BAD)
def test_a_file_that_makes_no_sense_is_refused_before_anything_runs(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=BAD[text]):
        design(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_design(tmp_path / "nowhere.yaml")
