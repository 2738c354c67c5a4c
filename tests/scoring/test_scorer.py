"""``Scorer``: batches, order of merging, saving and sending do not change scores."""

import copy
import pickle
import random
import re
import sys
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Scorer, load
from bleu_rouge_metric.families.counts import select_counts, to_arrays
from bleu_rouge_metric.scoring.ranks import warn_of_repeats

# Every case gets the seed, also cases that do not use it.
pytestmark = pytest.mark.filterwarnings("ignore:seed is")

WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", "old", ".", ",", "North-East", "3.14\nran"]


def make_samples(count: int, seed: int) -> tuple[list[str], list[list[str]]]:
    draw = random.Random(seed)

    def text() -> str:
        words = draw.choices(WORDS, k=draw.randrange(12))
        # A text of only punctuation causes a warning.
        return " ".join([*words, "cat"]) if words else ""

    return (
        [text() for _ in range(count)],
        [[text() for _ in range(draw.randint(1, 3))] for _ in range(count)],
    )


PREDICTIONS, REFERENCES = make_samples(60, seed=1)


def cut(length: int, text: str) -> list[str]:
    return [text[start : start + length] for start in range(0, len(text), length)]


class Cutter:
    def __init__(self, length: int) -> None:
        self.length = length

    def cut(self, text: str) -> list[str]:
        return cut(self.length, text)

    __call__ = cut


def fill(scorer: Scorer, bounds: list[int], *, keyed: bool = False) -> Scorer:
    edges = [0, *sorted(bounds), len(PREDICTIONS)]
    for start, stop in pairwise(edges):
        if start < stop:
            scorer.update(
                PREDICTIONS[start:stop],
                REFERENCES[start:stop],
                keys=range(start, stop) if keyed else None,
            )
    return scorer


def test_many_small_batches_stay_few() -> None:
    scorer = Scorer("bleu")
    for _ in range(1000):
        scorer.update(["a b"], ["a c"])
    assert len(scorer._samples.batches) <= 10
    assert scorer.result()["translation_length"] == 2000


@pytest.mark.parametrize(
    "twin", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_a_copy_goes_its_own_way(twin: Callable[[Scorer], Scorer]) -> None:
    scorer = fill(Scorer(), [30])
    before = scorer.result()
    other = twin(scorer)
    assert other.result() == before
    other.update(["one more"], ["one more"])
    assert len(scorer) == len(PREDICTIONS)
    assert scorer.result() == before


def test_output_options_of_a_result_go_before_those_of_the_scorer() -> None:
    options: dict[str, Any] = {
        "smooth": True,
        "reference_length": "closest",
        "multi_reference": "jackknife",
        "beta": 2,
        "confidence": 0.8,
        "n_resamples": 20,
        **dict.fromkeys(("sentence_bleu", "detailed", "signature"), True),
    }
    scorer = fill(Scorer(seed=3, confidence=0.5), [10])
    score = partial(load(seed=3).compute, predictions=PREDICTIONS, references=REFERENCES)
    assert scorer.result(**options) == score(**options)
    assert scorer.result() == score(confidence=0.5)


def test_80_bytes_a_sample_are_held_with_the_default_options() -> None:
    scorer = Scorer()
    scorer.update(["a b c"] * 100, ["a c"] * 100)
    arrays = to_arrays(scorer.counts()).values()
    assert sum(array.nbytes for array in arrays) == 80 * 100


def test_sentences_on_one_line_are_warned_of_when_all_is_seen() -> None:
    several = ["One is here. Two are there."] * 4
    scorer = Scorer("rouge")
    scorer.update(several, several)
    third, other = pickle.loads(pickle.dumps(scorer)), pickle.loads(pickle.dumps(scorer))
    with pytest.warns(UserWarning, match="4 of the first 4 samples have several sentences"):
        scorer.result()
    assert scorer.result()["rouge1"] == 1  # warned of once
    other.update(["One is here.\nTwo are there."], ["a"])
    assert other.result()["rouge2"] == 0.8  # texts as in their data set
    third.merge(other)
    assert third.result()["rouge1"] == pytest.approx(8 / 9)


def test_a_loss_is_warned_of_once() -> None:
    scorer = Scorer("rouge")
    with pytest.warns(UserWarning, match="leaves nothing"):
        scorer.update(["кот"], ["кот"])
    scorer.update(["кот"], ["кот"])
    assert scorer.result()["rouge1"] == 0


@pytest.mark.parametrize("function", [partial(cut, 2), Cutter(2).cut, Cutter(2)])
def test_functions_that_another_process_had_are_the_same(function: Any) -> None:
    scorer = Scorer(tokenizer=function)
    scorer.update(["abcd"], ["abcd"])
    scorer.merge(pickle.loads(pickle.dumps(scorer)))
    assert scorer.result()["translation_length"] == 4


def test_no_samples_have_neither_keys_nor_none() -> None:
    scorer, full = Scorer(), fill(Scorer(), [])
    scorer.update_counts(select_counts(full.counts(), np.array([], dtype=np.int64)))
    assert "nrefs" not in scorer.signature()
    scorer.update(["a"], ["a"], keys=[3])
    assert len(scorer) == 1


def test_a_state_brings_its_seed_unless_one_was_given() -> None:
    scorer = fill(Scorer("rouge", confidence=0.9, n_resamples=20), [])
    for given_seed, seed in ((None, scorer.seed), (4, 4)):
        other = Scorer("rouge", seed=given_seed, confidence=0.9, n_resamples=20)
        other.load_state_dict(scorer.state_dict())
        assert other.seed == seed


INTERVAL = "is 3, but nothing is resampled; use confidence=0.95, or leave it out."
RESAMPLE = INTERVAL.replace("use ", "use aggregator='bootstrap' or ")
OWN = "is 3, but the profile 'rouge-1.5.5' has its own seeds; leave it out."
EACH: dict[str, Any] = {"aggregator": "bootstrap", "use_aggregator": False}


@pytest.mark.filterwarnings("default:seed is")
@pytest.mark.parametrize(
    ("name", "family", "options", "message"),
    [
        *(("seed", None, {}, RESAMPLE), ("seed", "bleu", {}, INTERVAL)),
        ("seed", "rouge", {"profile": "rouge-1.5.5"}, OWN),
        *(("n_resamples", "bleu", {}, INTERVAL), ("n_resamples", "rouge", EACH, RESAMPLE)),
    ],
)
def test_what_only_resampling_uses_is_warned_of_without_it(
    name: str, family: Any, options: dict[str, Any], message: str
) -> None:
    given = {name: 3, **options}
    results = [fill(Scorer(family, **given), []).result]
    # The seed of a metric is for all that it computes.
    if name != "seed":
        texts = {"predictions": PREDICTIONS, "references": REFERENCES}
        results.append(partial(load(family).compute, **texts, **given))
    for result in results:
        with pytest.warns(UserWarning, match=f"^{name} {re.escape(message)}$") as record:
            result()
        assert [one.filename for one in record] == [__file__]


@pytest.mark.filterwarnings("error:seed is")
def test_a_seed_that_is_used_is_no_warning() -> None:
    fill(Scorer("bleu", seed=3, confidence=0.9, n_resamples=20), []).result()
    fill(Scorer(seed=3, n_resamples=20), []).result(aggregator="bootstrap")
    scorer = fill(Scorer(seed=3, n_resamples=20, confidence=0.9), [])
    scorer.result(use_aggregator=False, confidence=None)
    load(seed=3).compute(predictions=PREDICTIONS, references=REFERENCES)


def test_ranks_with_as_many_samples_are_warned_of_once() -> None:
    warned: set[str] = set()
    for samples in ([3], [0, 0], [3, 4]):
        warn_of_repeats(samples, warned)
    with pytest.warns(UserWarning, match=r"^Each of 2 ranks has 3 samples without keys\. "):
        warn_of_repeats([3, 3], warned)
    warn_of_repeats([3, 3], warned)  # a warning would be an error


def test_a_warning_that_is_an_error_leaves_the_scorer_as_it_was() -> None:
    scorer = Scorer("rouge")
    with pytest.raises(UserWarning, match="leaves nothing"):
        scorer.update(["кот"], ["кот"])
    assert len(scorer) == 0


def test_the_key_of_two_samples_is_found_among_many() -> None:
    scorer = Scorer("bleu", max_order=1)
    texts = ["a b"] * 5000
    for _ in range(2):
        scorer.update(texts, texts, keys=range(5000))
    assert scorer.result()["translation_length"] == 10000
    texts[4321] = "a"
    scorer.update(texts, texts, keys=range(5000))
    with pytest.raises(ValueError, match=r"^The key 4321 names two different samples; expected a "):
        scorer.result()


def test_a_single_process_reduces_to_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    scorer = fill(Scorer(), [])
    before = scorer.result()
    reduced, gathered = scorer.all_reduce(), scorer.gather()
    scorer.update(["one more"], ["one more"])
    assert isinstance(gathered, Scorer)
    assert reduced.result() == gathered.result() == before
    with pytest.raises(ValueError, match=r"^dst is 1; expected 0, the only process\.$"):
        scorer.gather(1)
    # All ranks resample with the seed of the first.
    options: dict[str, Any] = {"aggregator": "bootstrap", "n_resamples": 20}
    assert scorer.all_reduce().result(**options) == scorer.result(**options)


def test_a_rank_without_a_process_group_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "2")
    # torch is not imported to find it out.
    monkeypatch.setitem(sys.modules, "torch", None)
    message = (
        "WORLD_SIZE is 2, but torch.distributed is not initialised, so the samples of the other "
        "ranks cannot be gathered. Call torch.distributed.init_process_group, or make the "
        "Accelerator or the Trainer, before all_reduce and gather."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Scorer().all_reduce()
