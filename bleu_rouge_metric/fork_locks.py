"""Locks that are free in a forked process.

A fork copies a held lock, but not the thread that holds it, so no thread of the child could ever
release it. Therefore a fork waits until no other thread holds the lock. The data that the lock
guards is then complete in the child, never half changed.
"""

import os
import sys
from functools import cached_property
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


def free_cached_properties(owner: type) -> None:
    """Let a forked process use cached properties that other threads were computing at the fork."""
    # Up to Python 3.11 each cached property has one lock for all objects. The child gets a new
    # lock and computes the value again.
    if sys.version_info < (3, 12) and hasattr(os, "register_at_fork"):
        for value in vars(owner).values():
            if isinstance(value, cached_property):
                os.register_at_fork(after_in_child=lambda owned=value: _renew_lock(owned))


def _renew_lock(value: Any) -> None:
    value.lock = RLock()
