"""Errors for packages that are not installed: each says the line to type."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# The packages that each extra of pyproject.toml brings and that the package itself imports.
EXTRAS: Final = {
    "cli": ("click", "pyarrow", "rich"),
    "evaluate": ("datasets", "evaluate"),
    "languages": ("nltk", "pysbd", "regex"),
    "ray": ("fsspec", "pandas", "pyarrow", "ray"),
    "torchmetrics": ("torch", "torchmetrics"),
    "training": ("torch",),
}


@contextmanager
def needs(feature: str, extra: str) -> Iterator[None]:
    """Import packages of an extra in the block.

    Args:
        feature: what needs them, the subject of the error.
        extra: name of the extra, or of a package that no extra brings.

    >>> with needs("This", "languages"):
    ...     raise ModuleNotFoundError(name="regex")
    Traceback (most recent call last):
    ImportError: This needs the package regex. Install it with: pip install \
"bleu-rouge-metric[languages]"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS.get(extra, (extra,)):
            raise
        install = f'"bleu-rouge-metric[{extra}]"' if extra in EXTRAS else package
        message = describe_missing(feature, f"the package {package}", install)
        raise ImportError(message, name=package) from error


def describe_missing(feature: str, packages: str, install: str) -> str:
    """Return the error for packages that are not installed.

    Args:
        feature: what needs them.
        packages: what is missing.
        install: arguments of ``pip install``.
    """
    return f"{feature} needs {packages}. Install it with: pip install {install}"
