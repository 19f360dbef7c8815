"""Threads of the linear algebra: one is faster than several for the small matrices of a tick."""

from __future__ import annotations

import os


def use_one_blas_thread() -> None:
    """Have numpy's OpenBLAS use one thread, unless the user has chosen otherwise.

    OpenBLAS reads the variable when it is loaded, so this comes before the first import of numpy. Programs do it
    (the `hmpc` command, the tests); the library leaves the choice to whoever imports it.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
