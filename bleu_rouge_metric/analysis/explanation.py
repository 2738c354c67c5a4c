"""The result of ``explain``, and its representations."""

from dataclasses import dataclass
from typing import Any

from ..families.bleu.explanation import BleuExplanation
from ..families.coco_bleu.explanation import CocoBleuExplanation
from ..families.gleu.explanation import GleuExplanation
from ..families.rouge.explanation import RougeExplanation
from ..matching.lcs import Lcs, UnionLcs
from ..matching.ngrams import Matches
from ..tables import to_json
from ..text.alignment import Token
from .explanation_views import write_explanation, write_explanation_html
from .highlights import list_spans, to_entities, to_ents

Tokens = tuple[Token, ...]


@dataclass(frozen=True)
class ExplainedText:
    """A text and its tokens.

    BLEU and ROUGE may have different tokenizers and options, so each has tokens of its own.

    Attributes:
        text: as it was given.
        tokens: those of ROUGE; those of BLEU if ROUGE is not scored.
        bleu_tokens: those of BLEU; empty if BLEU is not scored.
        sentences: the tokens of each sentence, as ``rougeLsum`` and ``rougeW`` compare them; empty
            if no type looks at sentences.
    """

    text: str
    tokens: Tokens
    bleu_tokens: Tokens = ()
    sentences: tuple[Tokens, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """How the scores of a prediction are computed, as plain data.

    Attributes:
        prediction: the text and its tokens.
        references: each text and its tokens.
        matches: by score, which n-grams match. ``bleu``: one item for each order, of
            ``bleu_tokens``. A ROUGE type: one item for each reference, of ``tokens``; ``rougeSU``
            has two, skip-bigrams and unigrams. ``google_bleu``: one for each reference and order.
        lcs: by type (``rougeL``, ``rougeLsum``, ``rougeW``), the LCS with each reference.
        bleu: BLEU as a product; None if it is not scored.
        rouge: by type, the scores of each reference.
        notes: one sentence each: why a score is 0, what the tokenizer drops, and the warnings that
            the library gives for these texts and options.
    """

    prediction: ExplainedText
    references: tuple[ExplainedText, ...]
    matches: dict[str, tuple[Matches, ...]]
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]]
    bleu: BleuExplanation | CocoBleuExplanation | GleuExplanation | None
    rouge: dict[str, RougeExplanation]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation in JSON types."""
        plain: dict[str, Any] = to_json(self)
        return plain

    def entities(
        self,
        text: str | int = "prediction",
        view: str | None = None,
        reference: int | None = None,
    ) -> dict[str, Any]:
        """Return a text with its marks as a value of Gradio's ``HighlightedText``.

        Args:
            text: ``prediction``, or the index of a reference.
            view: ``bleu``, ``google_bleu`` or a ROUGE type that is explained; None for the first.
            reference: index of the reference that the prediction is compared with; None for the one
                that the type chooses, or the first one. BLEU compares with all of them.

        Returns:
            ``text``, and ``entities`` with ``entity`` (``1-gram`` and so on for the longest n-gram
            that counts, ``skip-bigram``, ``LCS`` or ``clipped``), ``start`` and ``end``.

        Raises:
            TypeError: the view is not a str.
            ValueError: the view, the text or the reference is not there.
        """
        spans = list_spans(self, text, view, reference)
        return to_entities(self._text_of(text), spans)

    def ents(
        self,
        text: str | int = "prediction",
        view: str | None = None,
        reference: int | None = None,
    ) -> dict[str, Any]:
        """Return a text with its marks as a displaCy document, for ``manual=True``.

        The arguments and errors are those of ``entities``.
        """
        spans = list_spans(self, text, view, reference)
        return to_ents(self._text_of(text), spans)

    def _text_of(self, text: str | int) -> str:
        """Return the prediction, or the reference of an index; ``list_spans`` has checked it."""
        return self.references[text].text if isinstance(text, int) else self.prediction.text

    def to_html(self) -> str:
        """Return marked texts, tables and notes as escaped HTML, without scripts."""
        return write_explanation_html(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        """Return the marked prediction by score, tables and notes in plain text."""
        return write_explanation(self)
