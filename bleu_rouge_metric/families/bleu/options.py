"""The options of BLEU and GLEU."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final, TypedDict

from ...checks import check_flag
from ...schema import kinds
from ...schema.rows import Row, read_rows
from ...text.tokenizers import TEXT_TOKENIZERS
from .rules import SMOOTHINGS, ReferenceLength

_SHORT: Final = "BLEU of short texts"
# The families whose formula has options: google_bleu, coco and codexglue fix theirs.
_OF_FORMULA: Final = ("bleu",)
# The families that do not fix the orders.
_OF_ORDERS: Final = ("bleu", "google_bleu", "coco_bleu")


class BleuOfOrders(TypedDict, total=False):
    """The options of BLEU but for ``weights``; None selects the value of the profile."""

    bleu_tokenizer: Annotated[
        str | Callable[[str], list[str]] | None,
        Row(
            "the tokenizer of BLEU; overrides tokenizer",
            *("counts", "13a"),
            kind=kinds.NAME_OR_FUNCTION,
            samples="texts",
            signed="always",
            completions=TEXT_TOKENIZERS,
            foreign="tokenize -tok",
        ),
    ]
    max_order: Annotated[
        int | None,
        Row(
            "the highest n-gram order, from 1 to 100",
            "counts",
            unset="4, or the length of the longest weights",
            used_by=_OF_ORDERS,
            foreign="max_ngram_order n_gram ngram max_len",
            uses=(
                (
                    "max_n",
                    "{max_order=4} for BLEU, {rouge_types=['rouge1', 'rouge2']} for ROUGE",
                ),
            ),
        ),
    ]
    min_order: Annotated[
        int | None,
        Row(
            "the lowest n-gram order of google_bleu",
            *("scores", 1),
            used_by=("google_bleu",),
            foreign="min_len",
        ),
    ]
    smooth: Annotated[
        bool | str | None,
        Row(
            "the smoothing of the precisions: True for evaluate's add-one; floor, add-k and exp as "
            "in sacrebleu; method0 to method7 as in NLTK",
            *("scores", "none"),
            kind=kinds.SMOOTHING,
            choices=SMOOTHINGS,
            used_by=_OF_FORMULA,
            signed="always",
            foreign="smooth_method smoothing smoothing_method -s",
            uses=(("smoothing_function", "{smooth='method1'} for SmoothingFunction().method1"),),
        ),
    ]
    smooth_value: Annotated[
        float | None,
        Row(
            "the parameter of the smoothing method",
            "scores",
            unset="the default of the reference",
            kind=kinds.NUMBER,
            used_by=_OF_FORMULA,
            foreign="epsilon k -sv",
        ),
    ]
    reference_length: Annotated[
        ReferenceLength | None,
        Row(
            "the length that the brevity penalty uses if there are several references",
            *("scores", "shortest"),
            used_by=_OF_FORMULA,
            signed="always",
        ),
    ]
    effective_order: Annotated[
        bool | None,
        Row(
            "ignore n-gram orders that are longer than the predictions",
            "scores",
            unset="as the reference does; sacrebleu does so for single sentences only",
            used_by=_OF_FORMULA,
            panel=_SHORT,
            names="--effective-order/--no-effective-order",
            foreign="use_effective_order",
        ),
    ]
    auto_reweigh: Annotated[
        bool | None,
        Row(
            "use equal weights for fewer than four tokens, as NLTK does",
            *("scores", False),
            check=check_flag,
            used_by=_OF_FORMULA,
            panel=_SHORT,
        ),
    ]
    lowercase: Annotated[
        bool | None,
        Row(
            "convert the texts to lower case",
            *("counts", False),
            check=check_flag,
            samples="texts",
            foreign="lower_case do_lower_case -lc",
            uses=(("case_sensitive !", "{lowercase=True} for case_sensitive=False"),),
        ),
    ]


class BleuOptions(BleuOfOrders, total=False):
    """The options of BLEU that decide its scores."""

    weights: Annotated[
        Sequence[float] | Sequence[Sequence[float]] | None,
        Row(
            "weights of the n-gram orders, which sum to 1; several sequences give several scores",
            "counts",
            unset="equal weights",
            kind=kinds.WEIGHTS,
            used_by=_OF_FORMULA,
            flag="W,W,...",
        ),
    ]


class BleuOutput(TypedDict, total=False):
    """The options of BLEU that decide what is returned."""

    sentence_bleu: Annotated[
        bool | None,
        Row(
            "add sentence_bleu, the BLEU of every sample",
            *("output", False),
            check=check_flag,
            one_number=False,
            uses=(("sentence_level -sl", "{sentence_bleu=True} for one BLEU per sample"),),
        ),
    ]


_ROWS: Final = {row.name: row for row in read_rows(BleuOptions, "bleu")}
# Signatures have the weights behind the orders.
_AFTER: Final = ("bleu_tokenizer", "max_order", "min_order", "weights")
OPTIONS: Final = (
    *(_ROWS[name] for name in _AFTER),
    *(row for name, row in _ROWS.items() if name not in _AFTER),
    *read_rows(BleuOutput, "bleu"),
)
