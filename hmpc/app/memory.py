"""Memory that is not needed any more: when it is looked for, and that it goes back to the operating system."""

from __future__ import annotations

import contextlib
import ctypes
import gc

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of <malloc.h>
_NEW_OBJECTS = 50_000  # after which the garbage collector looks for cycles; Python's own choice is 700
_LARGE = 2**20  # [bytes] MuJoCo's data of a world has 15 MB in one piece


def give_back_large_blocks() -> None:
    """Have glibc map every large block on its own, which is gone as soon as it is freed.

    By itself it does so only until one is freed: from then on blocks of that size come from the heap, where small ones
    that outlive a world keep its memory from being given back, and a demo seems to grow with every swap. Other C
    libraries do not have the switch, nor this habit.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # TypeError: no library by that name, on Windows
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def collect_garbage_rarely() -> None:
    """Look for cycles of unused objects every few seconds of a run instead of ten times a second.

    A tick leaves none behind and a plan few, and looking for them takes a few percent of the time of a walk.
    """
    gc.set_threshold(_NEW_OBJECTS)
