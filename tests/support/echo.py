"""A tokenizer of words, and a model that a trainer evaluates: it says most words of the labels."""

import json
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
from transformers import GenerationConfig, PreTrainedTokenizerFast

from ..conftest import ROOT

SPECIAL = ["<pad>", "</s>", "<unk>", "<sum>"]
PAD, EOS, UNKNOWN, SUMMARY = range(4)


def build_tokenizer(texts: list[str]) -> Any:
    """Make a tokenizer of words and punctuation."""
    tokenizer = Tokenizer(models.WordLevel(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(
        texts, trainers.WordLevelTrainer(special_tokens=SPECIAL, show_progress=False)
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", EOS)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        additional_special_tokens=["<sum>"],
        model_input_names=["input_ids", "attention_mask"],
    )


def read_samples(samples: int) -> tuple[Any, list[dict[str, Any]]]:
    """Return a tokenizer and samples for an encoder-decoder model."""
    lines = (ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines()
    news = list(map(json.loads, lines))
    tokenizer = build_tokenizer([text for item in news for text in item.values()])
    return tokenizer, [
        dict(tokenizer(item["article"], text_target=item["summary"])) for item in news[:samples]
    ]


def join_prompt(sample: dict[str, Any]) -> dict[str, Any]:
    """Return the sample for a causal language model, whose prompt has no labels."""
    prompt = [*sample["input_ids"][:-1], SUMMARY]
    ids = prompt + sample["labels"]
    labels = [-100] * len(prompt) + sample["labels"]
    return {"input_ids": ids, "attention_mask": [1] * len(ids), "labels": labels}


def change(ids: Any) -> Any:
    """Return ids of which some are wrong."""
    return ids.where(ids % 7 != 6, 5)


class Echo(torch.nn.Module):  # type: ignore[misc]  # of untyped torch
    """A model that knows the labels of each article, as an encoder-decoder or a causal model."""

    def __init__(self, tokenizer: Any, samples: list[dict[str, Any]], *, causal: bool) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.words, self.causal = len(tokenizer), causal
        self.labels = {tuple(sample["input_ids"]): sample["labels"] for sample in samples}
        self.generation_config = GenerationConfig(max_length=24, pad_token_id=PAD)

    def forward(self, input_ids: Any, attention_mask: Any, labels: Any) -> dict[str, Any]:
        """Return logits of the labels; of a causal model, each position is that of the next."""
        said = change(labels.clamp(min=0))
        said = said.roll(-1, dims=1) if self.causal else said
        logits = torch.nn.functional.one_hot(said, self.words).float()
        return {"loss": self.weight.sum(), "logits": logits, "others": (input_ids, attention_mask)}

    def generate(self, input_ids: Any, attention_mask: Any, **_: Any) -> Any:
        """Return ids after a start, padded to the longest of the batch."""
        rows = [
            torch.tensor([PAD, *self.labels[tuple(ids[mask == 1].tolist())]])
            for ids, mask in zip(input_ids, attention_mask, strict=True)
        ]
        return change(torch.nn.utils.rnn.pad_sequence(rows, batch_first=True))
