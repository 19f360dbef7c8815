"""Faults of what the controller sees: numbers that are none, contacts that are not there, states of the past."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from hmpc.app.bench.faults.fault import Fault, plant_of, replaced
from hmpc.app.bench.plant import LONGEST_DELAY
from hmpc.app.session import Session
from hmpc.types import Limbs, LimbState, RobotState

_SAMPLES = (0.002, 0.016)  # [s] one to eight lost samples
_OUTAGE = (0.05, 0.1)  # [s] longer than the last torques can stand in


@contextlib.contextmanager
def _observed(session: Session, spoil: Callable[[RobotState], RobotState]) -> Iterator[None]:
    observe = session.simulator.observe
    with replaced(session.simulator, "observe", lambda: spoil(observe())):
        yield


def _bad_number(field: str, value: float, session: Session, rng: np.random.Generator) -> Iterator[None]:
    """One entry of qpos or qvel is not finite."""
    index = int(rng.integers(len(getattr(session.state, field))))

    def spoil(state: RobotState) -> RobotState:
        values = getattr(state, field).copy()
        values[index] = value
        return replace(state, **{field: values})

    with _observed(session, spoil):
        yield


def _limbs(session: Session, spoil: Callable[[LimbState], LimbState], names: set[str]) -> Iterator[None]:
    def of(state: RobotState) -> RobotState:
        limbs = {name: spoil(limb) if name in names else limb for name, limb in state.limbs.items()}
        return replace(state, limbs=Limbs.of(limbs))

    with _observed(session, of):
        yield


def _bad_contact(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """A contact's place, normal or force is not finite."""
    bad, name = np.full(3, rng.choice([math.nan, math.inf])), str(rng.choice(list(session.state.limbs)))
    spoils: tuple[Callable[[LimbState], LimbState], ...] = (
        lambda limb: replace(limb, p_W=bad),
        lambda limb: replace(limb, normal_W=bad),
        lambda limb: replace(limb, force_W=bad),
    )
    yield from _limbs(session, spoils[int(rng.integers(len(spoils)))], {name})


def _flipped(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """Some feet are said to touch when they do not, or not to when they do."""
    feet = [limb.spec.name for limb in session.simulator.robot.feet()]
    names = {str(name) for name in rng.choice(feet, size=int(rng.integers(1, 3)), replace=False)}
    yield from _limbs(session, lambda limb: replace(limb, touching=not limb.touching), names)


def _delayed(session: Session, rng: np.random.Generator) -> Iterator[None]:
    """What is seen is one to ten ticks old."""
    plant = plant_of(session)
    plant.delay = int(rng.integers(1, LONGEST_DELAY + 1))
    try:
        yield
    finally:
        plant.delay = 0


def _bad(field: str, value: float) -> Callable[[Session, np.random.Generator], contextlib.AbstractContextManager[None]]:
    return contextlib.contextmanager(partial(_bad_number, field, value))


FAULTS = (
    Fault("NaN in qpos", _bad("qpos", math.nan), _SAMPLES),
    Fault("infinity in qpos", _bad("qpos", math.inf), _SAMPLES),
    Fault("NaN in qvel", _bad("qvel", math.nan), _SAMPLES),
    Fault("infinity in qvel", _bad("qvel", -math.inf), _SAMPLES),
    Fault("NaN in qvel for 50 to 100 ms", _bad("qvel", math.nan), _OUTAGE),
    Fault("NaN or infinity in the contacts", contextlib.contextmanager(_bad_contact), _SAMPLES),
    Fault("contact flags flipped", contextlib.contextmanager(_flipped), _SAMPLES),
    Fault("state 1 to 10 ticks late", contextlib.contextmanager(_delayed), (0.1, 0.3)),
)
