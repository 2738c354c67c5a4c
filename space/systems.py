"""Score the samples of one or several systems, and test their differences, in a worker."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleu_rouge_metric import Scorer, SystemComparison, SystemRanking, compare_systems
from bleu_rouge_metric.messages import get_message
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.mistakes import warn_of_empty_texts
from bleu_rouge_metric.text.warnings import collect_warnings

from .explain import count_samples, read_choices, score_together
from .options import Choices, InputError
from .samples import Files, SystemTexts, read_texts

TESTS: Final = {
    "approximate_randomization": "approximate randomization",
    "bootstrap": "paired bootstrap",
}
CORRECTIONS: Final = {
    "holm": "Holm",
    "": "none",
    "bonferroni": "Bonferroni",
    "fdr_bh": "Benjamini-Hochberg",
}
ALTERNATIVES: Final = {"two-sided": "two-sided", "greater": "one-sided: is it better?"}
# Of more samples, all pairs are tested only if that is asked for: it takes as long again.
MOST_RANKED: Final = 2_000
# Scores of each sample by system and score; float64, shape (samples,).
Columns = dict[str, dict[str, NDArray[np.float64]]]


class Result(NamedTuple):
    """The scores of one or several systems.

    Attributes:
        texts: that were scored.
        choices: the options.
        design: arguments of ``compare_systems``.
        together: detailed scores of all samples, by system.
        signature: of the scores.
        columns: scores of each sample, as ``--per-sample`` writes them.
        bleu: the BLEU of each sample as the page shows it, with smoothing, by system.
        comparison: None for one system.
        ranking: tests of all pairs; None for fewer than three systems or one-sided tests.
        warnings: of the library.
    """

    texts: SystemTexts
    choices: Choices
    design: dict[str, Any]
    together: dict[str, dict[str, Any]]
    signature: str
    columns: Columns
    bleu: dict[str, NDArray[np.float64]]
    comparison: SystemComparison | None
    ranking: SystemRanking | None
    warnings: list[str]

    def list_scores(self, score: str, system: str) -> NDArray[np.float64]:
        """Return the scores of the samples."""
        return self.bleu[system] if score == "bleu" else self.columns[system][score]

    @property
    def characters(self) -> int:
        """Return the size of the texts."""
        size = sum(len(text) for texts in self.texts.predictions.values() for text in texts)
        return size + sum(len(text) for texts in self.texts.references for text in texts)


def score_files(files: Files, values: Mapping[str, Any]) -> Result:
    """Read and score files."""
    choices = read_choices(values)
    texts = read_texts(files)
    design = _read_design(values, texts)
    with collect_warnings() as warnings:
        scorers = {}
        for place, (name, predictions) in enumerate(texts.predictions.items()):
            scorers[name] = count_samples(predictions, texts.references, choices)
            samples = check_samples(predictions, texts.references)
            system = name if len(texts.predictions) > 1 else ""
            warn_of_empty_texts(samples, system, check_references=not place)
        is_ranked = bool(values.get("ranks")) or len(texts.references) <= MOST_RANKED
        comparison, ranking = _compare(scorers, texts, design, is_ranked=is_ranked)
        together = {name: score_together(scorer) for name, scorer in scorers.items()}
        columns = {name: _list_columns(scorer) for name, scorer in scorers.items()}
        bleu = {}
        for name, scorer in scorers.items() if "bleu" in choices.families else ():
            found: Any = scorer.result(sentence_bleu=True, **choices.smoothing)
            bleu[name] = np.array(found["sentence_bleu"])
    return Result(
        texts,
        choices,
        design,
        together,
        next(iter(scorers.values())).signature(),
        columns,
        bleu,
        comparison,
        ranking,
        list(dict.fromkeys([*texts.warnings, *choices.warnings, *warnings])),
    )


def _list_columns(scorer: Scorer) -> dict[str, NDArray[np.float64]]:
    """Return the scores of each sample, without smoothing."""
    found: dict[str, Any] = {}
    if "bleu" in scorer.families:
        bleu: Any = scorer.result(sentence_bleu=True)
        found["sentence_bleu"] = bleu["sentence_bleu"]
    if "rouge" in scorer.families:
        rouge: Any = scorer.result(use_aggregator=False, detailed=False)
        found |= {name: rouge[name] for name in dict.fromkeys(scorer.options.rouge_types)}
    return {name: np.array(values) for name, values in found.items()}


def _read_design(values: Mapping[str, Any], texts: SystemTexts) -> dict[str, Any]:
    """Return the arguments of ``compare_systems``."""
    baseline = values.get("baseline") or None
    if baseline not in (None, *texts.predictions):
        names = ", ".join(map(repr, texts.predictions))
        raise InputError(f"The baseline is {baseline!r}; expected one of {names}.")
    return {
        "baseline": baseline,
        "test": values.get("test") or next(iter(TESTS)),
        "seed": _read_int(values, "seed"),
        "n_resamples": _read_int(values, "n_resamples"),
        "correction": values.get("correction", "holm") or None,
        "alternative": values.get("alternative") or "two-sided",
    }


def _read_int(values: Mapping[str, Any], name: str) -> int | None:
    value = str(values.get(name, "12345" if name == "seed" else "")).strip()
    if value and not value.isdecimal():
        raise InputError(f"{name} is {value[:40]!r}; expected a whole number.")
    return int(value) if value else None


def _compare(
    scorers: Mapping[str, Scorer], texts: SystemTexts, design: dict[str, Any], *, is_ranked: bool
) -> tuple[SystemComparison | None, SystemRanking | None]:
    if len(scorers) < 2:
        return None, None
    try:
        comparison = compare_systems(scorers, **design, **texts.labels)
        if len(scorers) < 3 or design["alternative"] != "two-sided" or not is_ranked:
            return comparison, None
        # A seed that was drawn is that of both.
        pairs = {**design, **texts.labels, "baseline": None, "seed": comparison.seed}
        return comparison, compare_systems(scorers, pairs="all", **pairs)
    except (TypeError, ValueError) as reason:
        raise InputError(get_message(reason)) from reason
