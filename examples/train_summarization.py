"""Train a small model to summarise, and score it with BLEU and ROUGE after every epoch.

It needs ``pip install ".[training]"``, runs in under a minute without a GPU, and downloads nothing:
the texts are beside this file, the tokenizer is made from them, and the model starts from random
weights. So its summaries stay poor, but their scores rise. For a real model, use
``from_pretrained`` in ``load_tokenizer`` and ``load_model``, and your own data.
"""

import json
import tempfile
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    DataCollatorForSeq2Seq,
    PreTrainedTokenizerFast,
    PrinterCallback,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    T5Config,
    T5ForConditionalGeneration,
    set_seed,
)

from bleu_rouge_metric import compute_metrics

NEWS = Path(__file__).parent / "news.jsonl"
COLUMNS = {
    "epoch": "epoch",
    "loss": "eval_loss",
    "BLEU": "eval_bleu",
    "ROUGE-1": "eval_rouge1",
    "ROUGE-2": "eval_rouge2",
    "ROUGE-L": "eval_rougeL",
    "tokens per summary": "eval_gen_len",
}


def load_tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    """Make a tokenizer of words and their parts from the texts."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=1000, special_tokens=["<pad>", "</s>", "<unk>"], show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", tokenizer.token_to_id("</s>"))]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        model_input_names=["input_ids", "attention_mask"],
    )


def load_model(tokenizer: PreTrainedTokenizerFast) -> T5ForConditionalGeneration:
    """Make a T5 that is small enough to train without a GPU."""
    return T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(tokenizer),
            d_model=64,
            d_kv=16,
            d_ff=128,
            num_layers=2,
            num_heads=4,
            dropout_rate=0.0,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            decoder_start_token_id=tokenizer.pad_token_id,
        )
    )


def main() -> None:
    """Train, and then print the scores of every epoch."""
    set_seed(0)
    torch.set_num_threads(1)  # for a tiny model; leave it out for a real one
    news = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
    tokenizer = load_tokenizer([text for item in news for text in item.values()])
    model = load_model(tokenizer)
    samples = [tokenizer(item["article"], text_target=item["summary"]) for item in news]
    training_set, evaluation_set = samples[:40], samples[40:]
    hook = compute_metrics(
        tokenizer, num_samples=len(evaluation_set), percent=True, use_stemmer=True, smooth=True
    )

    with tempfile.TemporaryDirectory() as folder:
        trainer = Seq2SeqTrainer(
            model=model,
            args=Seq2SeqTrainingArguments(
                folder,
                num_train_epochs=12,
                per_device_train_batch_size=4,
                learning_rate=3e-3,
                eval_strategy="epoch",
                predict_with_generate=True,
                generation_max_length=32,
                save_strategy="no",
                report_to="none",
                disable_tqdm=True,
                use_cpu=True,
            ),
            train_dataset=training_set,
            eval_dataset=evaluation_set,
            processing_class=tokenizer,
            data_collator=DataCollatorForSeq2Seq(tokenizer, model),
            compute_metrics=hook,
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()

    table = Table(*COLUMNS, title=f"{len(evaluation_set)} summaries that it did not learn from")
    for entry in trainer.state.log_history:
        if "eval_loss" in entry:
            table.add_row(*(f"{entry[name]:.2f}" for name in COLUMNS.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
