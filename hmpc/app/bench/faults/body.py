"""Faults of the body and the world: motors, masses, friction, pushes; the controller is told of none."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from hmpc.app.bench.faults.fault import Fault, plant_of
from hmpc.app.session import Session
from hmpc.sim.simulator import Push

_WHILE = (0.1, 0.5)  # [s]
_MASS_ERROR = 0.3
_SLIPPERY = 0.3  # friction coefficient of a wet patch
_IMPULSE = (10.0, 60.0)  # [N s]


def _weak_motor(strength: float, session: Session, rng: np.random.Generator) -> Iterator[None]:
    motors = plant_of(session).motor_strength
    motors[rng.integers(len(motors))] = strength
    try:
        yield
    finally:
        motors[:] = 1.0


@contextlib.contextmanager
def _other_mass(session: Session, rng: np.random.Generator) -> Iterator[None]:
    plant = plant_of(session)
    plant.scale_mass(1.0 + rng.uniform(-_MASS_ERROR, _MASS_ERROR))
    try:
        yield
    finally:
        plant.scale_mass(1.0)


@contextlib.contextmanager
def _slippery(session: Session, rng: np.random.Generator) -> Iterator[None]:
    plant = plant_of(session)
    plant.limit_friction(_SLIPPERY)
    try:
        yield
    finally:
        plant.limit_friction(math.inf)


@contextlib.contextmanager
def _push(session: Session, rng: np.random.Generator) -> Iterator[None]:
    session.push(Push(session.time, rng.uniform(*_IMPULSE), rng.uniform(-math.pi, math.pi)))
    yield


FAULTS = (
    Fault("a motor at half its torque", contextlib.contextmanager(partial(_weak_motor, 0.5)), _WHILE),
    Fault("a motor lost", contextlib.contextmanager(partial(_weak_motor, 0.0)), _WHILE),
    Fault("mass wrong by up to 30 %", _other_mass, _WHILE),
    Fault("patch of friction 0.3", _slippery, _WHILE),
    Fault("push of 10 to 60 N s", _push, _WHILE),
)
