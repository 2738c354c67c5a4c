"""Read the samples of one or several systems: predictions, references and labels.

Row ``i`` of every file belongs to sample ``i``, unless files have ids. ``rows.py`` reads the
formats, ``results.py`` the files of other programs. Memory holds only the texts, ids and labels,
and how many references each sample has.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ..samples.inputs import Samples
from .reading import Reading, SystemSamples
from .sources import FileOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

_GROUP_BY: Final = "--group-by"


def read_samples(
    predictions: str, references: Sequence[str], **options: "Unpack[FileOptions]"
) -> Samples:
    """Read samples from a file of predictions and one or more files of references.

    Args:
        predictions: path, or ``-`` for standard input.
        references: paths, or ``-``. Each file gives every sample one reference, or several if its
            column holds lists. Empty if the file of the predictions contains references.
        **options: how files are read; :class:`FileOptions` describes them.

    Returns:
        The samples; at least one. The references of a sample are in the order of the files.

    Raises:
        FileError: a file cannot be read, has no such column, holds a value that is not a text, is
            empty, or has more or fewer samples than another file.
    """
    return read_labelled_samples(predictions, references, None, **options)[0]


def read_labelled_samples(
    predictions: str,
    references: Sequence[str],
    label: str | None,
    **options: "Unpack[FileOptions]",
) -> tuple[Samples, list[str] | None]:
    """Read samples and a label for each; every file is read once, also standard input.

    Args:
        predictions: as in :func:`read_samples`.
        references: as in :func:`read_samples`.
        label: name of a column of the references' file, or else of that of the predictions; or of
            a file with one label per line, if all files are plain text. None for no labels.
        **options: as in :func:`read_samples`.

    Returns:
        The samples, and their labels; None without labels.

    Raises:
        FileError: as :func:`read_samples`; or there is no such column or file, or a label is
            missing or no label.
    """
    reading = Reading(options, {} if label is None else {_GROUP_BY: label})
    found = reading.read([predictions], references, (), is_comparison=False)
    (samples,) = found.systems.values()
    return samples, found.labels.get(_GROUP_BY)


def read_systems(
    systems: Sequence[str],
    references: Sequence[str],
    *,
    columns: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
    **options: "Unpack[FileOptions]",
) -> SystemSamples:
    """Read the predictions of several systems and the references of all.

    Files of other programs are recognised by their content, unless columns are named;
    ``results.py`` describes them. They may contain several systems.

    Args:
        systems: paths of one file per system; or the path of one file, if ``columns`` are given.
        references: paths; empty if the one file of the systems has a column of references, or
            files of other programs contain them.
        columns: names of the columns of the one file that hold the predictions of systems.
        labels: by the flag that names them: a column of the references' file, or else of the
            first system's; a file with one label per line, if all files are plain text.
        **options: as in :func:`read_samples`; no ``prediction_column`` if ``columns`` are given.

    Returns:
        The samples. The name of a system is that of its column; or that of its file, which is as
        short as it can be without naming two systems the same.

    Raises:
        FileError: a file cannot be read, has no such column, holds a value that is not a text, is
            empty, or has more or fewer samples than another file; there is only one system, or
            files of other programs contain other samples.
    """
    return Reading(options, labels or {}).read(systems, references, columns, is_comparison=True)
