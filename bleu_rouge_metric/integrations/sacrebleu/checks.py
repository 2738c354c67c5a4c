"""Check the arguments of a metric; the errors are those of ``sacrebleu.metrics.base.Metric``."""

from collections.abc import Sequence

# Parity: the texts of the TypeErrors are those of sacrebleu 2.6; of several errors it raises the
# last one.


def check_sentence(metric: str, hypothesis: object, references: object) -> None:
    """Check one sample.

    Args:
        metric: name of the class, for errors.
        hypothesis: expected to be a str.
        references: expected to be a sequence of str, of which some may be None.

    Raises:
        TypeError: an argument, or the first reference, has a wrong type.
        IndexError: there is no reference.
    """
    if not isinstance(hypothesis, str):
        raise TypeError(f"{metric}: The argument `hyp` should be a string.")
    if isinstance(references, str) or not isinstance(references, Sequence):
        raise TypeError(f"{metric}: The argument `refs` should be a sequence of strings.")
    if not _is_text(_first("references", references)):
        raise TypeError(f"{metric}: Each element of `refs` should be a string.")


def check_corpus(metric: str, hypotheses: object, streams: object) -> None:
    """Check a corpus.

    Args:
        metric: name of the class, for errors.
        hypotheses: expected to be a sequence of str.
        streams: expected to be a sequence of sequences of str, of which some may be None; or None.

    Raises:
        TypeError: an argument, or its first item, has a wrong type, or a hypothesis is None.
        IndexError: an argument, or the first stream, is empty.
    """
    problem = _find_hypothesis_problem(hypotheses)
    if streams is not None:
        problem = _find_stream_problem(streams) or problem
    if problem:
        raise TypeError(f"{metric}: {problem}")


def _find_hypothesis_problem(hypotheses: object) -> str:
    if not isinstance(hypotheses, Sequence):
        return "`hyps` should be a sequence of strings."
    if not isinstance(_first("hypotheses", hypotheses), str):
        return "Each element of `hyps` should be a string."
    if any(text is None for text in hypotheses):
        return "Undefined line in hypotheses stream!"
    return ""


def _find_stream_problem(streams: object) -> str:
    if not isinstance(streams, Sequence):
        return "`refs` should be a sequence of sequence of strings."
    stream = _first("references", streams)
    if not isinstance(stream, Sequence):
        return "Each element of `refs` should be a sequence of strings."
    if not _is_text(_first("references[0]", stream)):
        return "`refs` should be a sequence of sequence of strings."
    return ""


def _is_text(item: object) -> bool:
    return item is None or isinstance(item, str)


def _first(name: str, items: Sequence[object]) -> object:
    if not len(items):
        raise IndexError(f"{name} is empty; expected at least one item.")
    return items[0]
