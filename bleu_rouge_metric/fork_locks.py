"""Locks that are free in a forked process.

A fork copies a lock as it is, but not the thread that holds it: nobody would ever release it in the
child. So the fork waits until no other thread holds the lock. The child then finds what the lock
guards as a whole, never half changed.
"""

import os
from threading import RLock
from typing import Any


def make_fork_lock() -> Any:
    """A lock for a whole class or module, which lives as long as the process.

    A fork takes the locks in the reverse order of their making: code that holds one may only take
    one that was made before it.

    Returns:
        A ``threading.RLock``.
    """
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock
