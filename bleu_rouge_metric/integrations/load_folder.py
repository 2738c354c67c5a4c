"""Warn if ``evaluate.load`` runs another package than the one in the given folder.

``evaluate.load`` runs the package that Python imports. If its sources differ from those in the
folder whose path was given, a warning says which of the two runs.
"""

import sys
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Final

from ..text.warnings import warn_caller

_PACKAGE: Final = Path(__file__).resolve().parent.parent


def warn_of_other_sources() -> None:
    """Warn once if the folder given to ``evaluate.load`` has other sources than this package."""
    asked = _find_folder()
    if asked is None or _PACKAGE in (asked, asked / _PACKAGE.name):
        return
    if (asked / "integrations" / "evaluate_metric.py").is_file() and _differs(asked):
        warn_caller(
            f"evaluate.load was given {asked}, but the package that runs is {_PACKAGE}, whose "
            "sources differ. To run the package in the given folder, install it (pip install . in "
            "its clone), or uninstall the other package, and start Python again."
        )


def _find_folder() -> Path | None:
    """Return the local folder given to ``evaluate.load``; None if evaluate.load did not call us."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - evaluate passes the path to nobody
    while frame is not None and not _is_load(frame):
        frame = frame.f_back
    if frame is None:
        return None
    path = Path(frame.f_locals["path"]).resolve()
    return path.parent if path.is_file() else path


def _is_load(frame: FrameType) -> bool:
    """Return whether a frame is that of ``evaluate.load``; a caller may have wrapped its name."""
    is_load = frame.f_code.co_name == "load" and "path" in frame.f_locals
    return is_load and frame.f_globals.get("__name__") == "evaluate.loading"


@lru_cache(maxsize=16)
def _differs(folder: Path) -> bool:
    """Return whether a folder has other sources than this package; each folder is read once."""
    return _read_sources(folder) != _read_sources(_PACKAGE)


def _read_sources(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.py")}
