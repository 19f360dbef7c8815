"""How signals end a command: in order when there are records to close and workers to end, else at once.

Ctrl-C is SIGINT; SIGTERM comes from `kill` and from batch systems, SIGHUP from a terminal that is closed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Iterator
from threading import Thread

TERMINATED = 128 + signal.SIGTERM  # the exit code that shells expect
_REQUESTS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_ENDS = (signal.SIGINT, *_REQUESTS)


@contextlib.contextmanager
def orderly_end() -> Iterator[None]:
    """In this context requests to end unwind the stack instead of cutting it off; only for a program's main thread.

    What is ignored stays so: `nohup` goes on when the terminal is closed.
    """
    heeded = [number for number in _REQUESTS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, lambda number, _: sys.exit(128 + number)) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def end_at_once(exit_code: int, last_words: str = "") -> Iterator[None]:
    """In this context, in which nothing can be lost, these signals end the program on the spot.

    Python attends to a signal between two of its own instructions, and to compile a kernel is one that takes many
    seconds. But the signal's number is written into a socket right away, and a thread that waits there can end the
    process; the planner's process ends with it.
    """
    mailbox, bell = socket.socketpair()
    bell.setblocking(False)
    before = signal.set_wakeup_fd(bell.fileno())
    # The thread alone answers: a KeyboardInterrupt here could end the program before it.
    heeded = [number for number in _ENDS if signal.getsignal(number) is not signal.SIG_IGN]
    handlers = {number: signal.signal(number, lambda *_: None) for number in heeded}
    Thread(target=_leave, args=(mailbox, exit_code, last_words), daemon=True).start()
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before)
        bell.close()


def _leave(mailbox: socket.socket, exit_code: int, last_words: str) -> None:
    """Wait for a signal, or until the mailbox is not needed any more."""
    with mailbox:
        for number in iter(lambda: int.from_bytes(mailbox.recv(1)), 0):
            if number in _ENDS:
                if last_words:
                    print(last_words, flush=True)
                os._exit(exit_code if number == signal.SIGINT else 128 + number)
