"""Score a pair of texts or a file, for the tabs and for programs that call the page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .files import SUFFIXES, TEXT, read_samples
from .limits import InputError, check_reference_count, check_text
from .scores import (
    DEFAULT_PROFILE,
    DEFAULT_TYPES,
    Choices,
    Scored,
    Scores,
    score_each,
    score_samples,
)


class Uploads(NamedTuple):
    """Files that were read.

    Attributes:
        predictions: one text a sample.
        names: of the files, that of the predictions first.
        columns: those of the predictions and of the references; empty if the files have none.
    """

    predictions: list[str]
    names: list[str]
    columns: tuple[str, ...]

    def describe(self) -> str:
        """Say in one line what was scored."""
        count = len(self.predictions)
        columns = f", columns {' and '.join(self.columns)}" if self.columns else ""
        samples = "1 sample" if count == 1 else f"{count:,} samples"
        return f"{' with '.join(self.names)}{columns}: {samples}"


def score_pair(  # noqa: PLR0917 - a program names them
    prediction: str,
    references: list[str],
    max_order: int = 4,
    smooth: str = "",
    bleu_tokenizer: str = "",
    rouge_types: list[str] = DEFAULT_TYPES,
    rouge_tokenizer: str = "",
    use_stemmer: str = "",
    effective_order: bool = False,  # noqa: FBT001, FBT002
    sentence_splitter: str = "",
    profile: str = DEFAULT_PROFILE,
    language: str = "",
) -> dict[str, Any]:
    """Score one prediction against one or more references.

    Args:
        prediction: a text; an empty text scores 0.
        references: texts that are not empty.
        max_order: longest n-gram of BLEU, 1 to 9.
        smooth: such as "add-one" or "exp"; "" for that of the profile.
        bleu_tokenizer: such as "13a", "char" or "zh"; "" for that of the profile or language.
        rouge_types: such as "rouge1", "rougeL" and "rougeLsum".
        rouge_tokenizer: such as "rouge" or "unicode"; "" for that of the profile or language.
        use_stemmer: "no", or "Porter" for English; "" for that of the profile or language.
        effective_order: whether to leave out orders of BLEU for which no text is long enough.
        sentence_splitter: "newline" or "pysbd", for rougeLsum; "" for that of the profile.
        profile: the library whose numbers are computed, such as "hf" or "sacrebleu".
        language: an ISO 639 code, which chooses tokenizers and stemmer; "" for any.

    Returns:
        "scores": the scores of the metric with ``detailed=True``; and "warnings": a list of texts.
    """
    choices = Choices(
        max_order,
        smooth,
        bleu_tokenizer,
        rouge_types,
        rouge_tokenizer,
        use_stemmer,
        effective_order,
        sentence_splitter,
        profile,
        language,
    )
    scored = score_texts(prediction, references, choices)
    return {"scores": scored.together, "warnings": scored.warnings}


def score_texts(prediction: object, references: object, choices: Choices) -> Scored:
    """Check and score one prediction with its references.

    Raises:
        InputError: a reference is empty, a text is too long, or the options do not fit together.
    """
    text, texts = check_pair(prediction, references)
    return score_samples([text], [texts], choices, lambda _: "This pair")


def check_pair(prediction: object, references: object) -> tuple[str, list[str]]:
    """Return a prediction and its references; raise InputError if they cannot be scored."""
    if not isinstance(references, list):
        raise InputError("references is not a list; expected a list of texts.")
    check_reference_count("The prediction", len(references))
    for place, text in enumerate(references, start=1):
        if not check_text(f"Reference {place}", text).strip():
            raise InputError(f"Reference {place} is empty; type a text.")
    return check_text("The prediction", prediction), references


def score_file(  # noqa: PLR0917 - a program names them
    file: str | None,
    reference_files: list[str] | None = None,
    prediction_column: str = "prediction",
    reference_column: str = "reference",
    max_order: int = 4,
    smooth: str = "",
    bleu_tokenizer: str = "",
    rouge_types: list[str] = DEFAULT_TYPES,
    rouge_tokenizer: str = "",
    use_stemmer: str = "",
    effective_order: bool = False,  # noqa: FBT001, FBT002
    sentence_splitter: str = "",
    profile: str = DEFAULT_PROFILE,
    language: str = "",
) -> Scores:
    """Score a file: a table with a column of predictions and one of references, or .txt files.

    Args:
        file: path of a table, or of a text file with one prediction per line.
        reference_files: for a text file, paths of files with one reference per line.
        prediction_column: name of the column of predictions in a table.
        reference_column: name of the column of references in a table.
        max_order: as in ``score_pair``.
        smooth: as in ``score_pair``.
        bleu_tokenizer: as in ``score_pair``.
        rouge_types: as in ``score_pair``.
        rouge_tokenizer: as in ``score_pair``.
        use_stemmer: as in ``score_pair``.
        effective_order: as in ``score_pair``.
        sentence_splitter: as in ``score_pair``.
        profile: as in ``score_pair``.
        language: as in ``score_pair``.

    Returns:
        "scores": the scores of all samples with ``detailed=True``; "samples": for each score a list
        with a value per sample; and "warnings": a list of texts.
    """
    choices = Choices(
        max_order,
        smooth,
        bleu_tokenizer,
        rouge_types,
        rouge_tokenizer,
        use_stemmer,
        effective_order,
        sentence_splitter,
        profile,
        language,
    )
    columns = (prediction_column, reference_column)
    _, scored = score_uploads(file, reference_files, columns, choices)
    return {
        "scores": scored.together,
        "samples": score_each(scored.scorer),
        "warnings": scored.warnings,
    }


def score_uploads(
    file: str | None,
    reference_files: Sequence[str] | None,
    columns: tuple[str, str],
    choices: Choices,
) -> tuple[Uploads, Scored]:
    """Read and score uploaded files.

    Args:
        file: as in ``score_file``; None if there is none yet.
        reference_files: as in ``score_file``.
        columns: names of the columns of predictions and of references in a table.
        choices: chosen options.

    Returns:
        What was read, and its scores.

    Raises:
        InputError: there is no file, or it cannot be read or scored.
    """
    if file is None:
        raise InputError(
            f"There is no file yet; upload one whose name ends in {', '.join(SUFFIXES)} first."
        )
    paths = [Path(file), *map(Path, reference_files or ())]
    predictions, references = read_samples(paths[0], paths[1:], *columns)
    scored = score_samples(predictions, references, choices, lambda index: f"Row {index + 1}")
    has_columns = len(paths) == 1 and paths[0].suffix.lower() != TEXT
    names = [path.name for path in paths]
    return Uploads(predictions, names, columns if has_columns else ()), scored
