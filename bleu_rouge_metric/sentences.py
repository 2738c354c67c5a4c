"""Sentence splitters for ROUGE-Lsum: a text in, its non-empty sentences out.

``newline`` is what ``rouge_score`` and evaluate do: one sentence a line. Nothing else separates
sentences there; ``"<n>"`` and ``". "`` do not. Any callable ``str -> list[str]`` can be given
in place of the name.
"""

from collections.abc import Callable
from typing import Final

from .tokenization import check_callable

SentenceSplitter = Callable[[str], list[str]]


def split_newline(text: str) -> list[str]:
    r"""Non-empty lines of a text, separated by ``"\n"`` alone.

    >>> split_newline("First sentence.\n\nSecond one.")
    ['First sentence.', 'Second one.']
    """
    # Parity: rouge_score.rouge_scorer.RougeScorer.score splits on "\n" only; U+2028, "\r" and
    # "\v" stay inside a sentence.
    return [sentence for sentence in text.split("\n") if sentence]


SENTENCE_SPLITTERS: Final[dict[str, SentenceSplitter]] = {"newline": split_newline}


def resolve_sentence_splitter(choice: str | SentenceSplitter) -> SentenceSplitter:
    """The function behind a splitter's name or callable.

    Args:
        choice: a key of ``SENTENCE_SPLITTERS``, or a callable from a text to its sentences.

    Returns:
        A function ``str -> list[str]``; empty sentences are dropped.

    Raises:
        ValueError: the name is unknown.
        TypeError: the choice is neither a str nor callable.
    """
    if isinstance(choice, str):
        if choice in SENTENCE_SPLITTERS:
            return SENTENCE_SPLITTERS[choice]
        names = ", ".join(repr(name) for name in SENTENCE_SPLITTERS)
        raise ValueError(
            f"Unknown sentence_splitter {choice!r}; expected {names} "
            "or a callable str -> list[str]."
        )
    if not callable(choice):
        raise TypeError(
            f"sentence_splitter is of type {type(choice).__name__}; "
            "expected the name of a splitter or a callable str -> list[str]."
        )
    split = check_callable("sentence_splitter", choice, "sentences")
    return lambda text: [sentence for sentence in split(text) if sentence]
