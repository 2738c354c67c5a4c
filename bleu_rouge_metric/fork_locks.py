"""Locks that are free in a forked process.

A fork copies a held lock, but not the thread that holds it, so no thread of the child could ever
release it. Therefore a fork waits until no other thread holds the lock. The data that the lock
guards is then complete in the child, never half changed.
"""

import os
from threading import RLock
from typing import Any


def make_fork_lock() -> Any:
    """Make a lock for a whole class or module, which lives as long as the process.

    A fork acquires the locks in the reverse order of their creation. So code that holds one lock
    may only acquire a lock that was created earlier.

    Returns:
        A ``threading.RLock``.
    """
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock
