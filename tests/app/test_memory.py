"""What is freed is freed."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

# In a process of its own, whose heap has no holes yet in which a block could find room.
WORLDS_COME_AND_GO = """
from pathlib import Path
import numpy as np
from hmpc.app.memory import give_back_large_blocks

def allocated():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Anonymous:", "Swap:"))) // 1024

give_back_large_blocks()
before, small = allocated(), []
for _ in range(4):
    world = np.ones(16 * 2**20, dtype=np.uint8)
    small.append(np.ones(10_000))
    with_world = allocated()
    del world
print(with_world - before, allocated() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="how glibc keeps memory")
def test_large_blocks_go_back_although_small_ones_that_came_later_stay() -> None:
    process = subprocess.run([sys.executable, "-c", WORLDS_COME_AND_GO], capture_output=True, text=True, check=True)
    with_a_world, without = map(int, process.stdout.split())  # [MB]
    assert with_a_world > 14 and without < 8
