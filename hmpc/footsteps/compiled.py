"""How the functions of the search are compiled: those that only other compiled functions call.

Without doors to Python they compile twice as fast. Those that make no arrays also run several times as fast as plain
`njit` makes them: a problem and a queue are tuples of some forty arrays, and every touch of one counted references to
all of them. They are inlined, and a division by zero gives infinity or NaN, so that nobody looks for an exception
after each of them.
"""

from __future__ import annotations

from numba import njit

allocating = njit(cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]
kernel = njit(  # type: ignore[call-overload]
    cache=True,
    no_cpython_wrapper=True,
    no_cfunc_wrapper=True,
    error_model="numpy",
    forceinline=True,
    _nrt=False,  # no counting of references: nothing here makes or keeps an array
)
