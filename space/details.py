"""Show more of one difference: by length, words or n-grams, and how many samples it needs."""

import time
from typing import Any, Final

from bleu_rouge_metric import (
    compare_buckets,
    compare_systems,
    ngram_differences,
    required_samples,
)
from bleu_rouge_metric.analysis.system_words import name_score
from bleu_rouge_metric.messages import get_message
from bleu_rouge_metric.options.profiles import Family

from .limits import MAX_SECONDS, InputError
from .scores import Choices
from .systems import Design, SystemTexts, count_systems, limit_time

KINDS: Final = {
    "length of the reference": "length",
    "frequency of words": "frequency",
    "order of n-grams": "order",
    "single n-grams": "ngrams",
    "samples needed": "samples",
}
_STUDIES: Final = 1_000  # that are simulated of each size


def write_details(
    texts: SystemTexts, choices: Choices, design: Design, *, score: str, system: str, kind: str
) -> str:
    """Return tables about the difference of one score between a system and the baseline, as HTML.

    Args:
        texts: of all systems.
        choices: the options of the scores.
        design: how the systems are compared.
        score: ``bleu`` or a ROUGE type; buckets of words or n-grams have its tokens.
        system: name of the system.
        kind: a key of ``KINDS``.

    Raises:
        InputError: the work takes too long, or the samples do not allow it.
    """
    baseline = design.baseline or next(iter(texts.predictions))
    pair = {name: texts.predictions[name] for name in (baseline, system)}
    family: Family = "bleu" if score == "bleu" else "rouge"
    if family == "rouge":
        choices = choices._replace(rouge_types=[score])
    own: dict[str, Any] = {"family": family, **choices.make_keywords(families=(family,))}
    try:
        if KINDS[kind] == "samples":
            own_texts = texts._replace(predictions=pair)
            return _write_samples(own_texts, choices, design, score=score, system=system)
        if KINDS[kind] == "ngrams":
            found: Any = ngram_differences(
                pair, texts.references, system=system, baseline=baseline, **own
            )
        else:
            found = compare_buckets(
                pair,
                texts.references,
                by=KINDS[kind],
                **{**design.make_keywords(), "baseline": baseline},
                clusters=texts.labels.get("clusters"),
                progress=limit_time(time.monotonic() + MAX_SECONDS),
                **own,
            )
    except InputError:
        raise
    except (TypeError, ValueError) as reason:
        raise InputError(get_message(reason)) from reason
    return f'<div class="ours wide">{found._repr_html_()}</div>'


def _write_samples(
    texts: SystemTexts, choices: Choices, design: Design, *, score: str, system: str
) -> str:
    scorers = count_systems(texts, choices, time.monotonic() + MAX_SECONDS)
    clusters = texts.labels.get("clusters")
    pilot = compare_systems(scorers, n_resamples=1, clusters=clusters)
    delta = next(row.delta for row in pilot.rows if (row.system, row.score) == (system, score))
    if not delta:
        raise InputError(f"Both systems have the same {name_score(score)}.")
    size = required_samples(
        pilot,
        # The digits that a reader needs.
        float(f"{abs(delta):.2g}"),
        score=score,
        system=system,
        alternative=design.alternative,
        n_resamples=_STUDIES,
        seed=design.make_keywords()["seed"],
    )
    return f'<div class="ours wide">{size._repr_html_()}</div>'
