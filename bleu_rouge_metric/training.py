"""The hook of a training loop: predicted ids and labels in, flat scores out.

``compute_metrics`` makes what ``Trainer`` and ``Seq2SeqTrainer`` of transformers take as their
argument of that name, for a whole evaluation at once or batch by batch. It does what the usual
recipes do by hand: takes what stands for no token out of predictions and labels, decodes both, and
scores the texts. Neither transformers nor torch is imported.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from .checks import check_flag
from .options import Options
from .profiles import Family
from .scorer import Scorer
from .token_ids import IDS, to_ids
from .token_rows import TokenRows, decode_rows
from .trainer_hook import ComputeMetrics, HookRules

# What options of lists of one value per sample, and of text, have to be: a loop logs numbers.
_UNFIT: Final = {"sentence_bleu": False, "use_aggregator": True, "signature": False}

_TEXT_OPTIONS: Final = (
    *("bleu_tokenizer", "rouge_tokenizer", "segmenter", "lowercase", "use_stemmer"),
    *("stemmer_exceptions", "stop_words", "word_limit", "byte_limit", "sentence_splitter"),
)
_ID_OPTIONS: Final = ("ignore_index", "pad", "eos", "separator")


def compute_metrics(
    tokenizer: Any = None,
    *,
    family: Family | None = None,
    prefix: str = "",
    percent: bool = False,
    num_samples: int | None = None,
    causal: bool = False,
    seed: int | None = None,
    **options: Any,
) -> ComputeMetrics:
    """A hook that scores what a model predicts, for ``Trainer(compute_metrics=...)``.

    Args:
        tokenizer: the model's tokenizer or processor, or a callable from lists of ids to texts.
            None scores the ids themselves, by the options ``pad``, ``eos`` and ``separator``.
        family: ``bleu`` or ``rouge``; None for both.
        prefix: of the names of all scores.
        percent: give the scores times 100, but for those that are percentages already.
        num_samples: how many samples the evaluation set has. Ranks of ``Seq2SeqTrainer`` repeat the
            first samples until every rank has a full batch; what comes beyond the number is left
            out.
        causal: for logits of a causal language model, whose position ``i`` predicts the label
            ``i + 1``; the labels are -100 over the prompt.
        seed: of the random stream of resampling.
        **options: those of ``metric.compute``.

    Raises:
        TypeError: an argument is of a wrong type, or an option is unknown or means nothing here.
        ValueError: a value is out of range, or an option gives more than one number a score.

    >>> hook = compute_metrics(lambda rows: [" ".join(map(str, ids)) for ids in rows],
    ...                        rouge_types=["rouge1"], max_order=1)
    >>> hook((np.array([[7, 8, -100]]), np.array([[7, 9, 8]])))  # doctest: +NORMALIZE_WHITESPACE
    {'bleu': 0.6065306597126334, 'precision_1': 1.0, 'brevity_penalty': 0.6065306597126334,
     'length_ratio': 0.6666666666666666, 'translation_length': 2.0, 'reference_length': 3.0,
     'rouge1': 0.8, 'gen_len': 2.0}
    """
    scorer = Scorer(family, seed=seed, **_choose_options(tokenizer, options))
    checked = scorer.options
    for name, value in _UNFIT.items():
        if getattr(checked, name) is not value:
            raise ValueError(
                f"{name} is {getattr(checked, name)}, but a training loop logs one number a score; "
                "leave it out, and use metric.compute or Scorer for it."
            )
    if not isinstance(prefix, str):
        raise TypeError(f"prefix is {prefix!r}; expected a str, such as 'test_'.")
    pads = _find_pads(tokenizer, checked)
    ends = checked.id_rules.ends
    return ComputeMetrics(
        HookRules(
            make_scorer=partial(Scorer.from_options, checked, scorer.families, seed),
            decode=_find_decode(tokenizer),
            # What ends a sequence of ids is left to the scorer.
            dropped=(checked.ignore_index, *(pad for pad in pads if pad not in ends)),
            pads=pads,
            prefix=prefix,
            is_percent=check_flag("percent", percent) and checked.profile != "sacrebleu",
            num_samples=_check_num_samples(num_samples),
            is_causal=check_flag("causal", causal),
        )
    )


def _choose_options(tokenizer: object, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of texts or, without a tokenizer, of ids.

    Raises:
        ValueError: an option is for the other of the two.
    """
    foreign, reason = (
        (_TEXT_OPTIONS, "of texts, but there is no tokenizer to make texts; give the model's")
        if tokenizer is None
        else (
            _ID_OPTIONS,
            "of ids, but there is a tokenizer to make texts; leave the tokenizer out",
        )
    )
    for name in foreign:
        if given.get(name) is not None:
            raise ValueError(f"{name} is an option {reason}, or leave the option out.")
    return {**given, "tokenizer": IDS} if tokenizer is None else dict(given)


def _find_decode(tokenizer: Any) -> Callable[[TokenRows], list[str]] | None:
    """What makes texts of ids; None where there is no tokenizer."""
    if tokenizer is None:
        return None
    if hasattr(tokenizer, "batch_decode"):
        return partial(decode_rows, partial(tokenizer.batch_decode, skip_special_tokens=True))
    if callable(tokenizer):
        return partial(_decode_lists, tokenizer)
    if isinstance(tokenizer, str):
        raise TypeError(
            f"tokenizer is the str {tokenizer!r}; expected the model's tokenizer, or none to score "
            "ids. What BLEU and ROUGE count of texts is chosen by bleu_tokenizer and "
            "rouge_tokenizer."
        )
    raise TypeError(
        f"tokenizer is of type {type(tokenizer).__name__}; expected the model's tokenizer or "
        "processor, which has batch_decode, or a callable from lists of ids to texts."
    )


def _decode_lists(decode: Callable[[list[list[int]]], list[str]], rows: TokenRows) -> list[str]:
    """The texts of a callable, one a sample."""
    texts = decode(rows.to_lists())
    expected = f"expected a list of {len(rows.lengths)} str, one for every list of ids."
    if not isinstance(texts, list | tuple):
        raise TypeError(f"tokenizer returned {type(texts).__name__}; {expected}")
    if len(texts) != len(rows.lengths):
        raise ValueError(f"tokenizer returned {len(texts)} texts; {expected}")
    return list(texts)


def _find_pads(tokenizer: Any, options: Options) -> tuple[int, ...]:
    """Ids of padding: those of the tokenizer, of a processor's, or of the options without one."""
    if tokenizer is None:
        return to_ids("pad", options.pad)
    holder = getattr(tokenizer, "tokenizer", tokenizer)
    return to_ids("pad_token_id", getattr(holder, "pad_token_id", None))


def _check_num_samples(num_samples: object) -> int | None:
    """The number of samples; raises unless it is None or an int above 0."""
    expected = "expected None, or the number of samples of the evaluation set."
    if num_samples is None:
        return None
    if isinstance(num_samples, bool) or not isinstance(num_samples, int | np.integer):
        raise TypeError(f"num_samples is {num_samples!r}; {expected}")
    if num_samples < 1:
        raise ValueError(f"num_samples is {num_samples}; {expected}")
    return int(num_samples)
