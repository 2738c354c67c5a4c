"""Whatever cannot be compared is one clear error, before any work."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Scorer, compare_systems

from ..support.known_names import ROUGE_PROFILE_NAMES

SYSTEMS: dict[str, Any] = {"A": ["a b", "c d"], "B": ["a b", "c"]}
REFERENCES = ["a b", "c d"]


def _count(predictions: list[str], references: list[str], **options: Any) -> Scorer:
    scorer = Scorer(**options)
    scorer.update(predictions, references)
    return scorer


def _scorers(**options: Any) -> dict[str, Scorer]:
    return {
        "A": _count(SYSTEMS["A"], REFERENCES),
        "B": _count(SYSTEMS["B"], options.pop("references", REFERENCES), **options),
    }


CASES: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "no mapping": (
        lambda: compare_systems([("A", []), ("B", [])], REFERENCES),  # type: ignore[call-overload]
        TypeError,
        "systems is of type list; expected a mapping of names to predictions, such as "
        '{"A": [...], "B": [...]}.',
    ),
    "one system": (
        lambda: compare_systems({"A": SYSTEMS["A"]}, REFERENCES),
        ValueError,
        "systems has 1 system; expected at least 2 to compare.",
    ),
    "no system": (
        lambda: compare_systems({}, REFERENCES),
        ValueError,
        "systems has 0 systems; expected at least 2 to compare.",
    ),
    "empty name": (
        lambda: compare_systems({**SYSTEMS, "": SYSTEMS["A"]}, REFERENCES),
        TypeError,
        "systems has the name ''; expected a str that is not empty.",
    ),
    "unknown baseline": (
        lambda: compare_systems(SYSTEMS, REFERENCES, baseline="C"),
        ValueError,
        "baseline is 'C'; expected one of 'A', 'B'.",
    ),
    "another length": (
        lambda: compare_systems({**SYSTEMS, "B": ["a"]}, REFERENCES),
        ValueError,
        "systems['B']: predictions has 1 samples, but references has 2; expected one item in "
        "references for every prediction.",
    ),
    "no text": (
        lambda: compare_systems({**SYSTEMS, "B": ["a", None]}, REFERENCES),
        TypeError,
        "systems['B']: predictions[1] is None; expected a str. Drop the sample, or give the empty "
        'text "" to score it 0.',
    ),
    "one sample": (
        lambda: compare_systems({"A": ["a"], "B": ["b"]}, ["a"]),
        ValueError,
        "There is 1 sample; expected at least 2 to resample.",
    ),
    "no resamples": (
        lambda: compare_systems(SYSTEMS, REFERENCES, n_resamples=0),
        ValueError,
        "n_resamples is 0; expected an int from 1 to 1,000,000.",
    ),
    "confidence": (
        lambda: compare_systems(SYSTEMS, REFERENCES, confidence=95),
        ValueError,
        "confidence is 95; expected a float above 0 and below 1, such as 0.95.",
    ),
    "test": (
        lambda: compare_systems(SYSTEMS, REFERENCES, test="paired-ar"),
        ValueError,
        "Unknown test 'paired-ar'; expected one of 'approximate_randomization', 'bootstrap', "
        "'bootstrap_t'. Did you mean 'approximate_randomization'?",
    ),
    "alternative": (
        lambda: compare_systems(SYSTEMS, REFERENCES, alternative="less"),
        ValueError,
        "Unknown alternative 'less'; expected one of 'two-sided', 'greater', 'noninferior'.",
    ),
    "correction": (
        lambda: compare_systems(SYSTEMS, REFERENCES, correction="bh"),
        ValueError,
        "Unknown correction 'bh'; expected one of 'holm', 'bonferroni', 'fdr_bh'. "
        "Did you mean 'fdr_bh'?",
    ),
    "seed": (
        lambda: compare_systems(SYSTEMS, REFERENCES, seed=-1),
        ValueError,
        "seed is -1; expected an int from 0 to 4294967295, or None to draw one.",
    ),
    "length of clusters": (
        lambda: compare_systems(SYSTEMS, REFERENCES, clusters=["d1"]),
        ValueError,
        "clusters has 1 labels, but there are 2 samples; expected one label, a str or an int, for "
        "each sample.",
    ),
    "missing cluster": (
        lambda: compare_systems(SYSTEMS, REFERENCES, clusters=["d1", math.nan]),
        TypeError,
        "clusters[1] is missing; expected one label, a str or an int, for each sample.",
    ),
    "one cluster": (
        lambda: compare_systems(SYSTEMS, REFERENCES, clusters=["d1", "d1"]),
        ValueError,
        "clusters has the one label 'd1'; expected at least 2 to resample.",
    ),
    "mixed labels": (
        lambda: compare_systems(SYSTEMS, REFERENCES, groups=[1, "1"]),
        TypeError,
        "groups[1] is '1', but groups[0] is 1; expected labels of one type, because 1 and '1' "
        "would look the same.",
    ),
    "labels are no sequence": (
        lambda: compare_systems(SYSTEMS, REFERENCES, groups="ab"),
        TypeError,
        "groups is of type str; expected one label, a str or an int, for each sample.",
    ),
    "outside scores of no mapping": (
        lambda: compare_systems(SYSTEMS, REFERENCES, scores=[0.5]),  # type: ignore[call-overload]
        TypeError,
        'scores is of type list; expected {"name": {"system": [one number for each sample]}}.',
    ),
    "outside scores of other systems": (
        lambda: compare_systems(SYSTEMS, REFERENCES, scores={"comet": {"A": [1, 2]}}),
        ValueError,
        "scores['comet'] has the systems 'A'; expected 'A', 'B'.",
    ),
    "outside scores of another length": (
        lambda: compare_systems(SYSTEMS, REFERENCES, scores={"comet": {"A": [1], "B": [1, 2]}}),
        ValueError,
        "scores['comet']['A'] has 1 numbers, but there are 2 samples; expected one number for "
        "each.",
    ),
    "outside scores of no sequence": (
        lambda: compare_systems(SYSTEMS, REFERENCES, scores={"comet": {"A": 5, "B": [1, 2]}}),
        TypeError,
        "scores['comet']['A'] is of type int; expected one number for each sample.",
    ),
    "no mapping with a convention": (
        lambda: compare_systems(None, REFERENCES, convention="sacrebleu"),  # type: ignore[call-overload]
        TypeError,
        "systems is of type NoneType; expected a mapping of names to predictions, such as "
        '{"A": [...], "B": [...]}.',
    ),
    "outside score that is no number": (
        lambda: compare_systems(
            SYSTEMS, REFERENCES, scores={"comet": {"A": ["1", 2], "B": [1, 2]}}
        ),
        TypeError,
        "scores['comet']['A'][0] is '1'; expected a number.",
    ),
    "outside score that is not a number": (
        lambda: compare_systems(
            SYSTEMS, REFERENCES, scores={"comet": {"A": np.array([1, np.nan]), "B": [1, 2]}}
        ),
        ValueError,
        "scores['comet']['A'][1] is nan; expected a finite number.",
    ),
    "outside score with the name of another": (
        lambda: compare_systems(SYSTEMS, REFERENCES, scores={"bleu": {"A": [1, 2], "B": [1, 2]}}),
        ValueError,
        "scores has the name 'bleu', which is also a score computed here; expected another name.",
    ),
    "family that the profile lacks": (
        lambda: compare_systems(SYSTEMS, REFERENCES, profile="sacrebleu", family="rouge"),
        ValueError,
        "profile 'sacrebleu' has no ROUGE, but only ROUGE was requested; expected one of "
        f"{ROUGE_PROFILE_NAMES}.",
    ),
    "another output": (
        lambda: compare_systems(SYSTEMS, REFERENCES, use_aggregator=False),  # type: ignore[call-overload]
        TypeError,
        "use_aggregator does not apply to compare_systems, which compares one number per "
        "score. Use metric.compute.",
    ),
    "unknown option": (
        lambda: compare_systems(SYSTEMS, REFERENCES, rouge_type=["rouge1"]),  # type: ignore[call-overload]
        TypeError,
        "Unknown option 'rouge_type'; did you mean 'rouge_types'?",
    ),
    "smoothing by the last sample": (
        lambda: compare_systems(SYSTEMS, REFERENCES, smooth="method5"),
        ValueError,
        "smooth 'method5' uses counts of the last sample, so resampling would change what is "
        "measured; use 'method5-corrected'.",
    ),
    "several sets of weights": (
        lambda: compare_systems(SYSTEMS, REFERENCES, weights=[[1.0], [0.5, 0.5]]),
        ValueError,
        "weights has 2 sets; expected one, because one score is resampled.",
    ),
    "scorers and references": (
        lambda: compare_systems(_scorers(), REFERENCES),
        TypeError,
        "references is given, but the systems are scorers, which have counted theirs; leave it "
        "out.",
    ),
    "scorers and texts": (
        lambda: compare_systems({**SYSTEMS, **_scorers(), "C": SYSTEMS["A"]}),
        TypeError,
        "systems has predictions and scorers; expected one kind, because they are counted with "
        "the same options.",
    ),
    "empty scorer": (
        lambda: compare_systems({**_scorers(), "B": Scorer()}),
        ValueError,
        "systems['B'] has no samples; give some to update first.",
    ),
    "scorers of other references": (
        lambda: compare_systems(_scorers(references=["a b c", "c d"])),
        ValueError,
        "systems['B'] and systems['A'] were counted with other references; expected the same "
        "samples.",
    ),
    "scorers of other lengths": (
        lambda: compare_systems({**_scorers(), "B": _count(["a"], ["a b"])}),
        ValueError,
        "systems['B'] has 1 samples, but systems['A'] has 2; expected the same samples.",
    ),
    "convention and profile": (
        lambda: compare_systems(SYSTEMS, REFERENCES, convention="sacrebleu", profile="hf"),
        ValueError,
        "convention 'sacrebleu' is for the profile 'sacrebleu', but the profile is 'hf'; leave one "
        "of the two out.",
    ),
    "a group without a name": (
        lambda: compare_systems(SYSTEMS, REFERENCES, groups=["", "x"]),
        ValueError,
        "groups has an empty label; expected the name of a group for each sample.",
    ),
    "convention and clusters": (
        lambda: compare_systems(SYSTEMS, REFERENCES, convention="sacrebleu", clusters=[1, 2]),
        ValueError,
        "clusters is given, but sacrebleu has none; leave it out, or leave the convention out.",
    ),
    "convention and confidence": (
        lambda: compare_systems(SYSTEMS, REFERENCES, convention="sacrebleu", confidence=0.9),
        ValueError,
        "confidence is 0.9, but sacrebleu supports only 0.95; leave it out, or leave the "
        "convention out.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_errors(case: str) -> None:
    call, error, text = CASES[case]
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == text


def test_scorers_of_other_options_are_refused() -> None:
    with pytest.raises(ValueError, match="has other options") as caught:
        compare_systems(_scorers(lowercase=True))
    assert str(caught.value).startswith("systems['B'] has other options than systems['A']: ")
    assert "lowercase:yes" in str(caught.value)


def test_scorers_of_other_keys_are_refused() -> None:
    scorers = {name: Scorer() for name in "AB"}
    for start, (name, scorer) in enumerate(scorers.items()):
        scorer.update(SYSTEMS[name], ["a b", "a b"], keys=[start, start + 1])
    with pytest.raises(ValueError, match="other keys") as caught:
        compare_systems(scorers)
    assert str(caught.value) == (
        "systems['B'] and systems['A'] have samples of other keys; expected the same samples."
    )
