"""The result of a comparison of profiles, and its representations."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..tables import import_pandas, show, write_html, write_text

# What a table shows of a score that a profile does not have.
_NONE = ""


class Difference(NamedTuple):
    """One step from the scores of ``hf`` to the scores of a profile.

    Attributes:
        profile: the profile that the steps lead to.
        score: ``bleu``, or a ROUGE type.
        option: the changed option, or ``arithmetic``.
        old: value of the option before; empty for ``arithmetic``.
        new: value of the option after; for ``arithmetic`` how it differs, in words.
        before: the score before.
        after: the score after.
    """

    profile: str
    score: str
    option: str
    old: object
    new: object
    before: float
    after: float


class ComparisonFrames(NamedTuple):
    """The data frames of a comparison.

    Attributes:
        scores: one row per profile, one column per score; NaN if the profile does not have
            the score.
        differences: one row per step, one column per attribute of ``Difference``.
    """

    scores: Any
    differences: Any


class Comparison(NamedTuple):
    """The scores of every profile, and the steps that change them.

    ``print`` shows a table of the scores, a notebook shows the differences too.

    Attributes:
        scores: scores by profile and name: ``bleu``, or a ROUGE type (its F-measure). The range is
            that of the profile's library: 0 to 100 for sacrebleu's BLEU, and 0 to 1 for all others.
        differences: the steps from the scores of ``hf`` to the scores of each other profile; a step
            that does not change a score is left out.
    """

    scores: dict[str, dict[str, float]]
    differences: list[Difference]

    def to_pandas(self) -> ComparisonFrames:
        """Return the scores and the differences as data frames.

        Raises:
            ImportError: pandas is not installed.
        """
        pd = import_pandas()
        scores = pd.DataFrame(list(self.scores.values()), list(self.scores), self._names())
        scores.index.name = "profile"
        differences = pd.DataFrame(self.differences, columns=list(Difference._fields))
        return ComparisonFrames(scores, differences)

    def __str__(self) -> str:
        """Return a table with one line per score and one column per profile."""
        return write_text(
            ["", *self.scores], ([name, *map(show, row)] for name, row in self._rows())
        )

    def _repr_html_(self) -> str:
        scores = write_html(
            ["score", *self.scores],
            ([name, *row] for name, row in self._rows()),
            caption="Scores by profile",
        )
        return scores + write_html(
            Difference._fields, self.differences, caption="Differences from hf"
        )

    def _names(self) -> list[str]:
        """The names of all scores, in the order of first occurrence."""
        return list(dict.fromkeys(name for scores in self.scores.values() for name in scores))

    def _rows(self) -> Iterator[tuple[str, list[object]]]:
        """Iterate over the names of scores, each with its value in every profile."""
        for name in self._names():
            yield name, [scores.get(name, _NONE) for scores in self.scores.values()]
