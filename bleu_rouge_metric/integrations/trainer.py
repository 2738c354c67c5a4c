"""The hook of a training loop: predicted ids and labels in, flat scores out.

``compute_metrics`` makes what ``Trainer`` and ``Seq2SeqTrainer`` of transformers take as their
argument of that name, for a whole evaluation at once or batch by batch. It does what the usual
recipes do by hand: takes what stands for no token out of predictions and labels, decodes both, and
scores the texts. Neither transformers nor torch is imported.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..checks import check_flag
from ..options.profiles import Family
from ..options.relevance import check_one_number
from ..options.table import OPTIONS
from ..samples.token_ids import IDS, to_ids
from ..scoring.results import choose_factor
from ..scoring.scorer import Scorer
from .token_rows import TokenRows, decode_rows
from .trainer_hook import ComputeMetrics, HookRules
from .trainer_sizes import make_sizes

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import HookKeywords


def compute_metrics(
    tokenizer: Any = None,
    *,
    family: Family | None = None,
    prefix: str = "",
    percent: bool = False,
    num_samples: int | Sequence[int] | Callable[[], int] | None = None,
    causal: bool | None = None,
    seed: int | None = None,
    **options: "Unpack[HookKeywords]",
) -> ComputeMetrics:
    """A hook that scores what a model predicts, for ``Trainer(compute_metrics=...)``.

    Args:
        tokenizer: the model's tokenizer or processor, or a callable from lists of ids to texts.
            None scores the ids themselves, by the options ``pad``, ``eos`` and ``separator``. A
            callable takes ``pad`` too: ids that it does not get, and ``gen_len`` does not count.
        family: ``bleu`` or ``rouge``; None for both.
        prefix: of the names of all scores.
        percent: give the scores times 100, except scores that are percentages already.
        num_samples: how many samples the evaluation set has. Ranks of ``Seq2SeqTrainer`` repeat the
            first samples until every rank has a full batch. Samples beyond the number are left out
            if their labels and predictions repeat those of the first samples; else they are an
            error. A list has the numbers of several sets, and each evaluation shows which it is; a
            function without arguments returns the number of the set that is evaluated at present.
        causal: True for logits of a causal language model, whose position ``i`` predicts the label
            ``i + 1``, or for what this hook's ``preprocess_logits_for_metrics`` makes of them; the
            labels are -100 over the prompt. False for everything else, also for ids that such a
            model generated. None is as False, but warns of labels that begin with -100.
        seed: of the random stream of resampling, the same in every evaluation; None to draw one,
            which ``signature`` of the hook then says.
        **options: the options of ``metric.compute``.

    Under ``profile="sacrebleu"`` the hook gives sacrebleu's names, and its ``score`` as ``bleu``
    too. Both are from 0 to 100, with or without ``percent``.

    Raises:
        TypeError: an argument is of a wrong type, or an option is unknown or means nothing here.
        ValueError: a value is out of range, or an option gives more than one number a score.

    >>> import numpy as np
    >>> hook = compute_metrics(lambda rows: [" ".join(map(str, ids)) for ids in rows],
    ...                        rouge_types=["rouge1"], max_order=1)
    >>> hook((np.array([[7, 8, -100]]), np.array([[7, 9, 8]])))  # doctest: +NORMALIZE_WHITESPACE
    {'bleu': 0.6065306597126334, 'precision_1': 1.0, 'brevity_penalty': 0.6065306597126334,
     'length_ratio': 0.6666666666666666, 'translation_length': 2.0, 'reference_length': 3.0,
     'rouge1': 0.8, 'gen_len': 2.0}
    """
    scorer = Scorer(family, seed=seed, **_choose_options(tokenizer, options))
    checked = scorer.options
    check_one_number(checked)
    if not isinstance(prefix, str):
        raise TypeError(f"prefix is {prefix!r}; expected a str, such as 'test_'.")
    pads = _find_pads(tokenizer, options.get("pad"))
    ends = checked.plan(scorer.families).counting.ids.ends
    return ComputeMetrics(
        HookRules(
            # One seed for every evaluation, given or drawn; the signature of the hook says it.
            make_scorer=partial(
                Scorer.from_options, checked, scorer.families, scorer.seed, warned=set()
            ),
            decode=_find_decode(tokenizer),
            # What ends a sequence of ids is left to the scorer.
            dropped=(checked.ignore_index, *(pad for pad in pads if pad not in ends)),
            pads=pads,
            prefix=prefix,
            factor=choose_factor(checked, percent=check_flag("percent", percent)),
            make_sizes=make_sizes(num_samples),
            causal=None if causal is None else check_flag("causal", causal),
        )
    )


def _choose_options(tokenizer: object, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of texts or, without a tokenizer, of ids.

    Raises:
        ValueError: an option is for the other of the two.
    """
    chosen = dict(given)
    if _is_decoder(tokenizer):
        # Nothing else tells the hook which ids are padding; a scorer of texts has no use for it.
        chosen.pop("pad", None)
    unfit, reason = (
        ("texts", "of texts, but there is no tokenizer to make texts; give the model's")
        if tokenizer is None
        else ("ids", "of ids, but there is a tokenizer to make texts; leave the tokenizer out")
    )
    for name, option in OPTIONS.items():
        if option.samples == unfit and chosen.get(name) is not None:
            raise ValueError(f"{name} is an option {reason}, or leave the option out.")
    return {**chosen, "tokenizer": IDS} if tokenizer is None else chosen


def _is_decoder(tokenizer: object) -> bool:
    """Whether this is a plain function from lists of ids to texts."""
    return callable(tokenizer) and not hasattr(tokenizer, "batch_decode")


def _find_decode(tokenizer: Any) -> Callable[[TokenRows], list[str]] | None:
    """Return the function from ids to texts; None if there is no tokenizer."""
    if tokenizer is None:
        return None
    if hasattr(tokenizer, "batch_decode"):
        return partial(decode_rows, partial(tokenizer.batch_decode, skip_special_tokens=True))
    if _is_decoder(tokenizer):
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


def _find_pads(tokenizer: Any, pad: object) -> tuple[int, ...]:
    """Return the ids of padding: from the option, or from the tokenizer or processor."""
    if tokenizer is None or pad is not None:
        return to_ids("pad", pad)
    holder = getattr(tokenizer, "tokenizer", tokenizer)
    return to_ids("pad_token_id", getattr(holder, "pad_token_id", None))
