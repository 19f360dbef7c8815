"""The design of a sweep: a YAML file becomes a list of runs, each a command line of `hmpc run`.

    seconds: 10
    seeds: 5                                # 0 to 4, or a list of seeds
    environments: [flat, {slope: {angle: [-5, 5]}}]
    commands: [{vx: [0.5, 1.0]}, {vx: 0.5, yaw_rate: 0.3}]
    ablations: {full: {}, pendulum: {plan: lip}, short: {frb.iterations: 20}}

A list in a mapping stands for one run with each of its values; everything is combined with everything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np

from hmpc.app.arguments import duration, parse_push, resolve
from hmpc.app.cli import Run, parse, split_dotted
from hmpc.app.commands.tape import read_tape
from hmpc.app.config import resolved
from hmpc.app.yaml_file import read_yaml
from hmpc.errors import InputError, UnknownNameError
from hmpc.registry import find_robot
from hmpc.sim.parameters import parameters_of
from hmpc.types import Command

MAX_RUNS = 100_000  # more is a mistake in the file
_KEYS = ("seconds", "seeds", "environments", "commands", "robots", "params", "pushes", "ablations")
COMMAND_KEYS = ("vx", "vy", "yaw_rate", "body_height", "file")
_OPTIONS = ("plan", "pd", "qp", "control_rate", "height_error")  # of `hmpc run` that an ablation may change
_VERSIONS = ("hmpc", "mujoco", "numpy", "numba", "cma")  # another one of these can give another result

Factors = dict[str, Any]  # what distinguishes a run from the others, for the table


@dataclass(frozen=True, eq=False)
class Job:
    """One run of a sweep."""

    factors: Factors
    seed: int
    argv: tuple[str, ...]  # of `hmpc`
    key: str  # the same for the same resolved inputs, and for nothing else


def read_design(path: Path) -> list[Job]:
    """All runs of a sweep; everything that can be checked without running is."""
    content = _read(path)
    for name in content:
        if name not in _KEYS:
            raise UnknownNameError(f"key of {str(path)!r}:", str(name), _KEYS)
    seeds = _seeds(content.get("seeds", 1))
    variants = list(islice(_variants(content, path.parent), MAX_RUNS + 1))
    if len(variants) * len(seeds) > MAX_RUNS:
        raise InputError(f"{str(path)!r} asks for more than {MAX_RUNS} runs.")
    return [job for factors, argv in variants for job in _jobs(factors, argv, seeds)]


def _read(path: Path) -> Mapping[str, Any]:
    content = read_yaml(path, "Sweep file")
    if not isinstance(content, dict) or not content.get("environments"):
        raise InputError(f"Sweep file {str(path)!r} needs at least 'environments: [NAME, ...]'.")
    return content


def _variants(content: Mapping[str, Any], folder: Path) -> Iterator[tuple[Factors, list[str]]]:
    """Every combination apart from the seeds: what it is called, and the arguments that make it."""
    tables = [
        _environments(content["environments"]),
        _commands(content.get("commands", [{}]), folder),
        [({"robot": name}, [f"--robot={name}"]) for name in _listed(content, "robots", "humanoid")],
        [(values, _dotted(values)) for values in _grid(content.get("params", {}), "'params'")],
        [({"push": text or ""}, [f"--push={text}"] if text else []) for text in _listed(content, "pushes", None)],
        [({"ablation": str(name)}, _ablation(values)) for name, values in _ablations(content)],
    ]
    seconds = ["--seconds", str(content.get("seconds", 10.0))]
    for parts in product(*tables):
        factors = {name: value for part, _ in parts for name, value in part.items()}
        yield factors, ["run", *(word for _, words in parts for word in words), *seconds]


def _environments(entries: Any) -> list[tuple[Factors, list[str]]]:
    found = []
    for entry in entries if isinstance(entries, list) else [entries]:
        named = entry.items() if isinstance(entry, dict) else [(entry, {})]
        for name, parameters in named:
            if not isinstance(name, str) or name.startswith("-"):
                raise InputError(f"An environment needs a name, got {name!r}.")
            for values in _grid(parameters or {}, f"Environment {name!r}"):
                dotted = {f"env.{key}": value for key, value in values.items()}
                found.append(({"env": name, **dotted}, [name, *_dotted(dotted)]))
    return found


def _commands(entries: Any, folder: Path) -> list[tuple[Factors, list[str]]]:
    found = []
    for entry in entries if isinstance(entries, list) else [entries]:
        for values in _grid(entry, "'commands'"):
            for name in values:
                if name not in COMMAND_KEYS:
                    raise UnknownNameError("key of a command", str(name), COMMAND_KEYS)
            words = [f"--{name.replace('_', '-')}={value}" for name, value in values.items() if name != "file"]
            if "file" in values:
                words += ["--commands", str((folder / str(values["file"])).resolve())]
            found.append((values, words))
    return found


def _ablations(content: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    ablations = content.get("ablations", {"full": {}})
    if not isinstance(ablations, dict) or not ablations:
        raise InputError("'ablations' needs names and what they change, such as {full: {}, pendulum: {plan: lip}}.")
    return list(ablations.items())


def _ablation(values: Any) -> list[str]:
    if not isinstance(values, dict | None):
        raise InputError(f"An ablation needs a mapping such as {{plan: lip}}, got {values!r}.")
    options = {name: value for name, value in (values or {}).items() if "." not in str(name)}
    for name in options:
        if str(name) not in _OPTIONS:
            raise UnknownNameError("option of an ablation", str(name), (*_OPTIONS, "any dotted parameter"))
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    return words + _dotted({name: value for name, value in (values or {}).items() if name not in options})


def _grid(values: Any, what: str) -> list[dict[str, Any]]:
    """Every combination of the values in a mapping; a list stands for several."""
    if not isinstance(values, dict):
        raise InputError(f"{what} needs mappings such as {{name: value}}, got {values!r}.")
    choices = [value if isinstance(value, list) else [value] for value in values.values()]
    combinations = islice(product(*choices), MAX_RUNS + 1)
    return [dict(zip(map(str, values), combination, strict=True)) for combination in combinations]


def _dotted(values: Mapping[str, Any]) -> list[str]:
    return [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]


def _listed(content: Mapping[str, Any], name: str, default: Any) -> list[Any]:
    found = content.get(name, [default])
    return found if isinstance(found, list) and found else [found]


def _seeds(value: Any) -> list[int]:
    seeds = list(range(min(value, MAX_RUNS + 1))) if type(value) is int and value > 0 else value
    if not isinstance(seeds, list) or not seeds or not all(type(seed) is int and seed >= 0 for seed in seeds):
        raise InputError(f"'seeds' must be how many, or a list of whole numbers from 0, got {value!r}.")
    return list(dict.fromkeys(seeds))


def _jobs(factors: Factors, argv: list[str], seeds: list[int]) -> Iterator[Job]:
    inputs = _inputs(argv)
    for seed in seeds:
        text = json.dumps({**inputs, "seed": seed}, sort_keys=True, default=str)
        key = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        yield Job(factors, seed, (*argv, "--seed", str(seed)), key)


def _inputs(argv: list[str]) -> dict[str, Any]:
    """Everything that the result of a run depends on, but for its seed; bad input is found here."""
    plain, dotted = split_dotted(argv)
    arguments = parse(plain)
    assert isinstance(arguments, Run)
    environment, params = resolve(arguments, dotted)
    find_robot(arguments.robot)
    duration(arguments, environment)
    velocity_H = np.array([arguments.vx, arguments.vy])
    command = Command(velocity_H=velocity_H, yaw_rate=arguments.yaw_rate, body_height=arguments.body_height)
    for push in arguments.push:
        parse_push(push)
    if arguments.commands:
        read_tape(arguments.commands, command)
    return {
        **asdict(arguments),
        "env": f"{type(environment).__module__}:{type(environment).__qualname__}",
        "parameters": {p.name: getattr(environment, p.name) for p in parameters_of(environment)},
        "params": resolved(params),
        "commands": arguments.commands.read_text(encoding="utf-8") if arguments.commands else None,
        "versions": {name: version(name) for name in _VERSIONS},
    }
