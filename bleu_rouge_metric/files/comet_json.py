"""Read the JSON files of COMET: the texts and scores of one or more systems.

The formats were read from the source code of unbabel-comet 2.2.7: ``comet-score --to_json`` writes
an object that maps the file of each system to a list of samples, ``{"src", "mt", "ref", "COMET"}``,
and ``comet-compare --to_json`` an object with the lists ``source``, ``reference`` and
``translations``. Without references, as for models of quality estimation, ``ref`` or ``reference``
is missing.
"""

from typing import Any, Final

from .lines import FileError, InputFile
from .tool_systems import ToolSystem, read_number, read_text

_SCORE: Final = "COMET"


def is_comet(value: Any) -> bool:
    """Return whether a JSON value is what COMET writes."""
    return _is_score_output(value) or _is_compare_output(value)


def _is_score_output(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(
            isinstance(samples, list)
            and bool(samples)
            and isinstance(samples[0], dict)
            and {"mt", _SCORE} <= samples[0].keys()
            for samples in value.values()
        )
    )


def _is_compare_output(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and {"statistical_results", "source", "translations"} <= value.keys()
        and isinstance(value["translations"], list)
        and all(
            isinstance(system, dict) and {"name", "mt", "scores"} <= system.keys()
            for system in value["translations"]
        )
    )


def read_comet(file: InputFile, value: Any) -> list[ToolSystem]:
    """Read the systems of a JSON value for which ``is_comet`` is true.

    Raises:
        FileError: a sample lacks a value, or a value is not a text or not a finite number.
    """
    if _is_score_output(value):
        return [_read_samples(file, path, samples) for path, samples in value.items()]
    return [
        _read_samples(file, str(system["name"]), _list_samples(file, value, index))
        for index, system in enumerate(value["translations"])
    ]


def _list_samples(file: InputFile, value: Any, index: int) -> list[dict[str, Any]]:
    """Return the samples of one system of ``comet-compare`` as ``comet-score`` writes them."""
    system = value["translations"][index]
    columns = {"src": value["source"], "mt": system["mt"], _SCORE: system["scores"]}
    if "reference" in value:
        columns["ref"] = value["reference"]
    for name, column in columns.items():
        if not isinstance(column, list) or len(column) != len(value["source"]):
            message = (
                f"{name!r} of {system['name']!r} is not a list with one item for each of the "
                f"{len(value['source']):,} sources; run comet-compare again."
            )
            raise FileError(file.path, message)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _read_samples(file: InputFile, path: str, samples: list[Any]) -> ToolSystem:
    """Read the samples of one system."""
    names = [name for name in ("mt", _SCORE, "ref") if name != "ref" or "ref" in samples[0]]
    for index, sample in enumerate(samples):
        missing = [name for name in names if not isinstance(sample, dict) or name not in sample]
        if missing:
            message = f"sample {index} of {path!r} has no {missing[0]!r}; run COMET again."
            raise FileError(file.path, message)

    def place(index: int, name: str) -> str:
        return f"{name!r} of sample {index} of {path!r}"

    texts = {
        name: [
            read_text(file, sample[name], place(index, name))
            for index, sample in enumerate(samples)
        ]
        for name in names
        if name != _SCORE
    }
    scores = [
        read_number(file, sample[_SCORE], place(index, _SCORE))
        for index, sample in enumerate(samples)
    ]
    columns = [
        name for name in samples[0] if name not in names and all(name in row for row in samples)
    ]
    return ToolSystem(
        path,
        texts["mt"],
        [[text] for text in texts["ref"]] if "ref" in texts else None,
        {_SCORE: scores},
        {name: [row[name] for row in samples] for name in columns},
    )
