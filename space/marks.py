"""Mark what matches in a prediction and its references, as HTML.

A token is marked by the longest run of tokens around it that the other text has too; neighbouring
tokens of one run are one block. Where a text has an n-gram more often than the other text, the
occurrences in the longest runs count, and the others are marked as not counted. Every piece of a
text is escaped. ``page.js`` lights the two ends of a run.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate, chain, groupby
from typing import Final, NamedTuple

from bleu_rouge_metric.analysis.explain import Explanation
from bleu_rouge_metric.matching.lcs import Lcs
from bleu_rouge_metric.text.align import Token

from .views import show_text

GRADES: Final = 4  # a run of more tokens is marked as one of this many


class Run(NamedTuple):
    """Tokens in a row that a prediction and a reference have, or that an LCS joins.

    Attributes:
        start: place of the first one in the prediction.
        other: place of the first one in the reference.
        size: number of tokens.
        reference: index of the reference.
    """

    start: int
    other: int
    size: int
    reference: int


class Mark(NamedTuple):
    """The mark of a token: its longest run, and whether it counts."""

    run: Run
    is_counted: bool


Marks = dict[int, Mark]  # by the place of a token


def mark_texts(explanation: Explanation, view: str, chosen: int) -> list[tuple[list[Token], Marks]]:
    """Return the tokens and the marks of the prediction, then those of each reference.

    Args:
        explanation: of the pair.
        view: ``bleu`` or a ROUGE type.
        chosen: index of the reference that a ROUGE type compares.
    """
    if view in explanation.lcs:
        return _mark_lcs(explanation, view, chosen)
    texts = [
        [*(text.bleu_tokens if view == "bleu" else text.tokens)]
        for text in (explanation.prediction, *explanation.references)
    ]
    prediction, *references = ([token.form for token in tokens] for tokens in texts)
    unit = 1 if view == "bleu" else explanation.matches[view][0].order
    runs = [list(find_runs(prediction, forms, number)) for number, forms in enumerate(references)]
    grams = [_count_ngrams(forms, unit) for forms in (prediction, *references)]
    # BLEU clips by all references together.
    compared = range(len(references)) if view == "bleu" else [chosen]
    most: Counter[tuple[str, ...]] = Counter()
    for number in compared:
        most |= grams[number + 1]
    own = [(run.start, run) for number in compared for run in runs[number]]
    marks = [grade_tokens(prediction, own, unit, most)]
    for number, forms in enumerate(references):
        placed = [(run.other, run) for run in runs[number]]
        marks.append(grade_tokens(forms, placed, unit, grams[0]))
    return list(zip(texts, marks, strict=True))


def find_runs(
    prediction: Sequence[str], reference: Sequence[str], number: int = 0
) -> Iterator[Run]:
    """Iterate over the runs of a prediction and a reference that cannot be extended.

    >>> list(find_runs("a b c".split(), "b c a".split()))
    [Run(start=0, other=2, size=1, reference=0), Run(start=1, other=0, size=2, reference=0)]
    """
    places = defaultdict(list)
    for place, form in enumerate(reference):
        places[form].append(place)
    for start, form in enumerate(prediction):
        for other in places.get(form, ()):
            if start and other and prediction[start - 1] == reference[other - 1]:
                continue
            size = 1
            most = min(len(prediction) - start, len(reference) - other)
            while size < most and prediction[start + size] == reference[other + size]:
                size += 1
            yield Run(start, other, size, number)


def _count_ngrams(forms: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(forms[start:] for start in range(order)), strict=False))


def grade_tokens(
    forms: Sequence[str],
    runs: Iterable[tuple[int, Run]],
    unit: int,
    most: Mapping[tuple[str, ...], int],
) -> Marks:
    """Return the marks of the tokens of one text.

    Args:
        forms: the tokens.
        runs: each with the place of its first token in this text.
        unit: n of the n-grams that count.
        most: how often an n-gram counts.
    """
    longest: dict[int, Run] = {}  # by the place of an n-gram
    for start, run in sorted(runs, key=lambda placed: -placed[1].size):
        for place in range(start, start + run.size - unit + 1):
            longest.setdefault(place, run)
    left = dict(most)
    counted, others = list[int](), list[int]()
    for place in sorted(longest, key=lambda place: (-longest[place].size, place)):
        ngram = tuple(forms[place : place + unit])
        (counted if left[ngram] else others).append(place)
        left[ngram] = max(0, left[ngram] - 1)
    marks: Marks = {}
    for places, is_counted in ((counted, True), (others, False)):
        for place in places:
            for token in range(place, place + unit):
                marks.setdefault(token, Mark(longest[place], is_counted))
    return marks


def _mark_lcs(explanation: Explanation, view: str, chosen: int) -> list[tuple[list[Token], Marks]]:
    """Mark the tokens of an LCS; runs are its tokens that are in a row in both texts."""
    texts = (explanation.prediction, *explanation.references)
    by_line = any(text.sentences for text in texts) and not isinstance(
        explanation.lcs[view][0], Lcs
    )
    lines = [[*text.sentences] if by_line else [text.tokens] for text in texts]
    found: list[tuple[list[Token], Marks]] = [([*chain(*text)], {}) for text in lines]
    starts = [[0, *accumulate(map(len, text))] for text in lines]
    for number, lcs in enumerate(explanation.lcs[view]):
        pairs: dict[tuple[int, int], bool] = {}
        if isinstance(lcs, Lcs):
            pairs = dict.fromkeys(lcs.pairs, True)
        else:
            for line in lcs.sentences:
                first = starts[number + 1][line.sentence]
                for part in line.lcs:
                    for here, there in part.pairs:
                        place = starts[0][part.sentence] + here, first + there
                        pairs[place] = there in line.counted
        _mark_pairs(pairs, number, found[0][1] if number == chosen else {}, found[number + 1][1])
    return found


def _mark_pairs(
    pairs: Mapping[tuple[int, int], bool], number: int, prediction: Marks, reference: Marks
) -> None:
    """Add the marks of pairs of tokens, each with whether it counts."""
    ordered = sorted(pairs)
    for _, group in groupby(
        enumerate(ordered), key=lambda item: (item[1][0] - item[0], item[1][1] - item[0])
    ):
        members = [pair for _, pair in group]
        run = Run(*members[0], len(members), number)
        for here, there in members:
            mark = Mark(run, pairs[here, there])
            for marks, place in ((prediction, here), (reference, there)):
                if place not in marks or mark.is_counted > marks[place].is_counted:
                    marks[place] = mark


def write_marked(text: str, tokens: Sequence[Token], marks: Marks, reference: int | None) -> str:
    """Return one text as HTML.

    Args:
        text: the whole text.
        tokens: those that were compared.
        marks: their marks.
        reference: index of the reference that the text is; None for the prediction.
    """
    pieces: list[str] = []
    at, before, tab = 0, None, 0
    for place, token in enumerate(tokens):
        # Tokens that share characters are shown once.
        if not token.text or token.start < at:
            continue
        mark = marks.get(place)
        gap = escape(show_text(text[at : token.start]))
        if pieces and mark == before:
            pieces.append(gap)
        else:
            pieces += ["</span>" * bool(pieces), gap, _open_block(mark)]
        shown = escape(show_text(text[token.start : token.end]))
        if mark is None:
            pieces.append(shown)
        else:
            name = escape(f"{show_text(token.text)}, {_describe(mark, reference)}")
            pieces.append(
                f'<span class="token" role="button" tabindex="{tab}" data-place="{place}" '
                f'aria-label="{name}">{shown}</span>'
            )
            tab = -1
        at, before = token.end, mark
    return f"{''.join(pieces)}{'</span>' * bool(pieces)}{escape(show_text(text[at:]))}"


def _open_block(mark: Mark | None) -> str:
    if mark is None:
        return '<span class="no">'
    style = f"g g{min(mark.run.size, GRADES)}" if mark.is_counted else "cl"
    return f'<span class="{style}" data-run="{" ".join(map(str, mark.run))}">'


def count_tokens(number: int) -> str:
    """Return how many tokens there are, in words.

    >>> count_tokens(1), count_tokens(1200)
    ('1 token', '1,200 tokens')
    """
    return "1 token" if number == 1 else f"{number:,} tokens"


def _describe(mark: Mark, reference: int | None) -> str:
    tokens = count_tokens(mark.run.size)
    other = f"reference {mark.run.reference + 1}" if reference is None else "prediction"
    kind = "in a match of" if mark.is_counted else "matched but not counted, in a match of"
    return f"{kind} {tokens}, {other}"
