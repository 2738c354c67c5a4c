"""Rewards of token ids equal those of ``PairScorer`` with the tokenizer ``ids``."""

import pickle
import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import PairScorer
from bleu_rouge_metric.integrations import completions
from bleu_rouge_metric.integrations.rewards import make_reward

PAD, EOS, UNKNOWN = 0, 1, 2
WORDS: Final = ["<pad>", "</s>", "<unk>", *["the", "cat", "sat", "on", "a", "mat"]]


class WordTokenizer:
    """A tokenizer of words that is called as those of transformers are."""

    eos_token_id = EOS
    all_special_ids: Final = (EOS, UNKNOWN, PAD)

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: list[str], *, add_special_tokens: bool) -> dict[str, Any]:
        assert not add_special_tokens
        self.calls.append(texts)
        return {"input_ids": [list(map(find_id, text.split())) for text in texts]}


class Decoder(WordTokenizer):
    """A tokenizer that also decodes, as every one of a model does."""

    def batch_decode(self, rows: list[list[int]]) -> list[str]:
        return [" ".join(WORDS[number] for number in row) for row in rows]


class Negative(WordTokenizer):
    """A tokenizer whose id of "cat" is below 0."""

    def __call__(self, texts: list[str], *, add_special_tokens: bool) -> dict[str, Any]:
        rows = super().__call__(texts, add_special_tokens=add_special_tokens)["input_ids"]
        return {"input_ids": [[-i if i == 4 else i for i in row] for row in rows]}


class Processor:
    """What a model of images has."""

    def __init__(self) -> None:
        self.tokenizer = WordTokenizer()


def find_id(word: str) -> int:
    return WORDS.index(word) if word in WORDS else UNKNOWN


ids = st.lists(st.integers(0, 8), max_size=10)
id_samples = st.lists(st.tuples(ids, st.lists(ids, min_size=1, max_size=3)), min_size=1, max_size=5)
words = st.lists(st.sampled_from(WORDS[3:]), max_size=8)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    ("score", "options"),
    [
        ("rougeL", {"eos": EOS}),
        ("rouge1", {"eos": [EOS, 7], "pad": [PAD, UNKNOWN]}),
        ("rougeLsum", {"eos": (), "pad": PAD, "separator": 5}),
        ("bleu", {"eos": EOS, "pad": PAD, "smooth": True, "max_order": 2}),
        ("google_bleu", {"eos": EOS, "ignore_index": 4}),
    ],
)
@given(id_samples)
def test_rewards_are_those_of_pair_scorer(
    score: str, options: dict[str, Any], samples: list[tuple[list[int], list[list[int]]]]
) -> None:
    completions, references = map(list, zip(*samples, strict=True))
    scorer: Any = PairScorer(score, tokenizer="ids", **options)
    reward = make_reward(score, tokens="ids", **options)
    expected = [scorer(*sample) for sample in samples]
    assert reward(completion_ids=completions, ground_truth=references) == expected


@given(st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=2)), min_size=1, max_size=4))
def test_words_as_ids_have_the_rewards_of_the_texts(
    samples: list[tuple[list[str], list[list[str]]]],
) -> None:
    names = ("rougeL", "bleu")
    of_texts = make_reward(names, smooth=True, tokenizer="whitespace")
    of_ids = make_reward(names, smooth=True, tokens="ids", tokenizer=WordTokenizer())
    references = [list(map(" ".join, row)) for _, row in samples]
    expected = of_texts(
        completions=[" ".join(text) for text, _ in samples], ground_truth=references
    )
    found = of_ids(
        completions=["not read"] * len(samples),
        completion_ids=[[*map(find_id, text), EOS, PAD] for text, _ in samples],
        ground_truth=references,
    )
    assert found == expected


def test_special_tokens_are_left_out() -> None:
    reward = make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer())
    texts = ["the cat"] * 5
    completions = [[3, 4], [3, 4, EOS], [EOS, 3, 4, EOS, 5, 6], [PAD, 3, UNKNOWN, 4], [-100, 3, 4]]
    assert reward(completion_ids=completions, ground_truth=texts) == [1.0] * 5
    assert reward(completion_ids=[[EOS], []], ground_truth=texts[:2]) == [0.0, 0.0]
    # What is given has precedence over the tokenizer.
    kept = make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer(), eos=5, pad=PAD)
    assert kept(completion_ids=[[3, 4, EOS, 5, 6]], ground_truth=["the cat"]) == [0.8]
    # A separator is no token, but it is not left out either.
    pair: dict[str, Any] = {"completion_ids": [[3, UNKNOWN, 4]], "ground_truth": ["cat the"]}
    lines = make_reward("rougeLsum", tokens="ids", tokenizer=WordTokenizer(), separator=UNKNOWN)
    assert lines(**pair) == [1.0]
    assert make_reward("rougeLsum", tokens="ids", tokenizer=WordTokenizer())(**pair) == [0.5]


def test_a_tokenizer_without_eos_ends_no_completion() -> None:
    tokenizer = WordTokenizer()
    tokenizer.eos_token_id = None  # type: ignore[assignment]
    tokenizer.all_special_ids = (UNKNOWN, PAD)  # type: ignore[misc, assignment]
    pair: dict[str, Any] = {"completion_ids": [[3, EOS, 4]], "ground_truth": ["the cat"]}
    assert make_reward("rouge1", tokens="ids", tokenizer=tokenizer)(**pair) == [0.8]
    ended = make_reward("rouge1", tokens="ids", tokenizer=tokenizer, eos=EOS)
    assert ended(**pair) == [2 / 3]


def test_references_have_every_form() -> None:
    reward = make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer())
    two = {"completion_ids": [[3, 4], [3, 5]]}
    expected = [1.0, 0.5]
    for references in (
        ["the cat", "the cat"],
        [["the cat", "a"], ["the cat"]],
        [[3, 4], [3, 4]],
        [[[3, 4], [6]], [[3, 4]]],
        [np.array([3, 4, EOS]), np.array([3, 4])],
        np.array([[3, 4], [3, 4]]),
    ):
        assert reward(**two, ground_truth=references) == expected
    assert reward(**two, ground_truth=[None, "the cat"]) == [None, 0.5]
    assert reward(**two, ground_truth=[None, None]) == [None, None]
    assert reward(completion_ids=np.array([[3, 4, EOS]]), ground_truth=[[[]]]) == [0.0]
    assert reward(completion_ids=[], ground_truth=[]) == []


def test_a_text_is_tokenized_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = Processor().tokenizer
    reward = make_reward("rouge1", tokens="ids", tokenizer=tokenizer)
    given = {"completion_ids": [[3], [3], [4]]}
    for _ in range(2):
        assert reward(**given, ground_truth=["the", "the", ["cat", "the"]]) == [1.0, 1.0, 1.0]
    assert tokenizer.calls == [["the", "cat"]]
    reward(**given, ground_truth=["the", "a cat", None])
    assert tokenizer.calls == [["the", "cat"], ["a cat"]]
    monkeypatch.setattr(completions, "_MOST_IDS", 4)
    # The cache is full, so that it starts anew.
    assert reward(**given, ground_truth=["a mat", "the", "cat"]) == [0.0, 1.0, 1.0]
    assert reward(**given, ground_truth=["a mat", "the", "cat"]) == [0.0, 1.0, 1.0]
    assert tokenizer.calls[2:] == [["a mat"], ["a mat", "the", "cat"]]


def test_the_reward_of_ids_can_be_pickled() -> None:
    reward = make_reward(("rouge1", "bleu"), smooth=True, tokens="ids", tokenizer=Processor())
    given: dict[str, Any] = {"completion_ids": [[3, 4, 5]], "ground_truth": ["the cat"]}
    expected = reward(**given)
    copy = pickle.loads(pickle.dumps(reward))
    assert copy(**given) == expected
    assert repr(copy) == repr(reward)
    assert "eos=1" in repr(reward)


REWARD = make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer())
BARE = make_reward("rouge1", tokens="ids", eos=EOS)

CALLS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "no ids": (
        lambda: REWARD(completions=["a"], ground_truth=["the"]),
        ValueError,
        "completion_ids is missing, which tokens='ids' scores; expected one sequence of ids per "
        "completion, as TRL passes them.",
    ),
    "a text": (
        lambda: REWARD(completion_ids=["a"], ground_truth=["the"]),
        TypeError,
        "completion_ids[0] is of type str; expected a sequence of token ids.",
    ),
    "one completion": (
        lambda: REWARD(completion_ids="a", ground_truth=["the"]),
        TypeError,
        "completion_ids is of type str; expected one sequence of ids per sample.",
    ),
    "an id that is no int": (
        lambda: REWARD(completion_ids=[[3], [3, "4"]], ground_truth=["the", "the"]),
        TypeError,
        "completion_ids[1][1] is '4'; expected an int, the id of a token.",
    ),
    "an id below 0": (
        lambda: REWARD(completion_ids=[[3], [3, -1]], ground_truth=["the", "the"]),
        ValueError,
        "completion_ids[1] has the id -1; expected ids of at least 0, or one that ignore_index or "
        "pad names.",
    ),
    "a reference below 0": (
        lambda: REWARD(completion_ids=[[3], [3]], ground_truth=[[3], [-1]]),
        ValueError,
        "ground_truth[1] has the id -1; expected ids of at least 0, or one that ignore_index or "
        "pad names.",
    ),
    "one of several references below 0": (
        lambda: REWARD(completion_ids=[[3]], ground_truth=[[[3], [-1]]]),
        ValueError,
        "ground_truth[0][1] has the id -1; expected ids of at least 0, or one that ignore_index or "
        "pad names.",
    ),
    "an id of a reference that is no int": (
        lambda: BARE(completion_ids=[[3]], ground_truth=[[3.0]]),
        TypeError,
        "ground_truth[0][0] is 3.0; expected an int, the id of a token.",
    ),
    "a text whose ids are below 0": (
        lambda: make_reward(tokens="ids", tokenizer=Negative())(
            completion_ids=[[3], [4]], ground_truth=[["the"], ["the", "cat"]]
        ),
        ValueError,
        "ground_truth[1][1] has the id -4; expected ids of at least 0, or one that ignore_index or "
        "pad names.",
    ),
    "a large id": (
        lambda: REWARD(completion_ids=[[3], [2**70]], ground_truth=["the", "the"]),
        ValueError,
        f"completion_ids[1] has the id {2**70}; expected ids of less than 2 ** 63.",
    ),
    "one id": (
        lambda: REWARD(completion_ids=np.array(3), ground_truth=["the"]),
        TypeError,
        "completion_ids is of type ndarray; expected one sequence of ids per sample.",
    ),
    "no tokenizer": (
        lambda: BARE(completion_ids=[[3], [3]], ground_truth=[None, "the"]),
        TypeError,
        "ground_truth[1] is text, but there is no tokenizer; expected token ids. Use "
        "make_reward(tokenizer=...) with the tokenizer of the model.",
    ),
    "mixed rows": (
        lambda: REWARD(completion_ids=[[3], [3]], ground_truth=[[3], "the"]),
        TypeError,
        "ground_truth[1] is text, but ground_truth[0] is token ids; expected one kind in a column.",
    ),
    "a mixed row": (
        lambda: REWARD(completion_ids=[[3]], ground_truth=[["the", [3]]]),
        TypeError,
        "ground_truth[0] has a str and other objects; expected either texts or sequences of token "
        "ids.",
    ),
    "a row of ids and lists": (
        lambda: REWARD(completion_ids=[[3]], ground_truth=[[[3], 3]]),
        TypeError,
        "ground_truth[0][1] is of type int; expected a sequence of token ids.",
    ),
    "a number": (
        lambda: REWARD(completion_ids=[[3]], ground_truth=[3]),
        TypeError,
        "ground_truth[0] is of type int; expected texts or token ids.",
    ),
    "no reference": (
        lambda: REWARD(completion_ids=[[3], [3]], ground_truth=["the", []]),
        ValueError,
        "ground_truth[1] is empty; every completion needs at least one reference. A reference "
        "without tokens is [[]].",
    ),
    "lengths": (
        lambda: REWARD(completion_ids=[[3], [3]], ground_truth=["the"]),
        ValueError,
        "ground_truth has 1 items, but there are 2 completions; expected one for each.",
    ),
    "no column": (
        lambda: REWARD(completion_ids=[[3]], answer=["the"]),
        ValueError,
        "There is no column 'ground_truth'; the columns are 'answer'. Name the column of the "
        "references with make_reward(reference=...).",
    ),
    "tokens": (
        lambda: make_reward(tokens="id"),  # type: ignore[arg-type]
        ValueError,
        "Unknown tokens 'id'; expected one of 'text', 'ids'. Did you mean 'ids'?",
    ),
    "a name of a tokenizer": (
        lambda: make_reward(tokens="ids", tokenizer="13a"),
        TypeError,
        "tokenizer is '13a'; expected the tokenizer or processor of the model, which is called "
        "with texts and has all_special_ids.",
    ),
    "a function from texts to ids": (
        lambda: make_reward(tokens="ids", tokenizer=find_id),
        TypeError,
        "tokenizer is of type function; expected the tokenizer or processor of the model, which is "
        "called with texts and has all_special_ids.",
    ),
    "a tokenizer of a model for texts": (
        lambda: make_reward(tokenizer=Decoder()),
        TypeError,
        "tokenizer is of type Decoder, which makes token ids; expected the name of a "
        "tokenizer of texts, or a function from a text to its tokens. To score ids use "
        "tokens='ids'.",
    ),
    "nothing special": (
        lambda: make_reward(tokens="ids", pad=PAD),
        ValueError,
        "tokens is 'ids', but nothing says which ids are special; expected tokenizer=, the "
        "tokenizer of the model, or eos= and pad=.",
    ),
    "extract": (
        lambda: make_reward(tokens="ids", eos=EOS, extract="answer"),
        ValueError,
        "extract is 'answer', which is for texts, but tokens is 'ids'; leave it out.",
    ),
    "a stemmer": (
        lambda: make_reward(tokens="ids", eos=EOS, use_stemmer=True),
        ValueError,
        "use_stemmer is True, which is for texts, but tokens is 'ids'; leave it out.",
    ),
    "a tokenizer of a family": (
        lambda: make_reward("bleu", tokens="ids", eos=EOS, bleu_tokenizer="intl"),
        ValueError,
        "bleu_tokenizer is 'intl', which is for texts, but tokens is 'ids'; leave it out.",
    ),
    "an unknown option": (
        lambda: make_reward(tokens="ids", eos=EOS, smoth=True),  # type: ignore[call-arg]
        TypeError,
        "Unknown option 'smoth'; did you mean 'smooth'?",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_errors_name_the_place_and_the_remedy(name: str) -> None:
    call, kind, message = CALLS[name]
    with pytest.raises(kind, match=f"^{re.escape(message)}$") as caught:
        call()
    assert caught.type is kind
