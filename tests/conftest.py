"""Shared by all tests: the fast ones run first, and property tests are reproducible."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from hmpc.app.threads import use_one_blas_thread

use_one_blas_thread()  # before any test imports numpy

# What a script starts in the background does not hear Ctrl-C, nor what nohup starts that the terminal is closed, and
# neither would the programs that tests end with these.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# derandomize: the same examples on every machine; deadline: the first call may compile a numba kernel.
settings.register_profile("hmpc", derandomize=True, deadline=None)
settings.load_profile("hmpc")


@pytest.fixture(scope="session", autouse=True)
def _state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tapes that every run keeps go to a folder of the tests' own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("sim") is not None)
