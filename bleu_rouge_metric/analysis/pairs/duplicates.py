"""Find near duplicates: texts whose score with a text before them is above a threshold.

Self-Instruct and Alpaca filter instructions this way, and other projects their training data.
"""

from typing import TYPE_CHECKING, Any, Final, Literal

from ...checks import check_choice, check_flag, check_number, check_range
from ...messages import describe_value, type_error, value_error
from ...scoring.labels import check_labels
from .filter import Filter, Report
from .nearest_texts import NearDuplicates
from .scored_pool import ScoredPool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import PairKeywords

MOST_TOP: Final = 1 << 20


def near_duplicates(
    texts: object,
    *,
    threshold: float = 0.7,
    score: str = "rougeL",
    against: object = None,
    groups: object = None,
    keep: Literal["first", "last"] = "first",
    inclusive: bool = False,
    top: int = 10,
    **options: "Unpack[PairKeywords]",
) -> NearDuplicates:
    """Find the texts that are not near duplicates of a text before them.

    The first text is kept. A later text is rejected if its highest score with a text that was kept
    before it is above the threshold. Decisions and scores are those of a comparison with each of
    these texts. For ``rougeL`` and ``rouge1``, and for ``rouge-l`` and ``rouge-1`` of the profile
    ``rouge``, the pairs that cannot be among the nearest are not counted; other scores are computed
    for all pairs.

    Args:
        texts: sequence of str, such as a list or a column of a table; or of sequences of token ids
            with ``tokenizer="ids"``. Two texts without tokens have the score 0.
        threshold: of the score: from 0 to 1, or to 100 for the BLEU of sacrebleu.
        score: one of ``PairScorer``'s; the texts before are its references.
        against: sequence of texts; compare with these alone, as with a test set, and not with
            each other.
        groups: a label per text, str or int; compare within each group.
        keep: ``"first"``, or ``"last"`` to go through the texts from the last to the first. It has
            no effect with ``against``.
        inclusive: whether a text with exactly this score is rejected too.
        top: how many of the nearest texts are returned, at least 0.
        **options: the options of ``PairScorer``, such as ``use_stemmer`` and ``profile``.

    Returns:
        The texts that are kept, and the nearest texts of each text.

    Raises:
        TypeError: an item is of a type that cannot be scored, or an option is unknown.
        ValueError: there is no text, or an argument is out of range.

    >>> found = near_duplicates(["Name a colour.", "Name one colour.", "Sum 1 and 2."],
    ...                         threshold=0.6)
    >>> found.kept.tolist(), found.nearest.tolist(), found.score.tolist()
    ([0, 2], [-1, 0, 0], [0.0, 0.6666666666666666, 0.0])
    """
    return find_duplicates(
        texts,
        threshold=threshold,
        score=score,
        against=against,
        groups=groups,
        keep=keep,
        inclusive=inclusive,
        top=top,
        options=dict(options),
    )


def find_duplicates(
    texts: object,
    *,
    threshold: object,
    score: object,
    against: object = None,
    groups: object = None,
    keep: str = "first",
    inclusive: bool = False,
    top: int = 10,
    options: dict[str, Any],
    report: Report = lambda _: None,
) -> NearDuplicates:
    """Find near duplicates, as :func:`near_duplicates` does, and report how many are decided.

    The other arguments are as there. ``report`` is called with the number of texts that were
    decided since the last call, and ``options`` has the options of ``PairScorer``.
    """
    pool = make_pool(score, options)
    limit = check_threshold(threshold, pool)
    is_last = check_choice("keep", keep, ("first", "last")) == "last"
    most = check_range("top", top, 0, MOST_TOP)
    check_flag("inclusive", inclusive)
    if against is not None and groups is not None:
        raise type_error(
            "{against} and {groups} are both given",
            expected="expected at most one of them.",
        )
    own = pool.add("texts", texts)
    others = None if against is None else pool.add("against", against)
    parts = [own] if groups is None else check_labels("groups", groups, len(own)).list_indices()
    if is_last:
        parts = [part[::-1] for part in parts]
    filtered = Filter(pool, limit, inclusive=inclusive, top=most, report=report)
    if others is None:
        filtered.compare_with_earlier(parts)
    else:
        filtered.compare(own, others)
    return filtered.finish(0 if others is None else len(own), len(own))


def make_pool(score: object, options: dict[str, Any]) -> ScoredPool:
    """Return an empty pool with one score."""
    if not isinstance(score, str):
        expected = "expected the name of one score, such as 'rougeL'."
        raise TypeError(describe_value("score", repr(score), expected))
    return ScoredPool(score, options)


def check_threshold(threshold: object, pool: ScoredPool) -> float:
    """Return the threshold; raise unless it is a possible score."""
    scale = pool.find_only()[1].scale
    expected = f"expected a number from 0 to {scale}."
    number = check_number("threshold", threshold, expected)
    if not 0 <= number <= scale:
        raise value_error("{threshold} is {}", threshold, expected=expected)
    return number
