"""OpenRLHF gets tensors, and a real step of TRL's ``GRPOTrainer`` learns from a reward."""

import re
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import PairScorer
from bleu_rouge_metric.integrations.rewards import make_openrlhf_reward, make_reward

from ..conftest import require

torch: Any = require("torch")
pytestmark = pytest.mark.extra

PROMPTS = ["Sum up: rain.", "Sum up: snow.", ""]
TEXTS = [" <answer>rain fell</answer>", " Sum up: snow. It fell", "x"]
LABELS = ["rain fell", ["it snowed", "snow fell"], "y"]


def test_openrlhf_calls_it_so() -> None:
    names = ("bleu", "rougeL")
    reward_func = make_openrlhf_reward(names, extract="answer", smooth=True)
    scorer = PairScorer(names, smooth=True)
    pairs = [
        scorer(text, label) for text, label in zip(["rain fell", *TEXTS[1:]], LABELS, strict=True)
    ]
    expected = torch.tensor([2 * a * b / (a + b) if a and b else 0.0 for a, b in pairs])
    queries = ["<s>" + PROMPTS[0] + TEXTS[0], PROMPTS[1] + TEXTS[1], TEXTS[2]]
    found = reward_func(queries, PROMPTS, LABELS, some_option=1)
    assert set(found) == {"rewards", "scores", "extra_logs"}
    assert found["rewards"].dtype is torch.float32
    assert found["rewards"].tolist() == found["scores"].tolist() == expected.tolist()
    for index, name in enumerate(names):
        logged = torch.tensor([pair[index] for pair in pairs])
        assert found["extra_logs"][name].tolist() == logged.tolist()
    assert 0 < found["rewards"][1] < found["rewards"][0] == 1
    assert reward_func.__name__ == "bleu_rougeL"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ((["a b", "b"], ["a", "c"], ["b", "b"]), "queries[1] does not hold prompts[1], so that "
         "the completion cannot be told from it; expected the prompt and what follows it."),
        ((["a b"], [], ["b"]), "prompts has 0 items, but there is 1 sample; expected one prompt "
         "for each query."),
        ((["a b"], ["a"], []), "labels has 0 items, but there is 1 sample; expected a list with "
         "one item per completion."),
        ((["a b"], ["a"], [None]), "labels[0] is None; expected a str or a sequence of str. Drop "
         "the sample, or give the "
         'empty text "" to score it 0.'),
    ],
)  # fmt: skip
def test_errors_of_openrlhf_name_the_place(call: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(message)}$"):
        make_openrlhf_reward("rouge1")(*call)


class Recorder:
    """A reward function that keeps how it was called, and what it returned."""

    def __init__(self, reward: Any) -> None:
        self.reward = reward
        self.calls: list[tuple[dict[str, Any], list[float | None]]] = []
        self.__name__ = reward.__name__

    def __call__(self, **given: Any) -> Any:
        rewards = self.reward(**given)
        self.calls.append((given, rewards))
        return rewards


# Of TRL and of the libraries below it.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("is_chat", [False, True])
def test_a_step_of_grpo_trains_on_the_reward(tmp_path: Path, *, is_chat: bool) -> None:
    trl = require("trl")
    from datasets import Dataset
    from transformers import GPT2Config, GPT2LMHeadModel

    from ..support.trainer_runs import build_tokenizer

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
    prompts = ["the cat", "a mat"]
    messages = [[{"role": "user", "content": text}] for text in prompts]
    data = Dataset.from_dict(
        {
            "prompt": messages if is_chat else prompts,
            "summary": [[words, "a cat slept"], [words, "sun on a mat"]],
            "ground_truth": [None, words],
        }
    )
    options: dict[str, Any] = {"reference": "summary", "smooth": True}
    ids: dict[str, Any] = {"tokens": "ids", "tokenizer": tokenizer, "combine": "mean"}
    rewards = [
        Recorder(make_reward(("bleu", "rougeL"), **options)),
        Recorder(make_reward("rouge1")),
        Recorder(make_reward(("bleu", "rougeL"), name="ids", **options, **ids)),
    ]
    before = [parameter.detach().clone() for parameter in model.parameters()]
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=list(rewards),
        args=trl.GRPOConfig(
            output_dir=str(tmp_path), per_device_train_batch_size=8, num_generations=4,
            max_completion_length=8, max_steps=1, logging_steps=1, learning_rate=0.1, use_cpu=True,
            report_to=[], bf16=False, save_strategy="no", disable_tqdm=True,
        ),
        train_dataset=data,
        processing_class=tokenizer,
    )  # fmt: skip
    trainer.train()
    (given, found), (_, named), (_, of_ids) = (recorder.calls[0] for recorder in rewards)
    texts = [item[0]["content"] if is_chat else item for item in given["completions"]]
    scorer = PairScorer(("bleu", "rougeL"), smooth=True)
    pairs = list(map(scorer, texts, map(list, given["summary"])))
    assert len(texts) == 8
    assert found == [2 * a * b / (a + b) if a and b else 0.0 for a, b in pairs]
    assert any(found)
    assert [value is None for value in named] == [one is None for one in given["ground_truth"]]
    assert named.count(None) == 4
    # The words of this tokenizer are those of the texts that TRL decodes.
    of_words = PairScorer(("bleu", "rougeL"), smooth=True, tokenizer="whitespace")
    pairs = list(map(of_words, texts, map(list, given["summary"])))
    assert of_ids == [(a + b) / 2 for a, b in pairs]
    logged = trainer.state.log_history[0]
    # Rewards of the same scores have logs of their own.
    for name, values in {"bleu_rougeL": found, "ids": of_ids}.items():
        mean = sum(value or 0.0 for value in values) / 8
        assert logged[f"rewards/{name}/mean"] == pytest.approx(mean)
    assert "rewards/rouge1/mean" in logged
    now = zip(model.parameters(), before, strict=True)
    assert any(bool((parameter != old).any()) for parameter, old in now)
