"""Rewards combine scores of ``PairScorer``; a step of TRL's ``GRPOTrainer`` learns from them."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import THINKING, PairScorer
from bleu_rouge_metric.integrations.rewards import (
    make_openrlhf_reward,
    make_reward,
    make_verl_score,
)

from ..conftest import require
from ..support.reward_tokenizers import EOS, PAD, UNKNOWN, WordTokenizer
from ..support.strategies import spaced_corpora

COMPLETIONS = ["the cat sat", "a dog <answer>a dog ran</answer>", "", "snow fell at noon"]
REFERENCES: list[Any] = ["the cat sat down", ["a dog ran", "dogs"], "rain fell", "snow fell at 5"]
BOTH = ("bleu", "rougeL")


def first_words(text: str) -> str:
    return " ".join(text.split()[:2])


def combine_harmonic(first: float, second: float) -> float:
    return 2 * first * second / (first + second) if first and second else 0.0


@pytest.mark.usefixtures("kernel")
@given(spaced_corpora)
def test_combined_scores_equal_plain_formulas(corpus: list[tuple[str, list[str]]]) -> None:
    completions, references = map(list, zip(*corpus, strict=True))
    pairs = [PairScorer(BOTH, smooth=True)(*sample) for sample in corpus]
    cases: list[tuple[Any, dict[str, Any], Callable[[float, float], float]]] = [
        ("bleu", {}, lambda a, _: a),
        ("rougeL", {}, lambda _, b: b),
        (BOTH, {}, combine_harmonic),
        (BOTH, {"combine": "harmonic"}, combine_harmonic),
        (BOTH, {"combine": "mean"}, lambda a, b: (a + b) / 2),
        (BOTH, {"weights": (3, 1)}, lambda a, b: (3 * a + 1 * b) / 4),
        (BOTH, {"weights": {"rougeL": 0.5, "bleu": 2}}, lambda a, b: (2 * a + 0.5 * b) / 2.5),
    ]
    for score, options, combine in cases:
        smooth: dict[str, Any] = {"smooth": True} if "bleu" in score else {}
        reward = make_reward(score, **smooth, **options)
        found = reward(completions=completions, ground_truth=references)
        assert found == [combine(*pair) for pair in pairs]


def test_three_scores_have_a_harmonic_mean() -> None:
    reward = make_reward(("rouge1", "rouge2", "rougeL"))
    found = reward(completions=["a b c"], ground_truth=["a b d"])
    assert found == [3 / (1 / (2 / 3) + 1 / 0.5 + 1 / (2 / 3))]


def test_bleu_of_sacrebleu_is_brought_to_one() -> None:
    text, references = "the cat sat on a mat today", ["the cat sat on the mat"]
    expected = sacrebleu.sentence_bleu(text, references).score / 100
    assert 0 < expected < 1
    reward = make_reward("bleu", profile="sacrebleu")
    assert reward(completions=[text], ground_truth=references) == [expected]
    assert make_verl_score("bleu", profile="sacrebleu")("", text, references) == expected


def test_trl_and_verl_call_it_so() -> None:
    reward = make_reward(BOTH, reference="summary", smooth=True)
    others = {"trainer_state": object(), "log_extra": print, "completion_ids": [[1, 2]] * 4}
    expected = reward(["x"] * 4, COMPLETIONS, summary=REFERENCES, **others)
    assert all(type(value) is float for value in expected)
    messages = [[{"role": "assistant", "content": text}] for text in COMPLETIONS]
    assert reward(completions=messages, summary=REFERENCES, **others) == expected
    compute_score = make_verl_score(BOTH, smooth=True)
    assert expected == [
        compute_score(data_source="news", solution_str=text, ground_truth=one, extra_info={})
        for text, one in zip(COMPLETIONS, REFERENCES, strict=True)
    ]
    sources = np.array(["news"] * 4)
    batch = compute_score(data_sources=sources, solution_strs=COMPLETIONS, ground_truths=REFERENCES)
    assert batch == expected
    assert reward.__name__ == compute_score.__name__ == "bleu_rougeL"
    assert make_reward("rougeW-1.2").__name__ == "rougeW_1_2"
    # Two rewards of the same score have two names in the log.
    assert make_reward(BOTH, name="short").__name__ == "short"


def test_a_reference_that_is_none_has_no_reward_and_nothing_is_scored_zero() -> None:
    reward = make_reward(("bleu", "rouge1"), smooth=True)
    texts = ["a b", "a b", "c"]
    assert reward(completions=texts, ground_truth=[None, "a b", None]) == [None, 1.0, None]
    assert reward(completions=texts, ground_truth=[None] * 3) == [None] * 3
    for score in ("bleu", "google_bleu", "rouge1", "rougeL", "rougeLsum", BOTH):
        pairs = [("", "a b"), ("a b", ""), ("", ""), (" \n", "a"), ("a", ["", ""])]
        completions, references = zip(*pairs, strict=True)
        found = make_reward(score)(completions=completions, ground_truth=references)
        assert found == [make_verl_score(score)("", *pair) for pair in pairs] == [0.0] * 5, score


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I think. <answer>a b</answer> Done.", "a b"),
        ("<answer>a</answer> No: <answer>\nb\nc</answer>", "b c"),
        ("I think. <answer>a b", "a b"),
        ("a b", "a b"),
        ("<answer></answer> a b", ""),
        ("a b</answer>", "a b</answer>"),
    ],
)
@pytest.mark.parametrize("tag", ["answer", "final-text"])
def test_the_answer_is_what_is_in_its_tag(tag: str, text: str, answer: str) -> None:
    renamed = text.replace("answer>", f"{tag}>")
    for reference in ("a b", "b c", "answer a b"):
        expected = make_verl_score("rouge1")("", answer.replace("answer>", f"{tag}>"), reference)
        assert make_verl_score("rouge1", extract=tag)("", renamed, reference) == expected


def test_a_function_extracts_and_a_pattern_strips_before() -> None:
    assert make_verl_score("rouge1", extract=first_words)("", "a b c d", "a b") == 1
    thinking = "<think><answer>c</answer></think> <answer>a b</answer>"
    for options in ({"extract": "answer"}, {"extract": lambda text: text[8:11]}):
        verl = make_verl_score("rouge1", strip=THINKING, **options)
        assert verl("", thinking, "<think>c</think>a b") == 1
        assert verl("", thinking, ["c", "<think>c</think>a b"]) == 1
    reward = make_reward("rouge1", strip=r"\(.*?\)")
    found = reward(completions=["a (c) b", "(c"], ground_truth=["a b", ["(a) (c", "b"]])
    assert found == [1.0, 1.0]


TOOL_CALL: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [{}]}


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ([{"content": "a b"}], "a b"),
        ([{"role": "assistant", "content": [{"type": "text", "text": "a "}, "b"]}], "a b"),
        ([{"content": [{"type": "image"}, {"type": "text", "text": "a"}]}], "a"),
        ([TOOL_CALL, {"role": "tool", "content": "c"}, {"content": "a b"}], "a b"),
        ([{"role": "assistant", "content": "a"}, {"role": "tool", "content": "c"}], "a"),
        ([{"role": "assistant", "tool_calls": [{}]}], ""),
        ([{"role": "tool", "content": "a b"}], ""),
        ([], ""),
    ],
)
def test_messages_have_the_text_of_the_last_one_of_the_assistant(
    completion: Any, text: str
) -> None:
    verl = make_verl_score("rouge1")
    assert verl("", completion, "a b") == verl("", text, "a b")


def test_rewards_can_be_pickled() -> None:
    texts: dict[str, Any] = {"completions": COMPLETIONS, "ground_truth": REFERENCES}
    ids: dict[str, Any] = {"completion_ids": [[3, 4, 5]], "ground_truth": ["the cat"]}
    options: dict[str, Any] = {"extract": first_words, "weights": (1, 2), "strip": THINKING}
    for reward, given_texts in (
        (make_reward(BOTH, smooth=True, **options), texts),
        (make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer()), ids),
    ):
        expected = reward(**given_texts)
        copy = pickle.loads(pickle.dumps(reward))
        assert copy(**given_texts) == expected
        assert (copy.__name__, repr(copy)) == (reward.__name__, repr(reward))
    assert repr(reward).startswith("<Reward 'rouge1' of PairScorer('rouge1', ")
    assert "eos=1" in repr(reward)


ids = st.lists(st.integers(0, 8), max_size=10)
id_samples = st.lists(st.tuples(ids, st.lists(ids, min_size=1, max_size=3)), min_size=1, max_size=5)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    ("score", "options"),
    [
        ("rouge1", {"eos": [EOS, 7], "pad": [PAD, UNKNOWN]}),
        ("rougeLsum", {"eos": (), "pad": PAD, "separator": 5}),
        ("bleu", {"eos": EOS, "pad": PAD, "smooth": True, "max_order": 2}),
        ("google_bleu", {"eos": EOS, "ignore_index": 4}),
    ],
)
@given(id_samples)
def test_rewards_of_ids_are_those_of_pair_scorer(
    score: str, options: dict[str, Any], samples: list[tuple[list[int], list[list[int]]]]
) -> None:
    completions, references = map(list, zip(*samples, strict=True))
    scorer: Any = PairScorer(score, tokenizer="ids", **options)
    reward = make_reward(score, tokens="ids", **options)
    expected = [scorer(*sample) for sample in samples]
    assert reward(completion_ids=completions, ground_truth=references) == expected


@pytest.mark.parametrize(
    ("score", "options", "completion", "reference", "expected"),
    [
        *(
            ("rouge1", {}, row, "the cat", 1.0)
            for row in ([3, 4, EOS], [EOS, 3, 4, EOS, 5], [PAD, 3, UNKNOWN, 4], [-100, 3, 4])
        ),
        *(("rouge1", {}, row, "the cat", 0.0) for row in ([EOS], [])),
        # What is given has precedence over the tokenizer.
        ("rouge1", {"eos": 5, "pad": PAD}, [3, 4, EOS, 5, 6], "the cat", 0.8),
        # A separator is no token, but it is not left out either.
        ("rougeLsum", {"separator": UNKNOWN}, [3, UNKNOWN, 4], "cat the", 1.0),
        ("rougeLsum", {}, [3, UNKNOWN, 4], "cat the", 0.5),
        ("bleu", {"smooth": True}, [3, 4, 5, 6], "the cat sat on", 1.0),
        # References of every form.
        ("rouge1", {}, [3, 4], ["a", "the cat"], 1.0),
        ("rouge1", {}, [3, 5], [[6], [3, 4]], 0.5),
        ("rouge1", {}, np.array([3, 5, EOS]), np.array([3, 4, EOS]), 0.5),
        ("rouge1", {}, [3], [[]], 0.0),
        ("rouge1", {}, [3], None, None),
    ],
)
def test_special_tokens_are_left_out(
    score: str, options: Any, completion: Any, reference: Any, expected: float | None
) -> None:
    reward = make_reward(score, tokens="ids", tokenizer=WordTokenizer(), **options)
    assert reward(completion_ids=[completion], ground_truth=[reference]) == [expected]
    assert reward(completion_ids=[], ground_truth=[]) == []
    assert make_verl_score("rouge1")(solution_strs=[], ground_truths=[]) == []


def test_a_tokenizer_without_eos_ends_no_completion() -> None:
    tokenizer = WordTokenizer(eos_token_id=None, all_special_ids=(UNKNOWN, PAD))
    pair: dict[str, Any] = {"completion_ids": [[3, EOS, 4]], "ground_truth": ["the cat"]}
    assert make_reward("rouge1", tokens="ids", tokenizer=tokenizer)(**pair) == [0.8]
    ended = make_reward("rouge1", tokens="ids", tokenizer=tokenizer, eos=EOS)
    assert ended(**pair) == [2 / 3]


def test_a_text_is_tokenized_once_and_may_be_beside_ids() -> None:
    tokenizer = WordTokenizer()
    # A processor has a tokenizer.
    processor = type("Processor", (), {"tokenizer": tokenizer})
    reward = make_reward("rouge1", tokens="ids", tokenizer=processor)
    rows = {"completion_ids": [[3], [3], [4]]}
    assert reward(**rows, ground_truth=["the", "the", ["cat", [5]]]) == [1.0, 1.0, 1.0]
    assert reward(**rows, ground_truth=[[3], [[4]], None]) == [1.0, 0.0, None]
    assert tokenizer.calls == [["the", "cat"]]


@pytest.mark.extra
def test_openrlhf_calls_it_so() -> None:
    torch: Any = require("torch")
    prompts, labels = ["Sum up: rain.", "Sum up: snow.", ""], ["rain fell", ["it snowed"], "y"]
    said = [" <answer>rain fell</answer>", " It snowed", "x"]
    queries = ["<s>" + prompts[0] + said[0], prompts[1] + said[1], said[2]]
    reward_func = make_openrlhf_reward(BOTH, extract="answer", smooth=True)
    pairs = list(map(PairScorer(BOTH, smooth=True), ["rain fell", *said[1:]], labels))
    expected = torch.tensor([combine_harmonic(*pair) for pair in pairs])
    found = reward_func(queries, prompts, labels, some_option=1)
    assert set(found) == {"rewards", "scores", "extra_logs"}
    assert found["rewards"].dtype is torch.float32
    assert found["rewards"].tolist() == found["scores"].tolist() == expected.tolist()
    for name, logged in zip(BOTH, zip(*pairs, strict=True), strict=True):
        assert found["extra_logs"][name].tolist() == torch.tensor(logged).tolist()
    assert 0 < found["rewards"][1] < found["rewards"][0] == 1
    assert reward_func.__name__ == "bleu_rougeL"


class Recorder:
    """A reward that keeps what TRL gave it, and what it returned."""

    def __init__(self, reward: Any) -> None:
        self.reward = reward
        self.__name__ = reward.__name__

    def __call__(self, **given: Any) -> Any:
        self.given = given
        self.rewards = self.reward(**given)
        return self.rewards


@pytest.mark.extra
# Of TRL and of the libraries below it.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("is_chat", [False, True])
def test_a_step_of_grpo_trains_on_the_reward(tmp_path: Path, *, is_chat: bool) -> None:
    torch: Any = require("torch")
    trl = require("trl")
    from datasets import Dataset
    from transformers import GPT2Config, GPT2LMHeadModel

    from ..support.echo import build_tokenizer

    words = "the cat sat on a mat and slept in warm sun"
    tokenizer = build_tokenizer([words])
    tokenizer.padding_side = "left"
    tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
    torch.manual_seed(3)
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer), n_positions=64, n_embd=16, n_layer=1, n_head=2,
            bos_token_id=1, eos_token_id=1, pad_token_id=0,
        )
    )  # fmt: skip
    prompts: list[Any] = ["the cat", "a mat"]
    if is_chat:
        prompts = [[{"role": "user", "content": text}] for text in prompts]
    summaries = [[words, "a cat slept"], [words, "sun on a mat"]]
    columns = {"prompt": prompts, "summary": summaries, "ground_truth": [None, words]}
    options: dict[str, Any] = {"reference": "summary", "smooth": True}
    rewards = [
        Recorder(make_reward(BOTH, **options)),
        Recorder(make_reward("rouge1")),
        Recorder(make_reward(BOTH, name="ids", tokens="ids", tokenizer=tokenizer, **options)),
    ]
    before = [parameter.detach().clone() for parameter in model.parameters()]
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=rewards,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path), per_device_train_batch_size=8, num_generations=4,
            max_completion_length=8, max_steps=1, logging_steps=1, learning_rate=0.1, use_cpu=True,
            report_to=[], bf16=False, save_strategy="no", disable_tqdm=True,
        ),
        train_dataset=Dataset.from_dict(columns),
        processing_class=tokenizer,
    )  # fmt: skip
    trainer.train()
    both, named, of_ids = rewards
    texts = [item[0]["content"] if is_chat else item for item in both.given["completions"]]
    assert len(texts) == 8
    # The words of this tokenizer are those of the texts that TRL decodes.
    for reward, tokenizer in ((both, None), (of_ids, "whitespace")):
        scorer: Any = PairScorer(BOTH, smooth=True, tokenizer=tokenizer)
        pairs = map(scorer, texts, map(list, both.given["summary"]))
        assert reward.rewards == [combine_harmonic(*pair) for pair in pairs]
        # Rewards of the same scores have logs of their own.
        mean = trainer.state.log_history[0][f"rewards/{reward.__name__}/mean"]
        assert mean == pytest.approx(sum(reward.rewards) / 8)
    assert any(both.rewards)
    assert [one is None for one in named.rewards] == [
        text is None for text in named.given["ground_truth"]
    ]
    assert named.rewards.count(None) == 4
    now = zip(model.parameters(), before, strict=True)
    assert any(bool((parameter != old).any()) for parameter, old in now)
