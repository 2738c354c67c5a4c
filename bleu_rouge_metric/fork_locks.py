"""Locks that are free in a forked process.

A fork copies a held lock, but not the thread that holds it, so no thread of the child could ever
release it. Therefore a fork waits until no other thread holds the lock. The data that the lock
guards is then complete in the child, never half changed.
"""

import os
from threading import RLock
from typing import Any, Final
from weakref import WeakSet

_of_modules: Final[list[Any]] = []
_of_objects: Final[WeakSet[Any]] = WeakSet()
# The locks that a fork holds. Forks of several threads take turns.
_held: Final[list[Any]] = []
_forking: Final = RLock()


def make_fork_lock() -> Any:
    """Make a lock for a whole class or module, which lives as long as the process.

    A fork acquires the locks in the reverse order of their creation. So code that holds one lock
    may only acquire a lock that was created earlier.
    """
    lock = RLock()
    _of_modules.append(lock)
    return lock


def make_object_lock() -> Any:
    """Make a lock for one object.

    A fork acquires it before the locks of modules, so code that holds it may acquire these.
    """
    lock = RLock()
    with _forking:
        _of_objects.add(lock)
    return lock


def _acquire_all() -> None:
    _forking.acquire()
    for lock in [*_of_objects, *reversed(_of_modules)]:
        lock.acquire()
        _held.append(lock)


def _release_all() -> None:
    while _held:
        _held.pop().release()
    _forking.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_acquire_all, after_in_parent=_release_all, after_in_child=_release_all
    )
