"""Handle clicks on the page, and calls of programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import gradio as gr

from .files import SUFFIXES, read_samples
from .limits import InputError, check_reference_count, check_text
from .scores import DEFAULT_TYPES, Choices, Scored, Scores, score_samples
from .views import (
    count_bins,
    name_columns,
    plot_histogram,
    show_samples,
    show_scores,
    show_warnings,
)

REFERENCE_BOXES: Final = 5


def score_pair(  # noqa: PLR0917 - a program names them
    prediction: str,
    references: list[str],
    max_order: int = 4,
    smooth: bool = False,  # noqa: FBT001, FBT002
    bleu_tokenizer: str = "13a",
    rouge_types: list[str] = DEFAULT_TYPES,
    rouge_tokenizer: str = "rouge",
    use_stemmer: bool = False,  # noqa: FBT001, FBT002
) -> dict[str, Any]:
    """Score one prediction against one or more references.

    Args:
        prediction: a text; an empty text scores 0.
        references: texts that are not empty.
        max_order: longest n-gram of BLEU, 1 to 9.
        smooth: add one to every order of BLEU.
        bleu_tokenizer: such as "13a", "char" or "zh".
        rouge_types: such as "rouge1", "rougeL" and "rougeLsum".
        rouge_tokenizer: such as "rouge" or "unicode".
        use_stemmer: whether to use the Porter stemmer; only with the tokenizer "rouge".

    Returns:
        "scores": the scores of the metric with ``detailed=True``; and "warnings": a list of texts.
    """
    options = (max_order, smooth, bleu_tokenizer, rouge_types, rouge_tokenizer, use_stemmer)
    scored = _score_pair(prediction, references, Choices(*options))
    return {"scores": scored.together, "warnings": scored.warnings}


def _score_pair(prediction: object, references: object, choices: Choices) -> Scored:
    if not isinstance(references, list):
        raise InputError("references is no list; expected a list of texts.")
    check_reference_count("The prediction", len(references))
    for place, text in enumerate(references, start=1):
        if not check_text(f"Reference {place}", text).strip():
            raise InputError(
                f"Reference {place} is empty; type a text, or choose fewer references."
            )
    text = check_text("The prediction", prediction)
    return score_samples([text], [references], choices, lambda _: "This pair")


def show_pair(prediction: str, reference_count: int, *inputs: Any) -> tuple[Any, ...]:
    """Show every score of one prediction.

    Args:
        prediction: a text; an empty text scores 0.
        reference_count: how many reference boxes are used.
        *inputs: the texts of all reference boxes, then the options.

    Raises:
        InputError: a reference is empty, a text is too long, or the options do not fit together.
    """
    references = list(inputs[:reference_count])
    scored = _score_pair(prediction, references, Choices(*inputs[REFERENCE_BOXES:]))
    return gr.Textbox(**show_warnings(scored.warnings)), *show_scores(scored.together)


def score_file(  # noqa: PLR0917 - a program names them
    file: str | None,
    reference_files: list[str] | None = None,
    prediction_column: str = "prediction",
    reference_column: str = "reference",
    max_order: int = 4,
    smooth: bool = False,  # noqa: FBT001, FBT002
    bleu_tokenizer: str = "13a",
    rouge_types: list[str] = DEFAULT_TYPES,
    rouge_tokenizer: str = "rouge",
    use_stemmer: bool = False,  # noqa: FBT001, FBT002
) -> Scores:
    """Score a file: a table with a column of predictions and one of references, or .txt files.

    Returns:
        "scores": the scores of all samples with ``detailed=True``; "samples": for each score a list
        with a value per sample; and "warnings": a list of texts.
    """
    options = (max_order, smooth, bleu_tokenizer, rouge_types, rouge_tokenizer, use_stemmer)
    columns = (prediction_column, reference_column)
    _, scored = _score_file(file, reference_files, columns, Choices(*options))
    return {"scores": scored.together, "samples": scored.each, "warnings": scored.warnings}


def _score_file(
    file: str | None,
    reference_files: Sequence[str] | None,
    columns: tuple[str, str],
    choices: Choices,
) -> tuple[list[str], Scored]:
    """Return the predictions of a file, and all scores."""
    if file is None:
        raise InputError(
            f"There is no file yet; upload one whose name ends in {', '.join(SUFFIXES)} first."
        )
    predictions, references = read_samples(
        Path(file), [Path(path) for path in reference_files or ()], *columns
    )
    scored = score_samples(predictions, references, choices, lambda index: f"Row {index + 1}")
    return predictions, scored


def show_file(
    file: str | None,
    reference_files: list[str] | None,
    prediction_column: str,
    reference_column: str,
    shown: str,
    *options: Any,
) -> tuple[Any, ...]:
    """Show the scores of all samples of a file together, of each sample, and a histogram.

    Args:
        file: path of the uploaded file; None if there is none yet.
        reference_files: paths of the files of references, if the file is a text file.
        prediction_column: name of the column of predictions.
        reference_column: name of the column of references.
        shown: the score whose histogram was shown before.
        *options: options, in the order of ``Choices``.

    Raises:
        InputError: the file cannot be read or scored; the message says where and why.
    """
    names = (prediction_column, reference_column)
    predictions, scored = _score_file(file, reference_files, names, Choices(*options))
    columns = name_columns(scored)
    bins = {name: count_bins(scores) for name, scores in columns.items()}
    chosen = shown if shown in columns else list(columns)[1]
    return (
        gr.Textbox(**show_warnings(scored.warnings)),
        f"### Scores of {len(predictions):,} {'sample' if len(predictions) == 1 else 'samples'}",
        *show_scores(scored.together),
        show_samples(predictions, columns),
        gr.Dropdown(choices=list(columns), value=chosen),
        bins,
        plot_histogram(bins, chosen),
    )
