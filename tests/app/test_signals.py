"""Ctrl-C, SIGTERM and SIGHUP are heard at once, whatever the program is busy with."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hmpc.app.signals import TERMINATED, end_at_once, orderly_end

ROOT = Path(__file__).parents[2]
# Like a compiler, the hash runs for minutes without coming back to Python, and lets other threads run meanwhile.
BUSY = """
import hashlib
from hmpc.app.signals import end_at_once, orderly_end
with orderly_end(), end_at_once(0, "Bye."):
    print("busy", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
"""
# Extension modules do this: what interrupts their initialization becomes the cause of an ImportError.
IMPORTING = """
import sys, time
from hmpc.app.cli import main
class Library:
    def find_spec(self, name, path=None, target=None):
        if name == "hmpc.app.listing":
            print("busy", flush=True)
            try:
                time.sleep(600)
            except BaseException as cause:
                raise ImportError("initialization failed") from cause
sys.meta_path.insert(0, Library())
sys.exit(main(["list", "envs"]))
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, TERMINATED), (signal.SIGHUP, 129)])
def test_a_program_that_does_not_listen_is_ended_at_once(number: int, code: int) -> None:
    with subprocess.Popen([sys.executable, "-c", BUSY], cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None and program.stdout.readline() == "busy\n"
        try:
            program.send_signal(number)
            told, _ = program.communicate(timeout=60)
        finally:
            program.kill()
    assert (program.returncode, told) == (code, "Bye.\n")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 1), (signal.SIGTERM, TERMINATED), (signal.SIGHUP, 129)])
def test_a_command_that_is_still_being_imported_ends_without_a_word(number: int, code: int) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", IMPORTING], cwd=ROOT, stdout=pipe, stderr=pipe, text=True) as program:
        assert program.stdout is not None and program.stdout.readline() == "busy\n"
        try:
            program.send_signal(number)
            _, told = program.communicate(timeout=60)
        finally:
            program.kill()
    assert (program.returncode, told) == (code, "")


def test_a_terminal_that_is_closed_ends_a_command_in_order_unless_it_was_started_with_nohup() -> None:
    before = signal.getsignal(signal.SIGHUP)
    with pytest.raises(SystemExit) as end, orderly_end():
        signal.raise_signal(signal.SIGHUP)
    assert end.value.code == 129 and signal.getsignal(signal.SIGHUP) is before
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with orderly_end():
        signal.raise_signal(signal.SIGHUP)
    signal.signal(signal.SIGHUP, before)


def test_afterwards_everything_is_as_before() -> None:
    before = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(before)
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with end_at_once(0):
        pass
    assert signal.set_wakeup_fd(before) == before
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
