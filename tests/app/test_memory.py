"""What is freed is freed."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest

from hmpc.app.memory import give_back_large_blocks

WORLD = 16 * 2**20  # [bytes]


def allocated() -> int:
    """Bytes of this process that are no file's."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(("Anonymous:", "Swap:")))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="how glibc keeps memory")
def test_large_blocks_go_back_although_small_ones_that_came_later_stay() -> None:
    give_back_large_blocks()
    before, small = allocated(), []
    for _ in range(4):
        world = np.ones(WORLD, dtype=np.uint8)
        small.append(np.ones(10_000))
        assert allocated() > before + WORLD // 2
        del world
    assert allocated() < before + WORLD // 2
