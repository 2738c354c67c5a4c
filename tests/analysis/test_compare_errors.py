"""Bad arguments of ``compare_systems`` are one clear error, before any work."""

import math
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Scorer, compare_systems
from bleu_rouge_metric.analysis import systems as counted_systems

from ..support.errors import ROUGE_PROFILE_NAMES

TWO: dict[str, Any] = {"A": ["a b", "c d"], "B": ["a b", "c"]}
REFERENCES = ["a b", "c d"]
TWELVE = ["a b"] * 12
LONG: dict[str, Any] = {"systems": {"A": TWELVE, "B": TWELVE}, "references": TWELVE}
RUNS: dict[str, Any] = {"A": [REFERENCES, TWO["A"]], "B": [REFERENCES, TWO["B"]]}
LEAVE = "leave it out, or leave the convention out."
SYSTEMS_TYPE = 'expected a mapping of names to predictions, such as {"A": [...], "B": [...]}.'


def count(predictions: list[str], references: list[str], **options: Any) -> Scorer:
    scorer = Scorer(**options)
    scorer.update(predictions, references)
    return scorer


def count_two(references: list[str] = REFERENCES, **options: Any) -> dict[str, Any]:
    """Return arguments with two scorers; the references and options are those of the second."""
    scorers = {"A": count(TWO["A"], REFERENCES), "B": count(TWO["B"], references, **options)}
    return {"systems": scorers, "references": None}


def give(name: str, *numbers: Any) -> dict[str, Any]:
    """Return outside scores of both systems."""
    return {"scores": {name: dict(zip("AB", numbers, strict=False))}}


# Arguments that differ from TWO and REFERENCES, and what is said of them.
# fmt: off
VALUES: list[tuple[dict[str, Any], str]] = [
    # Systems.
    ({"systems": {"A": REFERENCES}}, "systems has 1 system; expected at least 2 to compare."),
    ({"systems": {}}, "systems has 0 systems; expected at least 2 to compare."),
    ({"baseline": "C"}, "baseline is 'C'; expected one of 'A', 'B'."),
    ({"systems": {"a": TWELVE, "b": TWELVE[:3]}, "references": TWELVE},
     "systems['b'] has 3 predictions, but systems['a'] has 12; expected predictions for the "
     "same samples."),
    ({"systems": {"a": TWELVE[:1], "b": TWELVE}, "references": TWELVE},
     "systems['a'] has 1 prediction, but systems['b'] has 12; expected predictions for the "
     "same samples."),
    ({"references": TWELVE},
     "systems['A']: predictions has 2 samples, but references has 12; expected one item in "
     "references for every prediction."),
    ({"systems": {"A": ["a"], "B": ["b"]}, "references": ["a"]},
     "There is 1 sample; expected at least 2 to resample."),
    ({"systems": {"A": [], "B": []}, "references": []},
     "systems['A']: predictions and references are empty; expected at least one sample."),
    # Runs.
    ({"systems": {"A": RUNS["A"], "B": REFERENCES}},
     "systems['A'] has several runs, but systems['B'] is a single one; expected two runs or "
     "more of each system."),
    ({"systems": {"A": RUNS["A"], "B": [REFERENCES]}},
     "systems['B'] has 1 run; expected at least 2, because one does not say how much runs "
     "differ."),
    ({"systems": {"A": RUNS["A"], "B": [REFERENCES, TWELVE]}},
     "systems['B'][1] has 12 predictions, but systems['A'][0] has 2; expected predictions for "
     "the same samples."),
    ({"systems": {"A": RUNS["A"], "B": {7: REFERENCES, 8: TWELVE}}},
     "systems['B'][8] has 12 predictions, but systems['A'][0] has 2; expected predictions for "
     "the same samples."),
    *(
        ({"systems": RUNS, "test": test},
         f"test is {test!r}, which finds too many differences between systems of several runs; "
         "leave it out; several runs are tested with 'bootstrap_t'.")
        for test in ("approximate_randomization", "bootstrap")
    ),
    *(
        ({"systems": RUNS, **given},
         f"{next(iter(given))} is given, but the systems have several runs; leave it out, or "
         "give one run of each system.")
        for given in (give("x", [1, 2], [1, 2]), {"convention": "sacrebleu"})
    ),
    # Scorers.
    ({**count_two(), "systems": {**count_two()["systems"], "B": Scorer()}},
     "systems['B'] has no samples; give some to update first."),
    (count_two(["a b c", "c d"]),
     "systems['B'] and systems['A'] were counted with other references; expected the same "
     "samples."),
    ({**count_two(), "systems": {**count_two()["systems"], "B": count(["a"], ["a b"])}},
     "systems['B'] has 1 samples, but systems['A'] has 2; expected the same samples."),
    # The design.
    ({"n_resamples": 0}, "n_resamples is 0; expected an int from 1 to 1,000,000."),
    ({"confidence": 95}, "confidence is 95; expected a float above 0 and below 1, such as 0.95."),
    ({"test": "paired-ar"},
     "Unknown test 'paired-ar'; expected one of 'approximate_randomization', 'bootstrap', "
     "'bootstrap_t'. Did you mean 'approximate_randomization'?"),
    ({"alternative": "larger"},
     "Unknown alternative 'larger'; expected one of 'two-sided', 'greater'. "
     "Did you mean 'greater'?"),
    ({"correction": "bh"},
     "Unknown correction 'bh'; expected one of 'holm', 'bonferroni', 'fdr_bh'. "
     "Did you mean 'fdr_bh'?"),
    ({"seed": -1}, "seed is -1; expected an int from 0 to 4294967295, or None to draw one."),
    ({**LONG, "correction": "holm", "n_resamples": 50},
     "n_resamples is 50, too few for 5 tests and the correction 'holm': no corrected p could be "
     "0.05 or less; use at least 99 resamples, compare fewer systems or scores, or give "
     "another correction."),
    ({
         **LONG,
         "correction": "bonferroni",
         "test": "bootstrap",
         "n_resamples": 1398,
         "confidence": 0.99,
         "groups": [1, 2] * 6,
     },
     "n_resamples is 1398, too few for 15 tests and the correction 'bonferroni': no corrected p "
     "could be 0.01 or less; use at least 1,499 resamples, compare fewer systems or "
     "scores, or give another correction."),
    ({**LONG, "correction": "holm", "n_resamples": 50, "confidence": 0.999999},
     "n_resamples is 50, too few for 5 tests and the correction 'holm': no corrected p could be "
     "1e-06 or less; use at least 1,000,000 resamples, compare fewer systems or scores, or give "
     "another correction."),
    *(
        ({"pairs": "all", name: value},
         f"{name} is {value!r}, but pairs='all' tests each system against each other one, "
         "two-sided; leave one of the two out.")
        for name, value in (
            ("baseline", "A"),
            ("alternative", "greater"),
            ("convention", "sacrebleu"),
        )
    ),
    ({"pairs": "every"}, "Unknown pairs 'every'; expected one of 'all'."),
    # Labels.
    *(
        ({name: ["d1"]},
         f"{name} has 1 label, but there are 2 samples; expected one label, a str or an int, "
         "for each sample.")
        for name in ("groups", "clusters")
    ),
    ({"clusters": ["d1", "d1"]},
     "clusters has the one label 'd1'; expected at least 2 to resample."),
    ({"groups": ["", "x"]},
     "groups has an empty label; expected the name of a group for each sample."),
    # Outside scores.
    (give("comet", [1, 2]), "scores['comet'] has the systems 'A'; expected 'A', 'B'."),
    (give("comet", [1], [1, 2]),
     "scores['comet']['A'] has 1 numbers, but there are 2 samples; expected one number for "
     "each."),
    (give("comet", [1, 2], np.array([1, np.nan])),
     "scores['comet']['B'][1] is nan; expected a finite number."),
    (give("bleu", [1, 2], [1, 2]),
     "scores has the name 'bleu', which is also a score computed here; expected another name."),
    ({**give("x", [1, 2], [1, 2]), "lower_is_better": ["bleu"]},
     "lower_is_better has 'bleu'; expected one of 'x'."),
    ({"lower_is_better": ["ter"]},
     "lower_is_better is given, but scores is not; give the scores of other metrics, or leave "
     "it out."),
    # Options.
    ({"profile": "sacrebleu", "family": "rouge"},
     "profile 'sacrebleu' has no ROUGE, but only ROUGE was requested; expected one of "
     f"{ROUGE_PROFILE_NAMES}."),
    ({"smooth": "method5"},
     "smooth 'method5' uses counts of the last sample, so resampling would change what is "
     "measured; use 'method5-corrected'."),
    ({"weights": [[1.0], [0.5, 0.5]]},
     "weights has 2 sets; expected one, because one score is resampled."),
    # The convention.
    ({"convention": "sacrebleu", "profile": "hf"},
     "convention 'sacrebleu' is for the profile 'sacrebleu', but the profile is 'hf'; leave one "
     "of the two out."),
    *(
        ({"convention": "sacrebleu", **given}, f"{message}; {LEAVE}")
        for given, message in (
            ({"clusters": [1, 2]}, "clusters is given, but sacrebleu has none"),
            ({"confidence": 0.9}, "confidence is 0.9, but sacrebleu supports only 0.95"),
            ({"test": "bootstrap_t"},
             "test is 'bootstrap_t', but sacrebleu supports only 'approximate_randomization' "
             "and 'bootstrap'"),
        )
    ),
]
TYPES: list[tuple[dict[str, Any], str]] = [
    ({"systems": {"a": "abc", "b": TWELVE}, "references": TWELVE},
     "systems['a']: predictions is one str; expected a sequence with one item per sample. To score "
     "a single text, wrap it in a list: predictions=[text]."),
    ({"systems": [("A", []), ("B", [])]}, f"systems is of type list; {SYSTEMS_TYPE}"),
    ({"systems": None, "convention": "sacrebleu"}, f"systems is of type NoneType; {SYSTEMS_TYPE}"),
    ({"systems": {**TWO, "": REFERENCES}},
     "systems has the name ''; expected a str that is not empty."),
    ({"systems": {**TWO, "B": ["a", None]}},
     "systems['B']: predictions[1] is None; expected a str. Drop the sample, or give the empty "
     'text "" to score it 0.'),
    ({**count_two(), "references": REFERENCES},
     "references is given, but the systems are scorers, which have counted theirs; leave it "
     "out."),
    ({"systems": {**count_two()["systems"], "C": TWO["A"]}, "references": None},
     "systems has predictions and scorers; expected one kind, because they are counted with "
     "the same options."),
    ({"clusters": ["d1", math.nan]},
     "clusters[1] is nan; expected one label, a str or an int, for each sample."),
    ({"groups": "ab"},
     "groups is one str; expected one label, a str or an int, for each sample."),
    ({"scores": [0.5]},
     'scores is of type list; expected {"name": {"system": [one number for each sample]}}.'),
    ({"scores": {"comet": [0.5]}},
     "scores['comet'] is of type list; expected "
     '{"name": {"system": [one number for each sample]}}.'),
    (give("comet", 5, [1, 2]),
     "scores['comet']['A'] is of type int; expected one number for each sample."),
    (give("comet", ["1", 2], [1, 2]), "scores['comet']['A'][0] is '1'; expected a number."),
    ({**give("x", [1, 2], [1, 2]), "lower_is_better": "x"},
     "lower_is_better is 'x'; expected the names of some scores of scores=, such as ['ter']."),
    ({"use_aggregator": False},
     "use_aggregator does not apply to compare_systems, which compares one number per "
     "score. Use metric.compute."),
    ({"rouge_type": ["rouge1"]}, "Unknown option 'rouge_type'; did you mean 'rouge_types'?"),
]
# fmt: on
CASES = [*((ValueError, *case) for case in VALUES), *((TypeError, *case) for case in TYPES)]


@pytest.fixture(autouse=True)
def _no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def count_samples(*_: object) -> None:
        pytest.fail("Samples are counted before all arguments are checked.")

    monkeypatch.setattr(counted_systems, "count_samples", count_samples)


@pytest.mark.parametrize(
    ("error", "arguments", "message"), CASES, ids=[message[:50] for *_, message in CASES]
)
def test_bad_arguments_are_one_error(
    error: type[Exception], arguments: dict[str, Any], message: str
) -> None:
    given: dict[str, Any] = {"systems": TWO, "references": REFERENCES, **arguments}
    with pytest.raises(error) as caught:
        compare_systems(**given)
    assert str(caught.value) == message


def test_scorers_of_other_options_are_refused() -> None:
    with pytest.raises(ValueError, match="lowercase:yes") as caught:
        compare_systems(**count_two(lowercase=True))
    assert str(caught.value).startswith("systems['B'] has other options than systems['A']: ")


def test_scorers_of_other_keys_are_refused() -> None:
    scorers = {name: Scorer() for name in "AB"}
    for start, (name, scorer) in enumerate(scorers.items()):
        scorer.update(TWO[name], ["a b", "a b"], keys=[start, start + 1])
    with pytest.raises(ValueError, match="other keys") as caught:
        compare_systems(scorers)
    assert str(caught.value) == (
        "systems['B'] and systems['A'] have samples of other keys; expected the same samples."
    )
