"""How long the parts of a program take, each without the parts inside it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import Any

Part = tuple[object, str]  # an object (or module) and the name of the function on it


class Stopwatch:
    """Collects the seconds that every call of a part took by itself."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}
        self._inside: list[float] = []  # seconds spent in parts within the parts that are running

    @contextlib.contextmanager
    def watching(self, parts: Mapping[str, Part]) -> Iterator[None]:
        """Time the calls of `parts` for as long as the context lasts."""
        before = [vars(owner).get(name) for owner, name in parts.values()]  # None: it comes from the class
        for label, (owner, name) in parts.items():
            setattr(owner, name, self._timed(label, getattr(owner, name)))
        try:
            yield
        finally:
            for (owner, name), function in zip(parts.values(), before, strict=True):
                if function is None:
                    delattr(owner, name)
                else:
                    setattr(owner, name, function)

    def drain(self) -> dict[str, float]:
        """The seconds that each part took since the last time, all calls together."""
        spent = {label: sum(samples) for label, samples in self.seconds.items()}
        for samples in self.seconds.values():
            samples.clear()
        return spent

    @contextlib.contextmanager
    def lap(self, label: str) -> Iterator[None]:
        """Time what happens in the context as a part of its own."""
        before = perf_counter()
        yield
        self.seconds.setdefault(label, []).append(perf_counter() - before)

    def _timed(self, label: str, function: Callable[..., Any]) -> Callable[..., Any]:
        samples = self.seconds.setdefault(label, [])

        def timed(*args: Any, **kwargs: Any) -> Any:
            self._inside.append(0.0)
            before = perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                took = perf_counter() - before
                samples.append(took - self._inside.pop())
                if self._inside:
                    self._inside[-1] += took

        return timed
