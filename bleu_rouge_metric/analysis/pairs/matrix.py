"""The scores of each of some texts with each of others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...checks import check_range
from ...families.base import Floats
from ...messages import describe_value
from .scored_pool import ScoredPool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import PairKeywords

# The most rows of a block; any number of rows fits.
_MOST_ROWS = 1 << 40

Scores = Floats | dict[str, Floats]


def score_matrix(
    texts: object,
    others: object = None,
    score: str | Sequence[str] = "rougeL",
    *,
    blocks: int | None = None,
    **options: "Unpack[PairKeywords]",
) -> Any:
    """Return the scores of each text with each other text.

    Each text is tokenized once. The scores are bit-identical to those of ``PairScorer``.

    Args:
        texts: sequence of str: the predictions, one per row; or of sequences of token ids with
            ``tokenizer="ids"``.
        others: likewise: the references, one per column; None for ``texts``.
        score: a score of ``PairScorer``, or a sequence of several. ``_precision``, ``_recall`` or
            ``_fmeasure`` after a ROUGE type selects this part: ``rougeL_recall``.
        blocks: how many rows to return at a time, if the whole matrix does not fit into memory;
            None for all.
        **options: the options of ``PairScorer``, such as ``profile``, ``use_stemmer`` and
            ``tokenizer``.

    Returns:
        float64, shape (texts, others); a dict of such arrays for several scores. With ``blocks``,
        an iterator over these, of shape (blocks, others); the last one may have fewer rows.

    Raises:
        TypeError: an item is of a type that cannot be scored, or an option is unknown.
        ValueError: there is no text, or a score is unknown.

    >>> score_matrix(["a cat", "a dog"], ["a cat sat"], "rouge1")
    array([[0.8],
           [0.4]])
    """
    pool = ScoredPool(score, dict(options))
    height = None if blocks is None else check_range("blocks", blocks, 1, _MOST_ROWS)
    rows = pool.add("texts", texts)
    if isinstance(others, str):
        expected = "expected a sequence of texts, one per column."
        remedy = "Name a score with score=."
        raise TypeError(describe_value("others", "one str", expected, remedy))
    columns = rows if others is None else pool.add("others", others)

    def score_rows(start: int, stop: int) -> Scores:
        found = pool.score_block(rows[start:stop], columns)
        return found[score] if isinstance(score, str) else found

    if height is None:
        return score_rows(0, len(rows))
    return (score_rows(start, start + height) for start in range(0, len(rows), height))
