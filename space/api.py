"""The page for programs: endpoints of Gradio, with the options of the page as one object."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import gradio as gr

from . import explain, worker
from .options import Choices, InputError
from .samples import Files
from .systems import score_files


def for_programs(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a handler: errors are one line, with neither a traceback nor a path of the server."""

    @wraps(handler)
    def respond(*values: Any, **named: Any) -> Any:
        try:
            return handler(*values, **named)
        except InputError as reason:
            raise gr.Error(str(reason), print_exception=False) from None

    return respond


def _score_pair(prediction: object, references: object, given: object) -> dict[str, Any]:
    scorer, warnings = explain.score_pair(prediction, references, Choices.read(given))
    return {"scores": explain.score_together(scorer), "warnings": warnings}


@for_programs
def score_pair(
    prediction: str, references: list[str], options: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Score one prediction against one or more references.

    Args:
        prediction: a text.
        references: one or more texts.
        options: of the metric, such as ``{"profile": "sacrebleu", "max_order": 2}``: profile,
            language, max_order, smooth, bleu_tokenizer, effective_order, rouge_types,
            rouge_tokenizer, use_stemmer, sentence_splitter.

    Returns:
        "scores": the scores of the metric with ``detailed=True``; and "warnings": a list of texts.
    """
    given = {} if options is None else options
    size = len(f"{prediction}{references}{given}")
    size += worker.SMALL * ("pysbd" in str(given))
    call = worker.submit(size, _score_pair, prediction, references, given)
    scores: dict[str, Any] = call.future.result()
    return scores


def _score_file(files: Files, given: object) -> dict[str, Any]:
    result = score_files(files, {**Choices.read(given).keywords})
    if result.comparison is not None:
        raise InputError("The file has several systems; name one with prediction_column.")
    ((name, together),) = result.together.items()
    samples = {score: values.tolist() for score, values in result.columns[name].items()}
    return {"scores": together, "samples": samples, "warnings": result.warnings}


@for_programs
def score_file(
    file: str | None,
    reference_files: list[str] | None = None,
    prediction_column: str = "",
    reference_column: str = "",
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Score a file: a table with a column of predictions and one of references, or .txt files.

    Args:
        file: path of a table, or of a text file with one prediction per line.
        reference_files: for a text file, paths of files with one reference per line.
        prediction_column: of a table; "" for the usual name.
        reference_column: of a table; "" for the usual name.
        options: as in ``score_pair``.

    Returns:
        "scores": the scores of all samples with ``detailed=True``; "samples": for each score a list
        with a value per sample; and "warnings": a list of texts.
    """
    columns = [prediction_column] if prediction_column else None
    files = Files([file] if file else [], reference_files or [], columns, reference_column or None)
    given = {} if options is None else options
    call = worker.submit(worker.SMALL + 1, _score_file, files, given)
    scores: dict[str, Any] = call.future.result()
    return scores
