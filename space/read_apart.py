"""Read files in a separate process with limited memory: ``python -m space.read_apart``.

A small Parquet file can unpack to more than fits in memory, and the size in its metadata may be
wrong; an item of a JSON array can take many times the memory of its text. The program prints what
``read_here`` returns as JSON, or an object if there is an error.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa

from .files import read_here
from .limits import ELSEWHERE, MAX_READER_MEGABYTES, InputError


def limit_memory() -> None:
    """Limit the memory of this process, so that only it fails; does nothing on Windows."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    size = MAX_READER_MEGABYTES * 1_000_000
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def main(name: str, arguments: str) -> None:
    """Print the texts, or an object with the key "error".

    Args:
        name: of the first file that needs this process, for errors.
        arguments: those of ``read_here`` as JSON.
    """
    limit_memory()
    paths, columns = json.loads(arguments)
    result: Any
    try:
        result = read_here(list(map(Path, paths)), columns)
    except InputError as reason:
        result = {"error": str(reason)}
    except (MemoryError, pa.ArrowMemoryError):
        result = {
            "error": f"{name} needs more than {MAX_READER_MEGABYTES} MB of memory to be read; "
            f"score fewer rows at a time, {ELSEWHERE}"
        }
    except (pa.ArrowException, OSError, ValueError, OverflowError) as reason:
        result = {"error": f"{name} cannot be read as Parquet: {reason}"}
    # A text of a JSON file may have lone surrogates.
    sys.stdout.reconfigure(errors="surrogatepass")  # type: ignore[union-attr]
    json.dump(result, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
